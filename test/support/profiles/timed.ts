// Profiles with response times for tests, the same times summed up naively, and both as text.
import fc from 'fast-check';
import { ProfileBuilder, ROOT_NODE } from '../../../server/cct/builder.ts';
import type { Profile } from '../../../server/cct/profile.ts';
import { eachPair } from '../../../server/cct/times.ts';
import { methodText } from './profiles.ts';

/** A call of a method by another; both have a number. Caller 0 is none. */
export type TimedCall = {
  readonly method: number;
  readonly caller: number;
  readonly window: number;
  readonly nanos: number;
};

export const WINDOWS = 4;
const START = 1_700_000_000_000;

export const timedCalls = fc.array(
  fc.record({
    method: fc.integer({ min: 1, max: 4 }),
    caller: fc.nat(4),
    window: fc.nat(WINDOWS - 1),
    nanos: fc.oneof(fc.nat(3), fc.nat(1e9), fc.maxSafeNat()),
  }),
);

/** A profile of the calls. Each is a sample of `calls` as well; methods come in the order of the first call. */
export function timedProfile(calls: readonly TimedCall[]): Profile {
  const builder = new ProfileBuilder('raw');
  const metric = builder.metric({ id: 'calls', unit: 'invocations', kind: 'exact', events: [], periodNanos: 0 });
  const row = (number: number) => (number === 0 ? 0 : builder.methods.method('a.B', `m${number}`, '()V', 0));
  for (const { method, caller, window, nanos } of calls) {
    const own = row(method);
    const thread = builder.threads.thread('main', `t${method % 2}`, false);
    builder.add(metric, builder.child(ROOT_NODE, own, 0), thread, 0, window, 1);
    builder.times.addCall(own, row(caller), window, nanos);
  }
  const windows = Array.from({ length: WINDOWS }, (_, i) => ({
    startMillis: START + i * 10_000,
    endMillis: START + (i + 1) * 10_000,
  }));
  return builder.finish(windows);
}

/** The text that `textOfTimes` writes of the calls. */
export function textOfCalls(
  calls: readonly TimedCall[],
  startOf = (window: number) => START + window * 10_000,
): string[] {
  const name = (number: number) => (number === 0 ? '[root]' : `a.B.m${number}()V`);
  const place = ({ method, caller }: TimedCall) => `${name(method)} by ${name(caller)}`;
  const rows = Map.groupBy(calls, call => `${place(call)} from ${startOf(call.window)}`);
  const sums = [...rows].map(([key, own]) => {
    const times = own.map(({ nanos }) => nanos);
    const [sum, squares] = [times.reduce((a, b) => a + b), times.reduce((a, b) => a + b * b, 0)];
    return line(key, own.length, sum, squares, Math.min(...times), Math.max(...times));
  });
  const buckets = Map.groupBy(calls, call => `${place(call)} bucket ${bucketOf(call.nanos)}`);
  return [...sums, ...[...buckets].map(([key, own]) => `${key}: ${own.length}`)].sort();
}

/** The bucket of a time by its bounds: the first whose upper bound it does not exceed. */
function bucketOf(nanos: number): number {
  if (nanos === 0) return -1;
  let bucket = 0;
  while (1.05 ** bucket < nanos * (1 - 1e-12)) bucket++;
  return bucket;
}

/** The rows and sketches of a profile's times, sorted. */
export function textOfTimes(profile: Profile): string[] {
  const { times } = profile;
  if (times === undefined) return [];
  const lines: string[] = [];
  eachPair(times, (pair, from, to) => {
    const place = `${methodText(profile, times.method[from]!)} by ${methodText(profile, times.caller[from]!)}`;
    for (let row = from; row < to; row++) {
      const start = profile.windows[times.window[row]!]!.startMillis;
      const { count, sum, squares, least, greatest } = times;
      const amounts = [count, sum, squares, least, greatest].map(column => column[row]!);
      lines.push(line(`${place} from ${start}`, ...(amounts as [number, number, number, number, number])));
    }
    const { offset, bucket, count } = times.sketches;
    for (let at = offset[pair]!; at < offset[pair + 1]!; at++)
      lines.push(`${place} bucket ${bucket[at]}: ${count[at]}`);
  });
  return lines.sort();
}

/** Sums of doubles differ in their last digits by the order of adding. */
function line(key: string, count: number, sum: number, squares: number, least: number, greatest: number): string {
  return `${key}: ${count} calls, ${sum.toPrecision(12)} ns, ${squares.toPrecision(12)}, ${least} to ${greatest}`;
}
