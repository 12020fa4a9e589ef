// How long each thread of a JVM lived, had a processor and waited for one, as the Linux scheduler tells, looked at every ten seconds.

import { readdirSync } from 'node:fs';
import { beganMillis, innerThread, procText, threadStartTicks } from '../base/linux-processes.ts';
import type { ScheduledTimes } from '../ingest/jfr/scheduled-time.ts';
import { usableProcessors } from './usable-processors.ts';

/** Between two looks; threads that live shorter than this may be missed. */
const LOOK_MILLIS = 10_000;
/** More threads of one JVM are not looked at. */
const MOST_THREADS = 20_000;

/** The sums of a thread since it began, in nanoseconds. */
type Sums = { readonly inner: number; readonly atMillis: number; readonly run: number; readonly queue: number };

/** The threads of one JVM. What the system does not tell is left out: then nothing is known of their time. */
export class SchedulerTimes {
  readonly #pid: number;
  readonly #known = new Map<string, Sums>();
  #threads: ScheduledTimes['threads'][number][] = [];
  #processors: ScheduledTimes['processors'][number][] = [];
  #lastMillis = 0;
  #nextAt = 0;
  #isFirst = true;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Looks when it is time. */
  look(): void {
    if (performance.now() < this.#nextAt) return;
    this.#nextAt = performance.now() + LOOK_MILLIS;
    this.#lookNow();
  }

  /** What came since the last time. */
  take(): ScheduledTimes {
    this.#lookNow();
    const times = { threads: this.#threads, processors: this.#processors };
    this.#threads = [];
    this.#processors = [];
    return times;
  }

  #lookNow(): void {
    const nowMillis = Date.now();
    const seen = new Set<string>();
    for (const thread of threadsOf(this.#pid).slice(0, MOST_THREADS)) {
      const [, run, queue] = /^(\d+) (\d+) /.exec(procText(this.#pid, `task/${thread}/schedstat`) ?? '') ?? [];
      if (run === undefined || queue === undefined) continue;
      seen.add(thread);
      const before = this.#known.get(thread) ?? this.#beginOf(thread, nowMillis);
      const now = { inner: before.inner, atMillis: nowMillis, run: Number(run), queue: Number(queue) };
      this.#known.set(thread, now);
      // The sums of a thread at the first look are of the time before it.
      const isNew = before.run < 0;
      if ((isNew && this.#isFirst) || nowMillis <= before.atMillis) continue;
      this.#threads.push({
        thread: before.inner,
        fromMillis: before.atMillis,
        untilMillis: nowMillis,
        runNanos: now.run - Math.max(0, before.run),
        queueNanos: now.queue - Math.max(0, before.queue),
      });
    }
    for (const thread of this.#known.keys()) if (!seen.has(thread)) this.#known.delete(thread);
    this.#lookAtProcessors(nowMillis);
    this.#isFirst = false;
  }

  #lookAtProcessors(nowMillis: number): void {
    const processors = usableProcessors(this.#pid);
    const millis = nowMillis - this.#lastMillis;
    if (processors !== null && !this.#isFirst && millis > 0)
      this.#processors.push({
        fromMillis: this.#lastMillis,
        untilMillis: nowMillis,
        nanos: processors * millis * 1e6,
      });
    this.#lastMillis = nowMillis;
  }

  #beginOf(thread: string, nowMillis: number): Sums {
    const ticks = threadStartTicks(this.#pid, thread);
    const began = ticks === null ? nowMillis : Math.min(nowMillis, beganMillis(ticks));
    // The system tells the begin up to a second early; a thread that the look before did not see began after it.
    const atMillis = Math.max(this.#lastMillis, began);
    return { inner: innerThread(this.#pid, thread), atMillis, run: -1, queue: -1 };
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
