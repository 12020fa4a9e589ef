// Tests many rows at once for a difference between two groups of JVMs, by permuting whole JVMs.

import { noPause, type Pause } from '../../base/pause.ts';
import { randomNumbers } from '../../base/random-numbers.ts';

/** Values of rows in JVMs: row r of JVM j is values[r · jvms + j]. JVMs of the first group come first. */
type JvmValues = {
  readonly values: Float64Array;
  readonly rows: number;
  /** JVMs of each group. */
  readonly jvms: readonly [first: number, second: number];
};

/** The test result of one row. Amounts have the unit of the values. */
export type TestedRow = {
  /** Mean of the second group less mean of the first. */
  readonly difference: number;
  /** The denominator of the statistic: the pooled standard error of the difference, plus its median over the rows. */
  readonly error: number;
  /** Pooled standard deviation between JVMs of one group. */
  readonly deviation: number;
  /** Adjusted for all rows: the part of the relabellings in which the largest statistic of any row reaches that of this row. */
  readonly p: number;
};

export type PermutationTest = {
  readonly rows: readonly TestedRow[];
  /** A statistic that the largest of all rows exceeds in at most the part `ALPHA` of the relabellings. */
  readonly critical: number;
};

/** Rows without any change are reported in this part of all comparisons at most. */
export const ALPHA = 0.05;

/** All relabellings are tried where there are no more of them: as many as two groups of eight JVMs have. */
const MOST_RELABELLINGS = 12_870;
/** Else so many random ones. */
const RANDOM_RELABELLINGS = 10_000;
const SEED = 0x5eed;
/** With fewer JVMs in a group nothing is known of how JVMs differ. */
export const LEAST_JVMS = 3;

/**
 * The adjusted p of each row, by the maximum statistic of Westfall and Young (Resampling-Based Multiple Testing, 1993), which holds
 * for rows that depend on each other. The statistic is d / (s + s0) of Tusher, Tibshirani and Chu (Significance analysis of
 * microarrays, 2001): the addend s0 keeps rows with almost no spread from deciding.
 */
export function testRows(given: JvmValues, pause: Pause = noPause): PermutationTest {
  const [first, second] = given.jvms;
  const sums = sumsOf(given);
  const identity = Uint8Array.from({ length: first + second }, (_, jvm) => (jvm < first ? 1 : 0));
  const observed = statisticsOf(given, sums, identity, 0);
  const s0 = medianOf(observed.error);
  const statistics = observed.difference.map((d, row) => quotient(Math.abs(d), observed.error[row]! + s0));
  const maxima = maximaOf(given, sums, s0, pause).sort();
  const rows = Array.from(statistics, (statistic, row) => ({
    difference: observed.difference[row]!,
    error: observed.error[row]! + s0,
    deviation: observed.deviation[row]!,
    p: atLeast(maxima, statistic) / maxima.length,
  }));
  return { rows, critical: maxima[maxima.length - 1 - Math.floor(ALPHA * maxima.length)] ?? 0 };
}

/** The smallest p that a test of two groups can give: groups of one size may be exchanged without any change of the statistic. */
function leastPossibleP(first: number, second: number): number {
  const ways = relabellings(first, second);
  return (first === second ? 2 : 1) / Math.min(ways, RANDOM_RELABELLINGS);
}

/** Whether a test with a level can find anything. */
export function isTestable([first, second]: readonly [number, number], alpha: number): boolean {
  return Math.min(first, second) >= LEAST_JVMS && leastPossibleP(first, second) <= alpha;
}

/** How many ways there are to choose the first group. */
function relabellings(first: number, second: number): number {
  let ways = 1;
  for (let i = 1; i <= Math.min(first, second); i++) ways = (ways * (Math.max(first, second) + i)) / i;
  return Math.round(ways);
}

/** Per row: the sum of all values and of their squares, about the mean of the row, so that nothing is lost by cancellation. */
type Sums = { readonly centred: Float64Array; readonly squares: Float64Array };

function sumsOf({ values, rows, jvms: [first, second] }: JvmValues): Sums {
  const all = first + second;
  const centred = new Float64Array(values.length);
  const squares = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let jvm = 0; jvm < all; jvm++) sum += values[row * all + jvm]!;
    for (let jvm = 0; jvm < all; jvm++) {
      const value = values[row * all + jvm]! - sum / all;
      centred[row * all + jvm] = value;
      squares[row]! += value * value;
    }
  }
  return { centred, squares };
}

