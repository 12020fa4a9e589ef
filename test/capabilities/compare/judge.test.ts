// Tests what a test over JVMs means: verdicts, ends of checks, and how many JVMs are missing.
import { describe, expect, test } from 'vitest';
import { decideGate, missingForTest, moreJvms, verdictOf } from '../../../server/capabilities/compare/judge.ts';
import type { PermutationTest, TestedRow } from '../../../server/capabilities/compare/permutation-test.ts';

const row = (difference: number, p: number, error = 0.002): TestedRow => ({ difference, p, error, deviation: 0.004 });
const tested = (...rows: readonly TestedRow[]): PermutationTest => ({ rows, critical: 3 });

describe('what a test means', () => {
  test('a verdict needs evidence and a difference that matters', () => {
    const verdict = (difference: number, p: number, before: number, error?: number) => {
      const each = row(difference, p, error);
      return verdictOf(tested(each), each, [before, before + difference]);
    };
    expect(verdict(0.05, 0.03, 0.1)).toBe('slower');
    expect(verdict(-0.05, 0.03, 0.1)).toBe('faster');
    // Less than a point, and surely no more.
    expect(verdict(0.003, 0.03, 0.02)).toBe('same');
    // Less than a tenth of the larger side, and perhaps more.
    expect(verdict(0.03, 0.03, 0.4, 0.01)).toBe('cannotTell');
    expect(verdict(0.05, 0.2, 0.1)).toBe('cannotTell');
    expect(verdict(0.001, 0.9, 0.1)).toBe('same');
  });

  test('a check fails by evidence, passes where growth is excluded, and else cannot tell', () => {
    expect(decideGate(tested(row(0.02, 0.5), row(0.08, 0.005), row(0.06, 0.01)), 0.05, () => true)).toEqual({
      end: 'failed',
      rows: [1, 2],
    });
    // Grown, but with too little evidence for a check.
    expect(decideGate(tested(row(0.08, 0.03)), 0.05, () => true)).toEqual({ end: 'undecided', rows: [0] });
    expect(decideGate(tested(row(0.02, 0.03), row(-0.4, 0.001)), 0.05, () => true)).toEqual({
      end: 'passed',
      rows: [],
    });
    expect(decideGate(tested(row(0.02, 0.5, 0.02)), 0.05, () => true)).toEqual({ end: 'undecided', rows: [0] });
  });

  test('says how many JVMs are missing', () => {
    expect(missingForTest([1, 1], 0.05)).toEqual([2, 3]);
    expect(missingForTest([4, 4], 0.05)).toEqual([0, 0]);
    expect(missingForTest([4, 4], 0.01).reduce((a, b) => a + b)).toBe(1);
    expect(missingForTest([0, 12], 0.01)).toEqual([3, 0]);
  });

  test('says how many more JVMs would decide', () => {
    // 2·((3 + 0.84)·0.004/0.01)² = 4.7: one more than four.
    expect(moreJvms(tested(), row(0.005, 0.5), [4, 4])).toBe(1);
    // The limit is half as far away as its own half: 2·((3.84)·0.004/0.005)² = 18.9.
    expect(moreJvms(tested(), row(0.009, 0.5), [5, 5], 0.01)).toBe(14);
  });
});
