// Equal words of two lists: as many as the textbook's table finds, in ascending order, and none beyond the limit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalWords } from '../../../server/mapping/stale/token-runs.ts';
import { runs } from '../../support/runs.ts';

/** Length of the longest common subsequence by the textbook's table. */
function longest(a: readonly string[], b: readonly string[]): number {
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      rows[i]![j] = a[i - 1] === b[j - 1] ? rows[i - 1]![j - 1]! + 1 : Math.max(rows[i - 1]![j]!, rows[i]![j - 1]!);
  return rows[a.length]![b.length]!;
}

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });

test('as many words are equal as can be, in ascending order', () => {
  fc.assert(
    fc.property(words, words, (before, after) => {
      const partner = [...equalWords(before, after)];
      const found = partner.filter(index => index >= 0);
      expect(found.length).toBe(longest(before, after));
      expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
      partner.forEach((index, i) => {
        if (index >= 0) expect(after[index]).toBe(before[i]);
      });
    }),
    { numRuns: runs(1000) },
  );
});

test('beyond the limit only what both begin and end with is equal', () => {
  const before = ['a', 'b', 'c', 'x', 'd', 'e', 'f', 'z'];
  const after = ['a', 'g', 'h', 'x', 'i', 'j', 'k', 'z'];
  expect([...equalWords(before, after)]).toEqual([0, -1, -1, 3, -1, -1, -1, 7]);
  expect([...equalWords(before, after, 3)]).toEqual([0, -1, -1, -1, -1, -1, -1, 7]);
});
