// Tests that nothing is marked as a regression without a test, what is marked with one, and that methods are followed through renames where both texts are known.

import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { Pairing, type Renames } from '../../../server/analysis/pairing.ts';
import { defaultSettings } from '../../../server/base/config.ts';
import { regressionDiagnostics } from '../../../server/features/diagnostics/regression-diagnostics.ts';
import { Baseline } from '../../../server/features/facts/compare.ts';
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

function found(current: LoadedData, baseline: LoadedData | null, limit?: number): (readonly [string, string])[] {
  const settings = { ...defaultSettings(), ...(limit !== undefined && { 'diagnostics.regressions': limit }) };
  const document = documentView({
    text: TEXT,
    settings,
    baseline: baseline && comparedByName(current, baseline),
    state: { kind: 'ready', data: current, problems: [] },
  });
  return regressionDiagnostics(document).map(({ span, message }) => [TEXT.slice(span.start, span.end), message]);
}

/** As if a test had found this of every difference. */
function tested(verdict: Verdict): void {
  vi.restoreAllMocks();
  const { methodChange } = Baseline.prototype;
  vi.spyOn(Baseline.prototype, 'methodChange').mockImplementation(function (this: Baseline, ...wish) {
    return { ...methodChange.apply(this, wish), verdict };
  });
}

describe('regressions', () => {
  const before = data(200, 300, 500, '1.0');

  afterEach(() => vi.restoreAllMocks());

  test('are none while nothing is tested, however large the growth and however many the samples', () => {
    expect(found(data(400_000, 300_000, 300_000, '2.0'), data(200_000, 300_000, 500_000, '1.0'))).toEqual([]);
  });

  test('are methods that a test finds slower, by as much as the setting says', () => {
    tested('slower');
    expect(found(data(400, 300, 300, '2.0'), before)).toEqual([['search', '40 % of cpu, ↑ +20 points against 1.0']]);
    expect(found(data(240, 300, 460, '2.0'), before)).toEqual([]);
    expect(found(data(240, 300, 460, '2.0'), before, 0.03)).toEqual([
      ['search', '24 % of cpu, ↗ +4 points against 1.0'],
    ]);
  });

  test('are none where a test finds no growth, without a baseline, and when switched off', () => {
    for (const verdict of ['cannotTell', 'same', 'faster'] as const) {
      tested(verdict);
      expect(found(data(400, 300, 300, '2.0'), before)).toEqual([]);
    }
    tested('slower');
    expect(found(data(400, 300, 300, '2.0'), null)).toEqual([]);
    expect(found(data(400, 300, 300, '2.0'), before, 0)).toEqual([]);
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
