// Tests what a test over JVMs means: verdicts, and how many JVMs are missing.
import { describe, expect, test } from 'vitest';
import { missingForTest, verdictOf } from '../../../server/capabilities/compare/judge.ts';
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

  test('says how many JVMs are missing', () => {
    expect(missingForTest([1, 1], 0.05)).toEqual([2, 3]);
    expect(missingForTest([4, 4], 0.05)).toEqual([0, 0]);
    expect(missingForTest([4, 4], 0.01).reduce((a, b) => a + b)).toBe(1);
    expect(missingForTest([0, 12], 0.01)).toEqual([3, 0]);
  });
});
