// Checks that whatever a builder is given, the profile keeps its invariants and names stay within their limit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProfileBuilder, ROOT_NODE } from '../../server/cct/builder.ts';
import { LONGEST_TEXT, shortened } from '../../server/cct/limits.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { ALLOCATION, CPU } from '../support/profiles/profiles.ts';

const WINDOWS = [{ startMillis: 0, endMillis: 1 }];

test('amounts of any size and sign stay countable, also merged', () => {
  const amount = fc.oneof(fc.double(), fc.constantFrom(1e200, Number.MAX_VALUE, Number.NaN, -1, 0, 7));
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, amount, amount), { minLength: 1, maxLength: 5 }), amounts => {
      const builder = new ProfileBuilder('raw');
      for (const metric of [CPU, ALLOCATION]) builder.metric(metric);
      for (const [count, weight, squares] of amounts) {
        builder.add(0, ROOT_NODE, builder.threads.thread('', 't', false), 0, 0, count);
        builder.add(1, ROOT_NODE, 0, 1, 0, count, weight);
        builder.add(1, ROOT_NODE, 0, 1, 0, count, weight, squares);
      }
      const profile = builder.finish(WINDOWS);
      assertProfile(profile);
      assertProfile(mergeProfiles([profile, profile, profile]));
    }),
  );
});

test('ordinary amounts are left alone', () => {
  const builder = new ProfileBuilder('raw');
  builder.metric(ALLOCATION);
  builder.add(0, ROOT_NODE, builder.threads.thread('', 't', false), 0, 0, 2, 2 ** 60, 2 ** 119);
  const { count, weight, weightSquares } = builder.finish(WINDOWS).cells[0]!;
  expect([count[0], weight[0], weightSquares![0]]).toEqual([2, 2 ** 60, 2 ** 119]);
});

test('names that are too long are shortened', () => {
  const long = 'x'.repeat(300_000);
  const builder = new ProfileBuilder('raw');
  const row = builder.methods.method(long, `${long}y`, long, 0);
  expect(builder.methods.method(long, `${long}y`, long, 0)).toBe(row);
  builder.threads.thread(long, long, false);
  const { methods, threads } = builder.finish([]);
  const kept = `${'x'.repeat(LONGEST_TEXT - 1)}…`;
  expect(methods.strings.at(-1)).toBe(kept);
  expect([threads.group, threads.name]).toEqual([[kept], [kept]]);
});

test('a name is never shortened inside a character', () => {
  for (const before of [0, 1]) {
    const text = shortened('a'.repeat(before) + '😀'.repeat(LONGEST_TEXT));
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeGreaterThanOrEqual(LONGEST_TEXT - 1);
    expect(text.length).toBeLessThanOrEqual(LONGEST_TEXT);
  }
  expect(shortened('a'.repeat(LONGEST_TEXT))).toHaveLength(LONGEST_TEXT);
});
