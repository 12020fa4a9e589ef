// Response times of a profile: how long methods took from entry to exit, by caller and window, and sketches of their distributions.
import { clamped } from './limits.ts';
import { PARTIAL_METHOD, type Times } from './profile.ts';
import { sharedFloat64, sharedInt32 } from './shared-columns.ts';
import { bucketOf, LAST_BUCKET, LONGEST_NANOS, ZERO_BUCKET } from './time-sketch.ts';

/** A pair of rows as one number: more methods than this do not fit into memory. */
const PAIR_FACTOR = 2 ** 26;

/** The sums of several response times. */
export type TimeSums = {
  count: number;
  sum: number;
  squares: number;
  least: number;
  greatest: number;
};

/** The sums of no times. */
export function noTimes(): TimeSums {
  return { count: 0, sum: 0, squares: 0, least: Number.POSITIVE_INFINITY, greatest: 0 };
}

/** Whether the squares of times are known, and so how much these differ. */
export function knowsSquares({ sum, squares }: Pick<TimeSums, 'sum' | 'squares'>): boolean {
  return sum === 0 || squares > 0;
}

/** Adds times to others; the squares of all are known where the squares of both are. */
export function addTimes(to: TimeSums, more: Readonly<TimeSums>): void {
  const known = knowsSquares(to) && knowsSquares(more);
  to.count += more.count;
  to.sum += more.sum;
  to.squares = known ? to.squares + more.squares : 0;
  to.least = Math.min(to.least, more.least);
  to.greatest = Math.max(to.greatest, more.greatest);
}

/** The sums of a row. */
export function timesAt({ count, sum, squares, least, greatest }: Times, row: number): TimeSums {
  return {
    count: count[row]!,
    sum: sum[row]!,
    squares: squares[row]!,
    least: least[row]!,
    greatest: greatest[row]!,
  };
}

/** Calls `visit` for each pair with its number and its rows, `from` to `to`. */
export function eachPair(times: Times, visit: (pair: number, from: number, to: number) => void): void {
  for (let pair = 0, from = 0; from < times.length; pair++) {
    let to = from + 1;
    while (to < times.length && isSamePair(times, from, to)) to++;
    visit(pair, from, to);
    from = to;
  }
}

function isSamePair({ method, caller }: Pick<Times, 'method' | 'caller'>, a: number, b: number): boolean {
  return method[a] === method[b] && caller[a] === caller[b];
}

type GrowingPair = {
  readonly method: number;
  readonly caller: number;
  readonly windows: Map<number, TimeSums>;
  readonly buckets: Map<number, number>;
};

/** Gathers times call by call, or from other profiles. Rows of methods and windows are those of the profile that grows. */
export class GrowingTimes {
  readonly #pairs = new Map<number, GrowingPair>();
  #rows = 0;
  #buckets = 0;

  /** Number of rows so far. */
  get length(): number {
    return this.#rows;
  }

  /** Number of buckets so far, over all sketches. */
  get bucketCount(): number {
    return this.#buckets;
  }

  /** Adds one call that took `nanos`. */
  addCall(method: number, caller: number, window: number, nanos: number): void {
    const time = clamped(nanos, LONGEST_NANOS);
    const pair = this.#pair(method, caller);
    this.#addBucket(pair, bucketOf(time), 1);
    this.#addSums(pair, window, { count: 1, sum: time, squares: time * time, least: time, greatest: time });
  }

  /** Adds calls of which only the sums are known; their squares are not. */
  addSums(method: number, caller: number, window: number, sums: Omit<TimeSums, 'squares'>): void {
    if (!(sums.count >= 1)) return;
    const sum = clamped(sums.sum, LONGEST_NANOS);
    const greatest = clamped(sums.greatest, LONGEST_NANOS);
    const least = Math.min(clamped(sums.least, LONGEST_NANOS), greatest);
    this.#addSums(this.#pair(method, caller), window, { count: sums.count, sum, squares: 0, least, greatest });
  }