/** Per row: the difference of both means, its pooled standard error, and the pooled standard deviation. */
function statisticsOf(given: JvmValues, { centred, squares }: Sums, isFirst: Uint8Array, s0: number) {
  const { rows, jvms } = given;
  const [first, second] = jvms;
  const all = first + second;
  const columns = {
    difference: new Float64Array(rows),
    error: new Float64Array(rows),
    deviation: new Float64Array(rows),
    max: 0,
  };
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let jvm = 0; jvm < all; jvm++) if (isFirst[jvm] === 1) sum += centred[row * all + jvm]!;
    // All values about their mean have the sum 0: the second group has the sum of the first, negated.
    const within = Math.max(0, squares[row]! - (sum * sum) / first - (sum * sum) / second);
    const deviation = Math.sqrt(within / (all - 2));
    const error = deviation * Math.sqrt(1 / first + 1 / second);
    const difference = -sum / second - sum / first;
    columns.difference[row] = difference;
    columns.error[row] = error;
    columns.deviation[row] = deviation;
    columns.max = Math.max(columns.max, quotient(Math.abs(difference), error + s0));
  }
  return columns;
}

/** The largest statistic of all rows, for each relabelling. */
function maximaOf(given: JvmValues, sums: Sums, s0: number, pause: Pause): Float64Array {
  const [first, second] = given.jvms;
  const ways = relabellings(first, second);
  const count = ways <= MOST_RELABELLINGS ? ways : RANDOM_RELABELLINGS;
  const labels = ways <= MOST_RELABELLINGS ? allLabels(first, second) : randomLabels(first, second);
  const maxima = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    if (at % 64 === 0) pause();
    maxima[at] = largest(given, sums, labels.next().value!, s0);
  }
  return maxima;
}

/** The same as `statisticsOf(…).max`, without columns: it runs ten thousand times. */
function largest(
  { rows, jvms: [first, second] }: JvmValues,
  { centred, squares }: Sums,
  isFirst: Uint8Array,
  s0: number,
): number {
  const all = first + second;
  const [means, scale] = [1 / first + 1 / second, Math.sqrt((1 / first + 1 / second) / (all - 2))];
  const chosen = Int32Array.from([...isFirst.keys()].filter(jvm => isFirst[jvm] === 1));
  let most = 0;
  for (let row = 0, from = 0; row < rows; row++, from += all) {
    let sum = 0;
    for (let i = 0; i < first; i++) sum += centred[from + chosen[i]!]!;
    const within = squares[row]! - sum * sum * means;
    const error = within > 0 ? Math.sqrt(within) * scale : 0;
    const statistic = quotient(Math.abs(sum) * means, error + s0);
    if (statistic > most) most = statistic;
  }
  return most;
}

function quotient(difference: number, error: number): number {
  if (difference === 0) return 0;
  return error > 0 ? difference / error : Number.POSITIVE_INFINITY;
}

/** Every choice of the first group, the given one first. */
function* allLabels(first: number, second: number): Generator<Uint8Array, undefined> {
  const chosen = Array.from({ length: first }, (_, i) => i);
  const all = first + second;
  for (;;) {
    const isFirst = new Uint8Array(all);
    for (const jvm of chosen) isFirst[jvm] = 1;
    yield isFirst;
    let at = first - 1;
    while (at >= 0 && chosen[at] === all - first + at) at--;
    if (at < 0) return;
    chosen[at]!++;
    for (let next = at + 1; next < first; next++) chosen[next] = chosen[next - 1]! + 1;
  }
}

/** The given choice, then random ones from a fixed seed: the same question has the same answer. */
function* randomLabels(first: number, second: number): Generator<Uint8Array, undefined> {
  const isFirst = Uint8Array.from({ length: first + second }, (_, jvm) => (jvm < first ? 1 : 0));
  yield isFirst.slice();
  const random = randomNumbers(SEED);
  for (;;) {
    for (let at = isFirst.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [isFirst[at], isFirst[other]] = [isFirst[other]!, isFirst[at]!];
    }
    yield isFirst;
  }
}

function medianOf(numbers: Float64Array): number {
  const sorted = numbers.slice().sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A statistic equals another one that was computed in another order of additions. */
const ROUNDING = 1e-9;

/** How many of the sorted numbers are at least this large. */
function atLeast(sorted: Float64Array, least: number): number {
  const bound = Number.isFinite(least) ? least * (1 - ROUNDING) : Number.MAX_VALUE;
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < bound) from = middle + 1;
    else to = middle;
  }
  return sorted.length - from;
}
