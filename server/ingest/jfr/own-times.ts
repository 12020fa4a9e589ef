// Takes the time of nested calls out of the time of the calls around them, so that times add up along the tree.
import type { Key } from './cursor.ts';
import type { Samples } from './samples.ts';

/** More finished calls than these are not kept for a call around them that may end in a later chunk. */
const MAX_KEPT = 100_000;

/** One call of a thread. */
type Call = { readonly start: number; readonly end: number; readonly nanos: number; readonly row: number };

/**
 * Own times of timed calls, chunk by chunk. A call is recorded when it ends, so the calls that it made stand in the same chunk or
 * in earlier ones: calls that none has enclosed yet are kept from chunk to chunk.
 */
export class OwnTimes {
  /** Calls by thread that no other encloses so far, by start. Their rows mean nothing any more. */
  readonly #kept = new Map<Key, Call[]>();

  /** The samples that follow are another JVM's. */
  forget(): void {
    this.#kept.clear();
  }

  /** Replaces the weights (nanoseconds) of the samples in `rows`: what calls nested in one took is no longer in its own. */
  subtract(samples: Samples, rows: readonly number[], ticksPerSecond: number): void {
    if (rows.length === 0) return;
    const keys = samples.threadNumbers.keys();
    for (const [thread, calls] of Map.groupBy(rows, row => samples.thread[row]!)) {
      if (thread < 0) continue;
      const key = keys[thread]!;
      const own = calls.map(row => callOf(samples, row, ticksPerSecond));
      this.#kept.set(key, subtractNested([...(this.#kept.get(key) ?? []), ...own], samples.weight));
    }
    let kept = 0;
    for (const calls of this.#kept.values()) kept += calls.length;
    if (kept > MAX_KEPT) this.#kept.clear();
  }
}

function callOf(samples: Samples, row: number, ticksPerSecond: number): Call {
  const start = samples.ticks[row]!;
  const nanos = samples.weight[row]!;
  return { start, end: start + (nanos * ticksPerSecond) / 1e9, nanos, row };
}

/** Subtracts each call from the one that made it, in `weight`; returns the calls that none made, by start. */
function subtractNested(calls: Call[], weight: Float64Array): Call[] {
  // Callers before what they called; of equal spans the later event is the caller's.
  calls.sort((a, b) => a.start - b.start || b.end - a.end || b.row - a.row);
  const open: Call[] = [];
  const outermost: Call[] = [];
  for (const call of calls) {
    while (open.length > 0 && call.start >= open.at(-1)!.end) open.pop();
    const caller = open.at(-1);
    if (caller === undefined) outermost.push({ ...call, row: -1 });
    else if (caller.row >= 0) weight[caller.row] = Math.max(0, weight[caller.row]! - call.nanos);
    open.push(call);
  }
  return outermost;
}
