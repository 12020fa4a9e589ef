// How long methods took from entry to exit, by caller and over time, from the response times of a profile.
import { windowTimes } from '../cct/jvms.ts';
import type { Profile, Times } from '../cct/profile.ts';
import { TimeDistribution } from '../cct/time-sketch.ts';
import { addTimes, eachPair, knowsSquares, noTimes, type TimeSums, timesAt } from '../cct/times.ts';

/** The times of some calls, each with all that it called, in nanoseconds. */
export type ResponseTimes = {
  /** Number of calls. */
  readonly count: number;
  readonly sum: number;
  readonly mean: number;
  /** Standard deviation of the single calls; null where only sums were recorded. */
  readonly deviation: number | null;
  readonly least: number;
  readonly greatest: number;
  /** A tenth of the calls took no longer; null where that is not known. */
  readonly p10: number | null;
  /** Half of the calls took no longer, right within 2.5 %; null where that is not known, as for a part of the time. */
  readonly p50: number | null;
  readonly p95: number | null;
  /** Calls a second while times were recorded, of all JVMs together; null where the recording has no length. */
  readonly perSecond: number | null;
};

export type MethodResponseTimes = ResponseTimes & {
  /** By the method that called: longest sum first. Row 0 is none, row 1 is not known. */
  readonly callers: readonly (ResponseTimes & { readonly caller: number })[];
  /** In the order of time; windows without a call are left out. */
  readonly windows: readonly WindowResponseTimes[];
};

type WindowResponseTimes = ResponseTimes & { readonly startMillis: number; readonly endMillis: number };

/** Sums of several pairs, and the sketches of pairs of which all windows are looked at. */
class Gathered {
  readonly sums: TimeSums = noTimes();
  readonly #distribution = new TimeDistribution();

  addRow(times: Times, row: number): void {
    addTimes(this.sums, timesAt(times, row));
  }

  addSketch(times: Times, pair: number): void {
    this.#distribution.add(times.sketches, pair);
  }

  result(seconds: number): ResponseTimes {
    const { count, sum, squares, least, greatest } = this.sums;
    const mean = sum / count;
    const isWhole = this.#distribution.count === count;
    const within = (q: number) => {
      const found = isWhole ? this.#distribution.quantile(q) : null;
      return found === null ? null : Math.min(Math.max(found, least), greatest);
    };
    return {
      count,
      sum,
      mean,
      deviation: knowsSquares(this.sums) ? Math.sqrt(Math.max(0, squares / count - mean * mean)) : null,
      least,
      greatest,
      p10: within(0.1),
      p50: within(0.5),
      p95: within(0.95),
      perSecond: seconds > 0 ? count / seconds : null,
    };
  }
}

class Method {
  readonly all = new Gathered();
  readonly callers = new Map<number, Gathered>();
  readonly windows = new Map<number, Gathered>();
}

/**
 * The response times of sets of methods, each taken as one method; null for a set of which none was recorded. O(rows + those of the sets).
 * @param windows one byte a window, 1 = looked at; all when absent
 */
export function responseTimesOf(
  profile: Profile,
  sets: readonly (readonly number[])[],
  windows?: Uint8Array,
): (MethodResponseTimes | null)[] {
  const reader = new ResponseTimesReader(profile, windows);
  return sets.map(set => reader.of(set));
}

/** Reads the response times of single methods out of a profile: one walk over its rows, then only those of the method. */
export class ResponseTimesReader {
  readonly #times: Times | undefined;
  readonly #table: Profile['windows'];
  readonly #windows: Uint8Array | undefined;
  /** By row of a method that was timed: its pairs, each with its rows. */
  readonly #pairs = new Map<number, Pair[]>();
  readonly #spans: Spans;

  /** @param windows one byte a window, 1 = looked at; all when absent */
  constructor({ times, windows: table }: Pick<Profile, 'times' | 'windows'>, windows?: Uint8Array) {
    this.#times = times;
    this.#table = table;
    this.#windows = windows;
    this.#spans = times === undefined ? [] : spansOf(times, table, windows);
    if (times === undefined) return;
    eachPair(times, (pair, from, to) => {
      const method = times.method[from]!;
      const own = this.#pairs.get(method);
      if (own === undefined) this.#pairs.set(method, [{ pair, from, to }]);
      else own.push({ pair, from, to });
    });
  }

