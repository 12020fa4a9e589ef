// Tests rows of JVMs of versions in a row for a change from some version on, by permuting whole JVMs within the rounds that they ran in.
import { randomNumbers } from '../../base/random-numbers.ts';
import { ALPHA } from './permutation-test.ts';
import { upperPoint } from './student.ts';

/** Row r of JVM j is values[r · jvms + j]; JVMs stand in the order of their versions. */
type OrderedValues = {
  readonly values: Float64Array;
  readonly rows: number;
  /** The round of each JVM. Differences between rounds come from the machine, and are no change. */
  readonly rounds: readonly number[];
  /** The first JVMs of the versions that a change may begin with, ascending. */
  readonly places: readonly number[];
};

/** A row from a place on. Amounts have the unit of the values. */
export type PlacedRow = {
  /** One of `places`. */
  readonly place: number;
  readonly row: number;
  /** The mean within the rounds from the place on, less the mean before it. */
  readonly difference: number;
  /** The standard error of the difference, plus its median over rows and places. */
  readonly error: number;
  readonly statistic: number;
  /** The part of the relabellings in which the largest statistic of any row at any place reaches this one. */
  readonly p: number;
};

type PlacesTest = {
  /** All rows at all places. */
  readonly tested: readonly PlacedRow[];
  /** A statistic that the largest one of all rows and places exceeds in at most the part `ALPHA` of the relabellings. */
  readonly critical: number;
};

/** The confidence of intervals. */
const INTERVAL = 0.95;
const RELABELLINGS = 2_000;
/** A p is known well enough where so many relabellings are expected to reach its statistic. */
const PER_PART = 5;
const SEED = 0x5eed;
/** Two statistics are equal within this part, since their additions had different orders. */
const ROUNDING = 1e-9;

/**
 * The adjusted p of each row at each place, by the maximum statistic (Westfall and Young, 1993) over both: neighbouring places have
 * almost the same JVMs on both sides, and rows are parts of one whole, so that a correction for their number would be far too strict.
 * The statistic is d / (s + s0) as in `testRows`, with a mean of its own for each round. Places are those of `toldPlaces`.
 *
 * @param alpha the part that a p is compared with: of a family of several tests a smaller one, which takes more relabellings where few of the
 * first ones reach the clearest statistic
 */
export function testPlaces(given: OrderedValues, alpha: number = ALPHA): PlacesTest {
  const { rows, rounds, places } = given;
  const jvms = rounds.length;
  const blocks = blocksOf(rounds);
  const free = freedomOf(blocks);
  const weights = places.map(place => weightOf(blocks, place));
  const { centred, squares } = centredBy(given, blocks);
  const order = Int32Array.from({ length: jvms }, (_, jvm) => jvm);
  const sums = new Float64Array(places.length);
  const observed: Omit<PlacedRow, 'statistic' | 'p'>[] = [];
  for (let row = 0; row < rows; row++) {
    sumFrom(centred, row * jvms, order, places, sums);
    for (const [place, sum] of sums.entries())
      observed.push({
        place,
        row,
        difference: sum / weights[place]!,
        error: errorOf(squares[row]!, sum, weights[place]!, free),
      });
  }
  const s0 = medianOf(observed.map(({ error }) => error));
  const random = randomNumbers(SEED);
  const statisticOf = (difference: number, error: number) => quotient(Math.abs(difference), error + s0);
  const clearest = observed.reduce((most, { difference, error }) => Math.max(most, statisticOf(difference, error)), 0);
  const maxima: number[] = [];
  const isDecided = (): boolean => {
    if (maxima.length < RELABELLINGS) return false;
    if (maxima.length >= PER_PART / alpha) return true;
    return maxima.length === RELABELLINGS && maxima.filter(most => reaches(most, clearest)).length > PER_PART;
  };
  for (let at = 0; !isDecided(); at++) {
    // The first labelling is the given one.
    if (at > 0) for (const block of blocks) shuffle(order, block, random);
    let most = 0;
    for (let row = 0; row < rows; row++) {
      sumFrom(centred, row * jvms, order, places, sums);
      for (let place = 0; place < sums.length; place++) {
        const sum = sums[place]!;
        const error = errorOf(squares[row]!, sum, weights[place]!, free);
        const statistic = statisticOf(sum / weights[place]!, error);
        if (statistic > most) most = statistic;
      }
    }
    maxima.push(most);
  }
  maxima.sort((a, b) => a - b);
  const tested = observed.map(({ difference, error, ...at }) => {
    const statistic = statisticOf(difference, error);
    const reached = maxima.length - maxima.findIndex(most => reaches(most, statistic));
    return { ...at, difference, error: error + s0, statistic, p: reached / maxima.length };
  });
  return { tested, critical: maxima[maxima.length - 1 - Math.floor(ALPHA * maxima.length)]! };
}

