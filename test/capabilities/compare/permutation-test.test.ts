// Tests the permutation test: against its definition, on data with and without differences.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTestable, testRows } from '../../../server/capabilities/compare/permutation-test.ts';
import { runs } from '../../support/runs.ts';
import { normals } from './normals.ts';

const given = (rows: readonly (readonly number[])[], jvms: readonly [number, number]) => ({
  values: Float64Array.from(rows.flat()),
  rows: rows.length,
  jvms,
});

/** The definition, written down without any shortcut. */
function bruteForce(rows: readonly (readonly number[])[], [first, second]: readonly [number, number]): number[] {
  const all = first + second;
  const mean = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0) / xs.length;
  const parts = (row: readonly number[], chosen: ReadonlySet<number>) => {
    const a = row.filter((_, i) => chosen.has(i));
    const b = row.filter((_, i) => !chosen.has(i));
    const within = [a, b].flatMap(xs => xs.map(x => (x - mean(xs)) ** 2)).reduce((x, y) => x + y, 0);
    return { d: mean(b) - mean(a), s: Math.sqrt((within / (all - 2)) * (1 / first + 1 / second)) };
  };
  const own = new Set(Array.from({ length: first }, (_, i) => i));
  const errors = rows.map(row => parts(row, own).s).sort((a, b) => a - b);
  const half = errors.length >> 1;
  const s0 = errors.length % 2 === 1 ? errors[half]! : (errors[half - 1]! + errors[half]!) / 2;
  const t = (row: readonly number[], chosen: ReadonlySet<number>) => {
    const { d, s } = parts(row, chosen);
    return Math.abs(d) / (s + s0);
  };
  const choices: Set<number>[] = [];
  for (let bits = 0; bits < 2 ** all; bits++) {
    const chosen = new Set(Array.from({ length: all }, (_, i) => i).filter(i => (bits >> i) & 1));
    if (chosen.size === first) choices.push(chosen);
  }
  const maxima = choices.map(chosen => Math.max(...rows.map(row => t(row, chosen))));
  return rows.map(row => maxima.filter(most => most >= t(row, own) * (1 - 1e-9)).length / maxima.length);
}

describe('the test over JVMs', () => {
  test('gives every row the p of the definition', () => {
    const sizes = fc.constantFrom([3, 4] as const, [4, 4] as const, [5, 3] as const);
    const row = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(sizes, fc.array(row, { minLength: 1, maxLength: 6 }), (jvms, rows) => {
        const cut = rows.map(values => values.slice(0, jvms[0] + jvms[1]).map((x, i) => x + i * 1e-3));
        const { rows: tested } = testRows(given(cut, jvms));
        const expected = bruteForce(cut, jvms);
        for (const [at, { p }] of tested.entries()) expect(p).toBeCloseTo(expected[at]!, 9);
      }),
      { numRuns: runs(60) },
    );
  });

  test('finds a clear difference of four JVMs a side, and names no other row', () => {
    const random = normals(7);
    const rows = Array.from({ length: 40 }, (_, row) =>
      Array.from({ length: 8 }, (_, jvm) => 0.02 + 0.002 * random() + (row === 5 && jvm >= 4 ? 0.1 : 0)),
    );
    const { rows: tested } = testRows(given(rows, [4, 4]));
    expect(tested[5]!.p).toBeCloseTo(2 / 70, 9);
    expect(tested.filter(({ p }) => p <= 0.05)).toHaveLength(1);
    expect(tested[5]!.difference).toBeCloseTo(0.1, 2);
  });

  test('of equal groups reports at most one comparison in twenty', () => {
    const random = normals(11);
    let reported = 0;
    for (let run = 0; run < 400; run++) {
      const rows = Array.from({ length: 30 }, (_, row) => {
        const spread = 0.001 * (1 + (row % 7));
        return Array.from({ length: 9 }, () => 0.03 + spread * random());
      });
      const { rows: tested } = testRows(given(rows, [4, 5]));
      if (tested.some(({ p }) => p <= 0.05)) reported++;
    }
    // 20 are expected; more than 35 have a probability below 1 in 1,000.
    expect(reported).toBeLessThanOrEqual(35);
  });

  test('swapping the groups negates differences and keeps p', () => {
    const random = normals(3);
    const rows = Array.from({ length: 12 }, () => Array.from({ length: 9 }, () => random()));
    const there = testRows(given(rows, [4, 5])).rows;
    const swapped = rows.map(row => [...row.slice(4), ...row.slice(0, 4)]);
    const back = testRows(given(swapped, [5, 4])).rows;
    for (const [at, { difference, p }] of there.entries()) {
      expect(back[at]!.difference).toBeCloseTo(-difference, 12);
      expect(back[at]!.p).toBeCloseTo(p, 9);
    }
  });

  test('tries random relabellings where there are too many, with the same result each time', () => {
    const random = normals(5);
    const rows = Array.from({ length: 5 }, (_, row) =>
      Array.from({ length: 20 }, (_, jvm) => random() + (row === 0 && jvm >= 10 ? 9 : 0)),
    );
    const once = testRows(given(rows, [10, 10]));
    const again = testRows(given(rows, [10, 10]));
    expect(again.rows).toEqual(once.rows);
    expect(once.rows[0]!.p).toBeLessThan(0.001);
    expect(once.rows[1]!.p).toBeGreaterThan(0.05);
  });

  test('rows without any spread are no evidence unless they differ', () => {
    const rows = [Array(8).fill(0.5), Array(8).fill(0)];
    expect(testRows(given(rows, [4, 4])).rows.map(({ p }) => p)).toEqual([1, 1]);
  });

  test('says what number of JVMs can be tested', () => {
    const at = (alpha: number) => (a: number, b: number) => isTestable([a, b], alpha);
    expect([at(0.05)(3, 3), at(0.05)(3, 4), at(0.05)(4, 4), at(0.05)(2, 30)]).toEqual([false, true, true, false]);
    expect([at(0.01)(4, 4), at(0.01)(4, 5), at(0.01)(5, 5), at(0.01)(3, 5)]).toEqual([false, true, true, false]);
  });
});