  /** Rows of all methods that were timed in any window. */
  get rows(): readonly number[] {
    return [...this.#pairs.keys()];
  }

  /** Of the methods taken as one; null where none of their calls was timed in a window looked at. */
  of(methods: readonly number[]): MethodResponseTimes | null {
    if (this.#times === undefined) return null;
    const found = new Method();
    for (const method of new Set(methods))
      for (const pair of this.#pairs.get(method) ?? []) addPair(found, this.#times, pair, this.#windows);
    return found.all.sums.count === 0 ? null : resultOf(found, this.#table, this.#spans);
  }

  /** Calls `visit` for each pair of a method and its caller, with the calls in windows looked at and the sum of their times. */
  eachPair(visit: (method: number, caller: number, sums: Readonly<Pick<TimeSums, 'count' | 'sum'>>) => void): void {
    const times = this.#times;
    if (times === undefined) return;
    for (const [method, pairs] of this.#pairs)
      for (const { from, to } of pairs) {
        let [count, sum] = [0, 0];
        for (let row = from; row < to; row++) {
          if (this.#windows !== undefined && this.#windows[times.window[row]!] !== 1) continue;
          count += times.count[row]!;
          sum += times.sum[row]!;
        }
        if (count > 0) visit(method, times.caller[from]!, { count, sum });
      }
  }
}

type Pair = { readonly pair: number; readonly from: number; readonly to: number };

function addPair({ all, callers, windows }: Method, times: Times, { pair, from, to }: Pair, chosen?: Uint8Array): void {
  const ofCaller = gathered(callers, times.caller[from]!);
  let isWhole = true;
  for (let row = from; row < to; row++) {
    const window = times.window[row]!;
    if (chosen !== undefined && chosen[window] !== 1) {
      isWhole = false;
      continue;
    }
    for (const each of [all, ofCaller, gathered(windows, window)]) each.addRow(times, row);
  }
  if (!isWhole) return;
  all.addSketch(times, pair);
  ofCaller.addSketch(times, pair);
}

function gathered(known: Map<number, Gathered>, key: number): Gathered {
  let own = known.get(key);
  if (own === undefined) {
    own = new Gathered();
    known.set(key, own);
  }
  return own;
}

/** The windows that are looked at and in which any call was timed, by time; windows of several JVMs at one time are one. */
function spansOf(times: Times, table: Profile['windows'], windows?: Uint8Array) {
  const isTimed = new Uint8Array(table.length);
  for (const window of times.window) isTimed[window] = windows === undefined ? 1 : windows[window]!;
  return windowTimes(table).filter(({ from, to }) => isTimed.subarray(from, to).includes(1));
}

type Spans = ReturnType<typeof spansOf>;

function resultOf(method: Method, table: Profile['windows'], spans: Spans): MethodResponseTimes {
  const seconds = secondsOf(spans);
  const callers = [...method.callers]
    .filter(([, { sums }]) => sums.count > 0)
    .map(([caller, own]) => ({ caller, ...own.result(seconds) }))
    .sort((a, b) => b.sum - a.sum || a.caller - b.caller);
  const windows = spans.flatMap(({ startMillis, endMillis, from, to }): WindowResponseTimes[] => {
    const own = new Gathered();
    for (let row = from; row < to && row < table.length; row++) {
      const sums = method.windows.get(row)?.sums;
      if (sums !== undefined) addTimes(own.sums, sums);
    }
    const length = (endMillis - startMillis) / 1000;
    return own.sums.count === 0 ? [] : [{ startMillis, endMillis, ...own.result(length) }];
  });
  return { ...method.all.result(seconds), callers, windows };
}

/** Seconds that the spans cover, where they overlap once. */
function secondsOf(spans: Spans): number {
  let covered = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { startMillis, endMillis } of spans) {
    covered += Math.max(0, endMillis - Math.max(startMillis, until));
    until = Math.max(until, endMillis);
  }
  return covered / 1000;
}
