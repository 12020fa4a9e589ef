// Tests that lines of two texts stand beside each other in their order, each once, with as many equal ones as there can be.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignLines } from '../../../server/features/text/align-lines.ts';

const lines = fc.array(fc.constantFrom('a', 'b', ' c', '{', ''), { maxLength: 9 });

/** The longest common subsequence, by trying everything. */
function longest(one: readonly string[], other: readonly string[]): number {
  const [first, ...rest] = one;
  if (first === undefined) return 0;
  const at = other.indexOf(first);
  const without = longest(rest, other);
  return at < 0 ? without : Math.max(without, 1 + longest(rest, other.slice(at + 1)));
}

test('every line stands once, in order, and no more equal lines could stand beside each other', () => {
  fc.assert(
    fc.property(lines, lines, (before, now) => {
      const pairs = alignLines(before, now);
      const numbers = (side: 'before' | 'now') => pairs.flatMap(pair => pair[side] ?? []);
      expect(numbers('before')).toEqual(before.map((_, at) => at));
      expect(numbers('now')).toEqual(now.map((_, at) => at));
      const same = pairs.filter(pair => pair.same);
      for (const pair of same) expect(before[pair.before!]!.trim()).toBe(now[pair.now!]!.trim());
      const trimmed = [before, now].map(each => each.map(line => line.trim())) as [string[], string[]];
      expect(same.length).toBe(longest(...trimmed));
    }),
  );
});

test('a changed line stands beside what it was', () => {
  expect(alignLines(['{', 'return 1;', '}'], ['{', 'log();', 'return 2;', '}'])).toEqual([
    { before: 0, now: 0, same: true },
    { before: 1, now: 1, same: false },
    { before: null, now: 2, same: false },
    { before: 2, now: 3, same: true },
  ]);
});