  /** Adds all times of another profile, whose methods and windows have these rows here. */
  addAll(times: Times, methods: Int32Array, windows: Int32Array): void {
    const { sketches } = times;
    eachPair(times, (number, from, to) => {
      const pair = this.#pair(methods[times.method[from]!]!, methods[times.caller[from]!]!);
      for (let row = from; row < to; row++) this.#addSums(pair, windows[times.window[row]!]!, timesAt(times, row));
      for (let row = sketches.offset[number]!; row < sketches.offset[number + 1]!; row++)
        this.#addBucket(pair, sketches.bucket[row]!, sketches.count[row]!);
    });
  }

  #pair(method: number, caller: number): GrowingPair {
    const key = method * PAIR_FACTOR + caller;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    const pair = { method, caller, windows: new Map(), buckets: new Map() };
    this.#pairs.set(key, pair);
    return pair;
  }

  #addSums({ windows }: GrowingPair, window: number, sums: TimeSums): void {
    const known = windows.get(window);
    if (known !== undefined) {
      addTimes(known, sums);
      return;
    }
    windows.set(window, { ...sums });
    this.#rows++;
  }

  #addBucket({ buckets }: GrowingPair, bucket: number, count: number): void {
    const known = buckets.get(bucket);
    if (known === undefined) this.#buckets++;
    buckets.set(bucket, (known ?? 0) + count);
  }

  /** The times as columns in shared memory, undefined where there are none. `windowRows` gives each window number its row. */
  finish(windowRows?: Int32Array): Times | undefined {
    if (this.#rows === 0) return undefined;
    const pairs = [...this.#pairs.values()].sort((a, b) => a.method - b.method || a.caller - b.caller);
    const times = timeColumns(this.#rows, pairs.length, this.#buckets);
    const { sketches } = times;
    let row = 0;
    let at = 0;
    for (const [number, { method, caller, windows, buckets }] of pairs.entries()) {
      const rows = [...windows].map(([window, sums]) => [windowRows?.[window] ?? window, sums] as const);
      for (const [window, sums] of rows.sort((a, b) => a[0] - b[0])) {
        times.method[row] = method;
        times.caller[row] = caller;
        times.window[row] = window;
        times.count[row] = sums.count;
        times.sum[row] = sums.sum;
        times.squares[row] = sums.squares;
        times.least[row] = sums.least;
        times.greatest[row] = sums.greatest;
        row++;
      }
      for (const [bucket, count] of [...buckets].sort((a, b) => a[0] - b[0])) {
        sketches.bucket[at] = bucket;
        sketches.count[at] = count;
        at++;
      }
      sketches.offset[number + 1] = at;
    }
    return times;
  }
}

function timeColumns(length: number, pairs: number, buckets: number): Times {
  return {
    length,
    method: sharedInt32(length),
    caller: sharedInt32(length),
    window: sharedInt32(length),
    count: sharedFloat64(length),
    sum: sharedFloat64(length),
    squares: sharedFloat64(length),
    least: sharedFloat64(length),
    greatest: sharedFloat64(length),
    sketches: { offset: sharedInt32(pairs + 1), bucket: sharedInt32(buckets), count: sharedFloat64(buckets) },
  };
}

/** The same times with other rows of methods and windows; times of the same place become one. */
export function moveTimes(times: Times | undefined, methods: Int32Array, windows: Int32Array): Times | undefined {
  if (times === undefined) return undefined;
  const moved = new GrowingTimes();
  moved.addAll(times, methods, windows);
  return moved.finish();
}

/** The rows from 0 on, each of which stays what it is. */
export function sameRows(length: number): Int32Array {
  return Int32Array.from({ length }, (_, row) => row);
}

/**
 * The times of the windows for which `isWanted` is true.
 * @param sketches A sketch is over all windows of its pair. `shared`: it goes with the pair's last window, so that parts of a profile
 *   that share out its windows hold each time once. `whole`: it is kept where all windows of its pair are wanted.
 */
export function takeTimes(
  times: Times | undefined,
  isWanted: (window: number) => boolean,
  sketches: 'shared' | 'whole',
): Times | undefined {
  if (times === undefined) return undefined;
  const rows: number[] = [];
  const pairs: { readonly from: number; readonly to: number }[] = [];
  eachPair(times, (pair, from, to) => {
    const before = rows.length;
    for (let row = from; row < to; row++) if (isWanted(times.window[row]!)) rows.push(row);
    if (rows.length === before) return;
    const { offset } = times.sketches;
    const hasSketch = sketches === 'shared' ? isWanted(times.window[to - 1]!) : rows.length - before === to - from;
    pairs.push({ from: offset[pair]!, to: hasSketch ? offset[pair + 1]! : offset[pair]! });
  });
  if (rows.length === 0) return undefined;
  const taken = timeColumns(
    rows.length,
    pairs.length,
    pairs.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  for (const name of TIME_COLUMNS) for (const [at, row] of rows.entries()) taken[name][at] = times[name][row]!;
  const { offset, bucket, count } = taken.sketches;
  for (const [pair, { from, to }] of pairs.entries()) {
    const at = offset[pair]!;
    bucket.set(times.sketches.bucket.subarray(from, to), at);
    count.set(times.sketches.count.subarray(from, to), at);
    offset[pair + 1] = at + to - from;
  }
  return taken;
}

/** Names of the columns that have a value for each row. */
export const TIME_COLUMNS = [
  'method',
  'caller',
  'window',
  'count',
  'sum',
  'squares',
  'least',
  'greatest',
] as const satisfies readonly (keyof Times)[];

/** Where times break a rule that `Times` states. */
type TimesFlaw = { readonly column: string; readonly row: number; readonly message: string };

/** The first row that breaks a rule of `Times`, or null. Assumes columns of the lengths that they state. */
export function findTimesFlaw(times: Times, methods: number, windows: number): TimesFlaw | null {
  const { length, method, caller, window, count, sum, squares, least, greatest } = times;
  const isAmount = (value: number) => value >= 0 && value < Number.POSITIVE_INFINITY;
  for (let row = 0; row < length; row++) {
    const flaw = (column: string, message: string): TimesFlaw => ({ column: `times.${column}`, row, message });
    if (!(method[row]! > PARTIAL_METHOD && method[row]! < methods)) return flaw('method', 'is no method of its table');
    if (!(caller[row]! >= 0 && caller[row]! < methods)) return flaw('caller', 'points outside its table');
    if (!(window[row]! >= 0 && window[row]! < windows)) return flaw('window', 'points outside its table');
    if (!(Number.isInteger(count[row]!) && count[row]! >= 1)) return flaw('count', 'is no number of calls');
    if (!isAmount(sum[row]!)) return flaw('sum', 'is no time');
    if (!isAmount(squares[row]!)) return flaw('squares', 'is no sum of squares');
    if (!isAmount(least[row]!)) return flaw('least', 'is no time');
    if (!(isAmount(greatest[row]!) && greatest[row]! >= least[row]!)) return flaw('greatest', 'is below the least');
    if (row === 0) continue;
    const order = method[row]! - method[row - 1]! || caller[row]! - caller[row - 1]! || window[row]! - window[row - 1]!;
    if (order <= 0) return flaw('method', 'is not in order');
  }
  return findSketchFlaw(times);
}

function findSketchFlaw(times: Times): TimesFlaw | null {
  const { offset, bucket, count } = times.sketches;
  let pairs = 0;
  let found: TimesFlaw | null = null;
  eachPair(times, pair => {
    pairs++;
    for (let row = offset[pair]!; row < offset[pair + 1]!; row++) {
      const flaw = (message: string) => {
        found ??= { column: 'times.sketches', row, message };
      };
      if (!(bucket[row]! >= ZERO_BUCKET && bucket[row]! <= LAST_BUCKET)) flaw('is no bucket');
      if (row > offset[pair]! && bucket[row]! <= bucket[row - 1]!) flaw('is not in order');
      if (!(Number.isInteger(count[row]!) && count[row]! >= 1)) flaw('has no number of calls');
    }
  });
  return (
    found ?? (offset.length === pairs + 1 ? null : { column: 'times.sketches', row: pairs, message: 'is no pair' })
  );
}
