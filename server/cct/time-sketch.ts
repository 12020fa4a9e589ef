// Sketches of how times are distributed (DDSketch): buckets whose bounds grow by a factor, so that quantiles have one relative error.
import type { TimeSketches } from './profile.ts';

const GAMMA = 1.05;
const LOG_GAMMA = Math.log(GAMMA);
/** Some thirty years, in nanoseconds: longer times are taken for this. */
export const LONGEST_NANOS = 1e18;
/** Holds times of 0. */
export const ZERO_BUCKET = -1;
/** Index of the bucket of the longest time. */
export const LAST_BUCKET = bucketOf(LONGEST_NANOS);

/** The bucket of a time in nanoseconds. */
export function bucketOf(nanos: number): number {
  return nanos > 0 ? Math.max(0, Math.ceil(Math.log(nanos) / LOG_GAMMA)) : ZERO_BUCKET;
}

/** A time of the bucket, in nanoseconds, that is as near to its least as to its greatest time. */
function nanosOf(bucket: number): number {
  return bucket === ZERO_BUCKET ? 0 : (2 * GAMMA ** bucket) / (GAMMA + 1);
}

/** The distribution of times, from the sketches of any number of pairs. */
export class TimeDistribution {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  /** How many times it was made of. */
  get count(): number {
    return this.#count;
  }

  /** Adds the sketch of a pair. */
  add({ offset, bucket, count }: TimeSketches, pair: number): void {
    for (let row = offset[pair]!; row < offset[pair + 1]!; row++) this.#take(bucket[row]!, count[row]!);
  }

  #take(bucket: number, count: number): void {
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + count);
    this.#count += count;
  }

  /** The time, in nanoseconds and right within 2.5 %, that a part `q` of 0 to 1 of all times do not exceed; null where there are none. */
  quantile(q: number): number | null {
    const rank = q * (this.#count - 1);
    let before = 0;
    let last: number | null = null;
    for (const [bucket, count] of [...this.#buckets].sort((a, b) => a[0] - b[0])) {
      last = nanosOf(bucket);
      before += count;
      if (before > rank) break;
    }
    return last;
  }
}
