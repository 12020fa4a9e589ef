// Response times of sets of methods against sums over the single calls, and quantiles against sorted lists.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeProfiles } from '../../server/cct/merge.ts';
import { responseTimesOf } from '../../server/metrics/response-times.ts';
import { methodRows } from '../support/profiles/profiles.ts';
import { type TimedCall, timedCalls, timedProfile, WINDOWS } from '../support/profiles/timed.ts';

const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** Compares with a sorted list of times: the quantile of a sorted list is the element of that rank. */
function expectTimes(
  found: NonNullable<ReturnType<typeof responseTimesOf>[number]>,
  calls: readonly TimedCall[],
): void {
  const times = calls.map(({ nanos }) => nanos).sort((a, b) => a - b);
  expect(found.count).toBe(times.length);
  expect(found.mean / Math.max(1, mean(times))).toBeCloseTo(mean(times) / Math.max(1, mean(times)), 9);
  expect([found.least, found.greatest]).toEqual([times[0], times.at(-1)]);
  for (const [q, quantile] of [
    [0.5, found.p50],
    [0.95, found.p95],
  ] as const) {
    const exact = times[Math.floor(q * (times.length - 1))]!;
    expect(Math.abs(quantile! - exact)).toBeLessThanOrEqual(0.025 * exact);
  }
  const deviation = Math.sqrt(mean(times.map(each => (each - mean(times)) ** 2)));
  expect(Math.abs(found.deviation! - deviation)).toBeLessThanOrEqual(1e-6 * Math.max(1, times.at(-1)!));
}

test('sets of methods have the sums, quantiles and callers of their calls', () => {
  fc.assert(
    fc.property(timedCalls, fc.subarray([1, 2, 3, 4], { minLength: 1 }), fc.boolean(), (calls, methods, isMerged) => {
      const half = calls.length >> 1;
      const parts = isMerged ? [calls.slice(0, half), calls.slice(half)] : [calls];
      const profile = mergeProfiles(parts.map(timedProfile));
      const rows = methodRows(profile);
      const rowOf = (method: number) => (method === 0 ? 0 : rows.get(`a.B.m${method}()V`));
      const own = calls.filter(({ method }) => methods.includes(method));
      const set = methods.flatMap(method => rowOf(method) ?? []);
      const [found = null] = responseTimesOf(profile, [set]);
      if (own.length === 0) {
        expect(found).toBe(null);
        return;
      }
      expectTimes(found!, own);
      const callers = Map.groupBy(own, ({ caller }) => rowOf(caller)!);
      expect(new Set(found!.callers.map(({ caller }) => caller))).toEqual(new Set(callers.keys()));
      for (const of of found!.callers) expectTimes({ ...of, callers: [], windows: [] }, callers.get(of.caller)!);
      const windows = Map.groupBy(own, ({ window }) => 1_700_000_000_000 + window * 10_000);
      expect(found!.windows.map(({ startMillis, count }) => [startMillis, count])).toEqual(
        [...windows].map(([start, of]) => [start, of.length]).sort((a, b) => a[0]! - b[0]!),
      );
      const timed = new Set(calls.map(({ window }) => window)).size * 10;
      expect(found!.perSecond).toBeCloseTo(own.length / timed, 9);
      for (const window of found!.windows) expect(window.perSecond).toBeCloseTo(window.count / 10, 9);
    }),
  );
});

test('of some windows the sums are known, and quantiles only where all calls lie in them', () => {
  const call = (method: number, window: number, nanos: number): TimedCall => ({ method, caller: 0, window, nanos });
  const profile = timedProfile([call(1, 0, 10), call(1, 2, 30), call(2, 0, 7)]);
  const chosen = Uint8Array.from({ length: WINDOWS }, (_, window) => (window === 0 ? 1 : 0));
  const [one, two] = responseTimesOf(profile, [[2], [3]], chosen);
  expect(one).toMatchObject({ count: 1, mean: 10, greatest: 10, p50: null, p95: null, perSecond: 0.1 });
  expect(two).toMatchObject({ count: 1, mean: 7, p50: 7, p95: 7 });
});

test('without response times there are none', () => {
  const { times: _, ...profile } = timedProfile([{ method: 1, caller: 0, window: 0, nanos: 5 }]);
  expect(responseTimesOf(profile, [[2], []])).toEqual([null, null]);
});
