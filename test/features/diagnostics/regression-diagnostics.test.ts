// Tests that nothing is marked as a regression without a test, what is marked with one, and that methods are followed through renames where both texts are known.

import { describe, expect, test } from 'vitest';
import type { Baseline } from '../../../server/analysis/baseline.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { Pairing, type Renames } from '../../../server/analysis/pairing.ts';
import { defaultSettings } from '../../../server/base/config.ts';
import { regressionDiagnostics } from '../../../server/features/diagnostics/regression-diagnostics.ts';
import { rowsOfClass } from '../../../server/mapping/class-index.ts';
import { donorOf } from '../../../server/mapping/recorded/donors.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import type { Verdict } from '../../../server/model/verdict.ts';
import { followMethods } from '../../../server/workspace/code/followed-methods.ts';
import { documentView } from '../../../server/workspace/document/document-view.ts';
import { comparedByName, loadedFromText } from '../../support/profiles/loaded.ts';

const TEXT = 'class Shop {\n  void search() {\n    seek(1);\n  }\n  void pay() {\n    settle(2);\n  }\n}\n';

/** `search` and `pay` with so many samples each, and others. */
function data(search: number, pay: number, others: number, version: string, name = 'search'): LoadedData {
  const execution = { project: 'acme', program: 'shop', version, instance: 'i-1' };
  return loadedFromText(
    `Shop.${name} | ${search}@3\nShop.pay | ${pay}@6\nOther.run | ${others}@1`,
    {},
    { executions: [execution] },
  );
}

type Compared = { readonly current: LoadedData; readonly baseline: LoadedData | null; readonly verdict?: Verdict };

/** With `verdict`: as if a test had found this of the difference of every method. */
function found({ current, baseline, verdict }: Compared, limit?: number): (readonly [string, string])[] {
  const settings = { ...defaultSettings(), ...(limit !== undefined && { 'diagnostics.regressions': limit }) };
  const compared = baseline && comparedByName(current, baseline);
  const document = documentView({
    text: TEXT,
    settings,
    baseline: compared && (verdict === undefined ? compared : tested(current, compared, verdict)),
    state: { kind: 'ready', data: current, problems: [] },
  });
  return regressionDiagnostics(document).map(({ span, message }) => [TEXT.slice(span.start, span.end), message]);
}

function tested(current: LoadedData, { data: baseline, pairing }: Baseline, verdict: Verdict): Baseline {
  const ofMethod = new Map(Array.from(current.values.total.weight, (_, row) => [`total ${row}`, verdict] as const));
  return { data: baseline, pairing: pairing.withVerdicts(current, baseline, { jvms: [4, 4], ofMethod }) };
}

describe('regressions', () => {
  const before = data(200, 300, 500, '1.0');

  test('are none while nothing is tested, however large the growth and however many the samples', () => {
    const [current, baseline] = [data(400_000, 300_000, 300_000, '2.0'), data(200_000, 300_000, 500_000, '1.0')];
    expect(found({ current, baseline })).toEqual([]);
  });

  test('are methods that a test finds slower, by as much as the setting says', () => {
    const far = { current: data(400, 300, 300, '2.0'), baseline: before, verdict: 'slower' } as const;
    const near = { ...far, current: data(240, 300, 460, '2.0') };
    expect(found(far)).toEqual([['search', '40 % of cpu, ↑ +20 points against 1.0']]);
    expect(found(near)).toEqual([]);
    expect(found(near, 0.03)).toEqual([['search', '24 % of cpu, ↗ +4 points against 1.0']]);
  });

  test('are none where a test finds no growth, without a baseline, and when switched off', () => {
    const current = data(400, 300, 300, '2.0');
    for (const verdict of ['cannotTell', 'same', 'faster'] as const)
      expect(found({ current, baseline: before, verdict })).toEqual([]);
    expect(found({ current, baseline: null, verdict: 'slower' })).toEqual([]);
    expect(found({ current, baseline: before, verdict: 'slower' }, 0)).toEqual([]);
  });
});

describe('methods of a baseline', () => {
  const current = data(400, 300, 300, '2.0');
  const change = (baseline: LoadedData, renames: Renames = new Map()) => {
    const rows = rowsOfClass(current.classes, 'Shop');
    const search = rows.filter(row => current.profile.methods.strings[current.profile.methods.name[row]!] === 'search');
    return Pairing.pending(current, baseline).with({ renames, files: new Map() }).rowsOf(search);
  };
  const named = (baseline: LoadedData, rows: readonly number[]) =>
    rows.map(row => baseline.profile.methods.strings[baseline.profile.methods.name[row]!]);

  test('are followed through a rename where both texts are known, else by name alone', () => {
    const renamed = data(200, 300, 500, '1.0', 'find');
    expect(change(renamed)).toEqual([]);
    const earlier = TEXT.replace('void search', 'void find');
    const renames = followMethods(
      { text: TEXT, classes: current.classes },
      { profiled: openedText(earlier), classes: renamed.classes },
    );
    expect(named(renamed, change(renamed, renames))).toEqual(['find']);
  });

  test('are followed from another file that lost them', () => {
    const moved = loadedFromText('Old.search | 200@3\nShop.pay | 300@6', {}, {});
    const profiled = 'class Old {\n  void search() {\n    seek(1);\n  }\n  void stays() {\n  }\n}\n';
    const donor = donorOf({ path: 'Old.java', profiled, current: 'class Old {\n  void stays() {\n  }\n}\n' })!;
    const own = { ...openedText(TEXT.replace('void search() {\n    seek(1);\n  }', '')), donors: [donor] };
    expect(change(moved)).toEqual([]);
    const renames = followMethods({ text: TEXT, classes: current.classes }, { profiled: own, classes: moved.classes });
    expect(named(moved, change(moved, renames))).toEqual(['search']);
  });

  test('that the earlier text did not have have no counterpart, whatever they are called', () => {
    const other = data(200, 300, 500, '1.0');
    expect(named(other, change(other))).toEqual(['search']);
    const earlier = TEXT.replace('void search() {\n    seek(1);\n  }', 'int completely = 7;');
    const renames = followMethods(
      { text: TEXT, classes: current.classes },
      { profiled: openedText(earlier), classes: other.classes },
    );
    expect(change(other, renames)).toEqual([]);
  });
});
