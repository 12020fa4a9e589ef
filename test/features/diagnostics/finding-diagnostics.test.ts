// Tests which findings of a comparison are marked in a document: those of its methods, from the setting on.
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../server/base/config.ts';
import { findingDiagnostics } from '../../../server/features/diagnostics/finding-diagnostics.ts';
import { documentView } from '../../../server/workspace/document/document-view.ts';
import { loadedFromText } from '../../support/profiles/loaded.ts';

const TEXT = 'class Shop {\n  void search() {\n    seek(1);\n  }\n  void pay() {\n    settle(2);\n  }\n}\n';

test('methods whose code stands for a finding are marked with its sentence', () => {
  const data = loadedFromText('Shop.search | 200@3\nShop.pay | 300@6\nOther.run | 9@1', {}, {});
  const { methods } = data.profile;
  const rowOf = (name: string) =>
    Array.from(methods.name).findIndex(index => methods.strings[index] === name && index > 0);
  const found = (limit: number) =>
    findingDiagnostics(
      documentView({
        text: TEXT,
        settings: { ...defaultSettings(), 'diagnostics.regressions': limit },
        baseline: null,
        state: { kind: 'ready', data, problems: [] },
      }),
      [
        { row: rowOf('search'), verdict: 'slower', sentence: 'slower: Shop.search: +9 (…)', change: 0.09 },
        { row: rowOf('pay'), verdict: 'faster', sentence: 'faster: Shop.pay: −6 (…)', change: -0.06 },
        { row: rowOf('run'), verdict: 'slower', sentence: 'slower: Other.run: +30 (…)', change: 0.3 },
        { row: -1, verdict: 'faster', sentence: 'faster: Gone.run: −30 (…)', change: -0.3 },
      ],
    ).map(({ span, message, code }) => `${TEXT.slice(span.start, span.end)} ${code} ${message}`);
  expect(found(0.05)).toEqual([
    'search regression slower: Shop.search: +9 (…)',
    'pay improvement faster: Shop.pay: −6 (…)',
  ]);
  expect(found(0.08)).toEqual(['search regression slower: Shop.search: +9 (…)']);
  expect(found(0)).toEqual([]);
});
