// How long each thread of a JVM lived, had a processor and waited for one, as the Linux scheduler tells, looked at every second.

import { readdirSync } from 'node:fs';
import { beganMillis, innerThread, procText, threadStartTicks } from '../base/linux-processes.ts';
import type { ScheduledTimes } from '../ingest/jfr/scheduled-time.ts';
import { KnownProcessors } from './usable-processors.ts';

/** Between two looks, unless they take more than a part of the time; threads that live shorter than this may be missed. */
const LOOK_MILLIS = 1000;
const MOST_LOOK_MILLIS = 10_000;
const LOOK_SHARE = 200;
/** The length of the parts that times are told in. */
const PART_MILLIS = 10_000;
/** More threads of one JVM are not looked at. */
const MOST_THREADS = 20_000;

/** The sums of a thread since it began, in nanoseconds. */
type Sums = { readonly atMillis: number; readonly run: number; readonly queue: number };

/** A thread from where it was told last to where it was seen last. */
type Seen = { readonly inner: number; begin: Sums; latest: Sums };

/** The threads of one JVM. What the system does not tell is left out: then nothing is known of their time. */
export class SchedulerTimes {
  readonly #pid: number;
  readonly #usable: KnownProcessors;
  readonly #seen = new Map<string, Seen>();
  #threads: ScheduledTimes['threads'][number][] = [];
  #processors: ScheduledTimes['processors'][number][] = [];
  /** The latest look; 0 before the first. */
  #lookMillis = 0;
  /** The moment up to which times were told. */
  #toldMillis = 0;
  #nextAt = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#usable = new KnownProcessors(pid);
  }

  /** Looks when it is time. */
  look(): void {
    const began = performance.now();
    if (began < this.#nextAt) return;
    this.#lookNow();
    const took = performance.now() - began;
    this.#nextAt = began + Math.min(MOST_LOOK_MILLIS, Math.max(LOOK_MILLIS, LOOK_SHARE * took));
    if (this.#lookMillis - this.#toldMillis >= PART_MILLIS) this.#tellAll();
  }

  /** The times since the last call. */
  take(): ScheduledTimes {
    this.#lookNow();
    this.#tellAll();
    const times = { threads: this.#threads, processors: this.#processors };
    this.#threads = [];
    this.#processors = [];
    return times;
  }

  #lookNow(): void {
    const nowMillis = Date.now();
    const isFirst = this.#lookMillis === 0;
    const there = new Set<string>();
    for (const thread of threadsOf(this.#pid).slice(0, MOST_THREADS)) {
      const [, run, queue] = /^(\d+) (\d+) /.exec(procText(this.#pid, `task/${thread}/schedstat`) ?? '') ?? [];
      if (run === undefined || queue === undefined) continue;
      there.add(thread);
      const latest = { atMillis: nowMillis, run: Number(run), queue: Number(queue) };
      const seen = this.#seen.get(thread);
      if (seen !== undefined) seen.latest = latest;
      // The sums of a thread at the first look are of the time before it.
      else {
        const begin = isFirst ? latest : { atMillis: this.#beginOf(thread, nowMillis), run: 0, queue: 0 };
        this.#seen.set(thread, { inner: innerThread(this.#pid, thread), begin, latest });
      }
    }
    for (const [thread, seen] of this.#seen) {
      if (there.has(thread)) continue;
      this.#tell(seen);
      this.#seen.delete(thread);
    }
    // Of a process that has ended nothing is known since the look before.
    if (there.size === 0) return;
    this.#usable.now();
    if (isFirst) this.#toldMillis = nowMillis;
    this.#lookMillis = nowMillis;
  }

  #tellAll(): void {
    for (const seen of this.#seen.values()) this.#tell(seen);
    const [processors, fromMillis, untilMillis] = [this.#usable.now(), this.#toldMillis, this.#lookMillis];
    if (processors !== null && untilMillis > fromMillis)
      this.#processors.push({ fromMillis, untilMillis, nanos: processors * (untilMillis - fromMillis) * 1e6 });
    this.#toldMillis = untilMillis;
  }

  #tell(seen: Seen): void {
    const { inner, begin, latest } = seen;
    if (latest.atMillis > begin.atMillis)
      this.#threads.push({
        thread: inner,
        fromMillis: begin.atMillis,
        untilMillis: latest.atMillis,
        runNanos: latest.run - begin.run,
        queueNanos: latest.queue - begin.queue,
      });
    seen.begin = latest;
  }

  #beginOf(thread: string, nowMillis: number): number {
    const ticks = threadStartTicks(this.#pid, thread);
    const began = ticks === null ? nowMillis : Math.min(nowMillis, beganMillis(ticks));
    // The system tells the begin up to a second early; a thread that the look before did not see began after it.
    return Math.max(this.#lookMillis, began);
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
