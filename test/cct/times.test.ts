// Checks response times against naive sums: merging in every order, pruning, splitting, coarsening, storing and redacting.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GrowingMerge } from '../../server/cct/growing-merge.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { pruneProfile } from '../../server/cct/prune.ts';
import { GrowingTimes } from '../../server/cct/times.ts';
import { redactProfile } from '../../server/record/redact.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { coarsenWindows } from '../../server/store/coarsen.ts';
import { splitSnapshot } from '../../server/store/split.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { textOfCalls, textOfTimes, timedCalls, timedProfile } from '../support/profiles/timed.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

function expectTimes(profile: Profile, expected: readonly string[]): void {
  assertProfile(profile);
  expect(textOfTimes(profile)).toEqual(expected);
}

describe('times of calls', () => {
  test('come to their sums by method, caller and window, and one sketch for each method and caller', () => {
    fc.assert(fc.property(timedCalls, calls => expectTimes(timedProfile(calls), textOfCalls(calls))));
  });

  test('of several profiles merge as if they were of one, in every order and grouping', () => {
    fc.assert(
      fc.property(timedCalls, timedCalls, timedCalls, (...lists) => {
        const [a, b, c] = lists.map(timedProfile) as [Profile, Profile, Profile];
        const expected = textOfCalls(lists.flat());
        expectTimes(mergeProfiles([a, b, c]), expected);
        expectTimes(mergeProfiles([mergeProfiles([c, a]), b]), expected);
        const growing = new GrowingMerge();
        for (const each of [b, c, a]) growing.add(each);
        expectTimes(growing.finish(), expected);
      }),
    );
  });

  test('come back from a snapshot', () => {
    fc.assert(
      fc.property(timedCalls, calls => {
        const { value, problems } = decodeSnapshot(encodeSnapshot(snapshotOf(timedProfile(calls))));
        expect(problems).toEqual([]);
        expectTimes(value!.profile, textOfCalls(calls));
      }),
    );
  });

  test('keep their methods where no sample does', () => {
    const profile = timedProfile([{ method: 2, caller: 1, window: 0, nanos: 7 }]);
    expectTimes(pruneProfile({ ...profile, metrics: [], cells: [] }), textOfTimes(profile));
  });

  test('are shared out by a split, each once', () => {
    fc.assert(
      fc.property(timedCalls, calls => {
        const snapshot = snapshotOf(timedProfile(calls));
        const size = encodeSnapshot(snapshot).length;
        const parts = splitSnapshot(snapshot, size - 1);
        if (parts === null) return;
        for (const { profile } of parts) assertProfile(profile);
        expectTimes(mergeProfiles(parts.map(({ profile }) => profile)), textOfCalls(calls));
      }),
    );
  });

  test('of joined windows are added up', () => {
    fc.assert(
      fc.property(timedCalls, calls => {
        const joined = coarsenWindows(timedProfile(calls), 20_000);
        const startOf = (window: number) => 1_700_000_000_000 + Math.floor(window / 2) * 20_000;
        expectTimes(joined, textOfCalls(calls, startOf));
      }),
    );
  });

  test('get the names that may be told', () => {
    const calls = [
      { method: 1, caller: 2, window: 0, nanos: 5 },
      { method: 3, caller: 2, window: 0, nanos: 7 },
    ];
    const redacted = redactProfile(timedProfile(calls), { pattern: /m[13]/g, threads: 'all' });
    expect(textOfTimes(redacted).filter(text => text.includes('from'))).toEqual([
      'a.B.redacted()V by a.B.m2()V from 1700000000000: 2 calls, 12.0000000000 ns, 74.0000000000, 5 to 7',
    ]);
  });
});

test('times of which only sums are known leave squares and sketch unknown, whatever is added', () => {
  const sums = { count: 3, sum: 30, least: 5, greatest: 15 };
  const orders = [
    (times: GrowingTimes) => {
      times.addSums(2, 1, 0, sums);
      times.addCall(2, 1, 0, 10);
    },
    (times: GrowingTimes) => {
      times.addCall(2, 1, 0, 10);
      times.addSums(2, 1, 0, sums);
    },
  ];
  for (const add of orders) {
    const growing = new GrowingTimes();
    add(growing);
    const { count, sum, squares, least, greatest, sketches } = growing.finish()!;
    expect([count, sum, squares, least, greatest].map(([value]) => value)).toEqual([4, 40, 0, 5, 15]);
    expect([...sketches.count]).toEqual([1]);
  }
});

test('times that are none are clamped', () => {
  const growing = new GrowingTimes();
  for (const nanos of [-1, Number.NaN, Number.POSITIVE_INFINITY]) growing.addCall(2, 0, 0, nanos);
  const { least, greatest, sum, squares } = growing.finish()!;
  expect([least[0], greatest[0], sum[0], squares[0]]).toEqual([0, 1e18, 1e18, 1e36]);
});
