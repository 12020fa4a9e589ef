// Tests the ends of checks: by example, against tables of the t distribution, and by simulation of equal and of slower code.
import { describe, expect, test } from 'vitest';
import { decideGate, type Gate, LOOKS } from '../../../server/capabilities/compare/gate.ts';
import type { PermutationTest, TestedRow } from '../../../server/capabilities/compare/permutation-test.ts';
import { upperPoint } from '../../../server/capabilities/compare/student.ts';
import { normals } from './normals.ts';
import { alike, endOfCheck } from './simulated-checks.ts';

const row = (difference: number, p: number, deviation = 0.004): TestedRow => ({
  difference,
  p,
  error: 0.002,
  deviation,
});
const tested = (...rows: readonly TestedRow[]): PermutationTest => ({ rows, critical: 3 });
const endOf = (rows: readonly TestedRow[], limit = 0.05): readonly [Gate['end'], number[]] => {
  const gate = decideGate(tested(...rows), [5, 5], limit, { isLooked: () => true });
  return [gate.end, gate.rows.map(each => each.row)];
};

describe('the end of a check', () => {
  test('points of the t distribution are those of tables', () => {
    for (const [level, freedom, point] of [
      [0.05, 1, 6.314],
      [0.05, 8, 1.86],
      [0.025, 18, 2.101],
      [0.01, 38, 2.429],
      [0.05, 200, 1.653],
    ] as const)
      expect(upperPoint(level, freedom)).toBeCloseTo(point, 3);
  });

  test('it fails by evidence, passes where growth is excluded, and else is undecided', () => {
    expect(endOf([row(0.02, 0.5), row(0.08, 0.005), row(0.06, 0.01)])).toEqual(['failed', [1, 2]]);
    // Grown, but with too little evidence for a check.
    expect(endOf([row(0.08, 0.03)])).toEqual(['undecided', [0]]);
    expect(endOf([row(0.02, 0.03), row(-0.4, 0.001)])).toEqual(['passed', []]);
    expect(endOf([row(0.02, 0.5, 0.04)])).toEqual(['undecided', [0]]);
  });

  test('an undecided row says what its bound does not exclude', () => {
    const [open] = decideGate(tested(row(0.02, 0.5, 0.04)), [5, 5], 0.05, { isLooked: () => true }).rows;
    expect(open!.atMost).toBeCloseTo(0.02 + 1.86 * 0.04 * Math.sqrt(2 / 5), 3);
  });
});

test('the bound of JVMs that ran in turns is by the differences within their rounds', () => {
  const given = { isLooked: () => true, roundDeviations: Float64Array.of(0.01) };
  const [open] = decideGate(tested(row(0.045, 0.5, 0.2)), [5, 5], 0.05, given).rows;
  expect(open!.atMost).toBeCloseTo(0.045 + 2.132 * 0.01 * Math.sqrt(1 / 5), 4);
});

describe('simulated JVMs', () => {
  type Simulated = { readonly rows: number; readonly growth: number; readonly looks: readonly number[] };

  function parts({ rows, growth, looks }: Simulated, count: number, isPermuted: boolean) {
    const normal = normals(rows * 1000 + looks.length);
    const check = { rows: alike(rows, { deviation: 0.03, growth }), limit: 0.05, looks };
    const ends = Array.from({ length: count }, () => endOfCheck(check, normal, isPermuted));
    return (end: Gate['end']) => ends.filter(each => each === end).length / count;
  }

  // 6.5 in a hundred pass where five are meant: three standard errors of so many tries.
  test.each([[[10]], [LOOKS]])('code that grew by just the limit passes rarely, looked at after %j', looks => {
    expect(parts({ rows: 1, growth: 0.05, looks }, 2000, false)('passed')).toBeLessThanOrEqual(0.065);
  });

  test('JVMs that ran in turns are not held up by what both of a round have in common', () => {
    const normal = normals(7);
    const passed = (growth: number, ofRounds: number, count: number) => {
      const check = { rows: alike(1, { deviation: 0.03, growth }), limit: 0.05, looks: [10], ofRounds };
      return Array.from({ length: count }, () => endOfCheck(check, normal, false)).filter(end => end === 'passed')
        .length;
    };
    expect(passed(0, 0.1, 200)).toBeGreaterThan(170);
    expect(passed(0.05, 0.1, 1000)).toBeLessThanOrEqual(70);
  });

  test('equal code passes, whatever the number of its methods', () => {
    for (const [rows, least] of [
      [1, 0.99],
      [100, 0.85],
    ] as const)
      expect(parts({ rows, growth: 0, looks: LOOKS }, 200, false)('passed')).toBeGreaterThanOrEqual(least);
  });

  test('equal code does not fail, and code that grew by twice the limit does', () => {
    expect(parts({ rows: 3, growth: 0, looks: [5, 10] }, 10, true)('failed')).toBe(0);
    expect(parts({ rows: 3, growth: 0.1, looks: [5, 10] }, 10, true)('failed')).toBeGreaterThan(0.8);
  });
});