function reaches(most: number, statistic: number): boolean {
  return most >= statistic * (1 - ROUNDING);
}

/** The places that rounds tell a change at: some round has JVMs on both sides, and values are left for an error. */
export function toldPlaces(rounds: readonly number[], places: readonly number[]): number[] {
  const blocks = blocksOf(rounds);
  return freedomOf(blocks) < 1 ? [] : places.filter(place => weightOf(blocks, place) > 0);
}

/** The difference of one row at a place: in 95 % of the cases, the true one is between `difference` − margin and `difference` + margin. */
export type Difference = { readonly difference: number; readonly margin: number };

/** The difference of one row of values at a place, within the rounds; null where they do not tell it. */
export function differenceAt(values: readonly number[], rounds: readonly number[], place: number): Difference | null {
  const blocks = blocksOf(rounds);
  const [weight, free] = [weightOf(blocks, place), freedomOf(blocks)];
  if (weight === 0 || free < 1) return null;
  const { centred, squares } = centredBy({ values: Float64Array.from(values), rows: 1, rounds, places: [] }, blocks);
  const sum = centred.subarray(place).reduce((sum, each) => sum + each, 0);
  const error = errorOf(squares[0]!, sum, weight, free);
  return { difference: sum / weight, margin: upperPoint((1 - INTERVAL) / 2, free) * error };
}

/** JVMs of each round; a round of one JVM tells no difference. */
function blocksOf(rounds: readonly number[]): number[][] {
  return [...Map.groupBy(rounds.keys(), jvm => rounds[jvm]!).values()].filter(block => block.length > 1);
}

/** Degrees of freedom: values less the means of rounds and one difference. */
function freedomOf(blocks: readonly (readonly number[])[]): number {
  return blocks.reduce((sum, block) => sum + block.length - 1, -1);
}

/** The standard error of the difference sum ÷ weight. @param squares sum of the squared values of the row, less the means of rounds */
function errorOf(squares: number, sum: number, weight: number, free: number): number {
  return Math.sqrt(Math.max(0, squares - sum ** 2 / weight) / free / weight);
}

/** How much the rounds tell of a difference at a place: the reciprocal of its variance, where one JVM has the variance 1. */
function weightOf(blocks: readonly (readonly number[])[], place: number): number {
  return blocks.reduce((sum, block) => {
    const before = block.filter(jvm => jvm < place).length;
    return sum + (before * (block.length - before)) / block.length;
  }, 0);
}

/** Values less the mean of their round, 0 where a JVM is alone in its round; and the sum of their squares by row. */
function centredBy({ values, rows, rounds }: OrderedValues, blocks: readonly (readonly number[])[]) {
  const jvms = rounds.length;
  const centred = new Float64Array(values.length);
  const squares = new Float64Array(rows);
  for (let row = 0; row < rows; row++)
    for (const block of blocks) {
      const mean = block.reduce((sum, jvm) => sum + values[row * jvms + jvm]!, 0) / block.length;
      for (const jvm of block) {
        const value = values[row * jvms + jvm]! - mean;
        centred[row * jvms + jvm] = value;
        squares[row]! += value * value;
      }
    }
  return { centred, squares };
}

/** The sum of a row's values from each place on, in an order of its JVMs. */
function sumFrom(
  centred: Float64Array,
  from: number,
  order: Int32Array,
  places: readonly number[],
  sums: Float64Array,
): void {
  let [sum, jvm] = [0, order.length];
  for (let place = places.length - 1; place >= 0; place--) {
    for (const first = places[place]!; jvm > first; ) sum += centred[from + order[--jvm]!]!;
    sums[place] = sum;
  }
}

function shuffle(order: Int32Array, block: readonly number[], random: () => number): void {
  for (let last = block.length - 1; last > 0; last--) {
    const [one, other] = [block[last]!, block[Math.floor(random() * (last + 1))]!];
    [order[one], order[other]] = [order[other]!, order[one]!];
  }
}

function quotient(difference: number, error: number): number {
  if (difference === 0) return 0;
  return error > 0 ? difference / error : Number.MAX_VALUE;
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
