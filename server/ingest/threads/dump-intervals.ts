// How long it is from one dump to the next, and how long each thread lived and had a processor in between, as the dumps tell.
import type { TimedThread } from './typed-time.ts';

/** A thread in the part of an interval that its sample stands for. */
type ThreadPart = {
  readonly nanos: number;
  /** The time in which it had a processor; null where the dumps do not tell. */
  readonly runNanos: number | null;
};

const NOTHING: ThreadPart = { nanos: 0, runNanos: 0 };

/** From one dump of a JVM to the next. */
export class DumpInterval {
  readonly nanos: number;
  readonly #before: ReadonlyMap<string, TimedThread>;
  readonly #after: ReadonlyMap<string, TimedThread>;
  /** Threads of the first dump that the second does not have. */
  readonly ended: number;

  private constructor(before: readonly TimedThread[], after: readonly TimedThread[], elapsedMillis: readonly number[]) {
    this.nanos = (1e6 * elapsedMillis.reduce((sum, each) => sum + each, 0)) / elapsedMillis.length;
    this.#before = byId(before);
    this.#after = byId(after);
    this.ended = [...this.#before.values()].filter(each => laterOf(each, this.#after) === null).length;
  }

  /** Null where no thread of the first dump is in the second one: then these are dumps of different JVMs, or do not tell their threads apart. */
  static between(before: readonly TimedThread[], after: readonly TimedThread[]): DumpInterval | null {
    const there = byId(before);
    const elapsed = after.flatMap(thread => {
      const other = earlierOf(thread, there);
      return other === null ? [] : [thread.elapsedMillis! - other.elapsedMillis!];
    });
    return elapsed.length === 0 ? null : new DumpInterval(before, after, elapsed);
  }

  /** The part of the interval that a sample of the second dump stands for: a half; all of it where the thread began in the interval. */
  endOf(thread: TimedThread): ThreadPart {
    const { id, cpuMillis, elapsedMillis } = thread;
    if (id === '' || elapsedMillis === null) return { nanos: this.nanos / 2, runNanos: null };
    const other = earlierOf(thread, this.#before);
    if (other !== null) return this.#half(other, thread);
    const nanos = Math.min(this.nanos, elapsedMillis * 1e6);
    const part = elapsedMillis > 0 ? nanos / (elapsedMillis * 1e6) : 1;
    return { nanos, runNanos: cpuMillis === null ? null : part * cpuMillis * 1e6 };
  }

  /** The part of the interval that a sample of the first dump stands for: none where the thread is not seen again. */
  beginOf(thread: TimedThread): ThreadPart {
    if (thread.id === '' || thread.elapsedMillis === null) return { nanos: this.nanos / 2, runNanos: null };
    const other = laterOf(thread, this.#after);
    return other === null ? NOTHING : this.#half(thread, other);
  }

  #half({ cpuMillis: first }: TimedThread, { cpuMillis: last }: TimedThread): ThreadPart {
    const nanos = this.nanos / 2;
    if (first === null || last === null) return { nanos, runNanos: null };
    return { nanos, runNanos: Math.min(nanos, Math.max(0, ((last - first) * 1e6) / 2)) };
  }
}

/** Together; the time with a processor is not known where one part does not tell it. */
export function bothParts(a: ThreadPart, b: ThreadPart): ThreadPart {
  const runNanos = a.runNanos === null || b.runNanos === null ? null : a.runNanos + b.runNanos;
  return { nanos: a.nanos + b.nanos, runNanos };
}

function byId(threads: readonly TimedThread[]): ReadonlyMap<string, TimedThread> {
  return new Map(threads.flatMap(thread => (thread.id === '' ? [] : [[thread.id, thread] as const])));
}

/** The same thread in the dump before: a new thread may have the address of one that has ended. */
function earlierOf(thread: TimedThread, before: ReadonlyMap<string, TimedThread>): TimedThread | null {
  const other = thread.id === '' ? undefined : before.get(thread.id);
  return other !== undefined && isSame(other, thread) ? other : null;
}

function laterOf(thread: TimedThread, after: ReadonlyMap<string, TimedThread>): TimedThread | null {
  const other = after.get(thread.id);
  return other !== undefined && isSame(thread, other) ? other : null;
}

function isSame(first: TimedThread, last: TimedThread): boolean {
  if (first.elapsedMillis === null || last.elapsedMillis === null) return false;
  return (
    first.elapsedMillis <= last.elapsedMillis && (first.cpuMillis ?? 0) <= (last.cpuMillis ?? Number.POSITIVE_INFINITY)
  );
}
