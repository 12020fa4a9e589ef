// Typed time of a JVM whose threads' processor times are known from the operating system: its CPU samples say on which call paths they ran.

import { type ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import { addProcessorTime } from '../../cct/processor-time.ts';
import { type TimeType, TYPED } from '../../model/time-types.ts';
import { MonitorHolders, type MonitorWait } from './monitor-holders.ts';
import { TYPE_OF_METRIC } from './told-types.ts';
import type { WindowPlan } from './windows.ts';

/** A thread between two moments. */
type ThreadTime = {
  /** As the operating system numbers it where the JVM runs. */
  readonly thread: number;
  readonly fromMillis: number;
  readonly untilMillis: number;
  /** It had a processor. */
  readonly runNanos: number;
  /** It waited for a processor. */
  readonly queueNanos: number;
};

/** Processor time that the JVM could use between two moments. */
type ProcessorTime = { readonly fromMillis: number; readonly untilMillis: number; readonly nanos: number };

/** What the operating system tells of a JVM since the last time. */
export type ScheduledTimes = {
  readonly threads: readonly ThreadTime[];
  /** Empty where the number of processors is not known. */
  readonly processors: readonly ProcessorTime[];
};

/** A thread that the recording has named: its row, and the name of the threads that it is one of. */
export type NamedThread = { readonly row: number; readonly className: string };

/** A cell of a profile that grows. */
export type Place = { readonly node: number; readonly thread: number; readonly line: number; readonly window: number };

/** Of more waits of one window it is not told who had the monitor. */
const MOST_WAITS = 100_000;

/** What a recording tells of the threads whose times the operating system tells. */
export class ScheduledThreads {
  /** By their numbers in the operating system. */
  readonly named = new Map<number, NamedThread>();
  readonly holders = new MonitorHolders();
  /** Waits for monitors of the window, each with its place and its nanoseconds. */
  readonly #waits: { readonly place: Place; readonly wait: MonitorWait; readonly nanos: number }[] = [];
  /** By the place of such waits: nanoseconds by the classes of the threads that had the monitor. */
  readonly #blockers = new Map<string, Map<string, number>>();

  /** A wait for a monitor. */
  wait(place: Place, wait: MonitorWait, nanos: number): void {
    if (this.#waits.length >= MOST_WAITS) return;
    this.holders.add(wait);
    this.#waits.push({ place, wait, nanos });
  }

  /** Finds out who had the monitors, now that all waits of the window are known. */
  findHolders(): void {
    for (const { place, wait, nanos } of this.#waits.splice(0)) {
      const ticks = wait.until - wait.from;
      const key = textOf(place);
      const classes = this.#blockers.get(key) ?? new Map<string, number>();
      for (const [name, part] of ticks > 0 ? this.holders.of(wait.address, wait.from, wait.until) : [])
        if (name !== null) classes.set(name, (classes.get(name) ?? 0) + (nanos * part) / ticks);
      if (classes.size > 0) this.#blockers.set(key, classes);
    }
  }

  /** The classes behind a wait with their shares, which add up to 1; one without a name for what no event tells. */
  behind(place: Place, nanos: number): readonly (readonly [name: string | null, share: number])[] {
    const known = this.#blockers.get(textOf(place));
    if (known === undefined || !(nanos > 0)) return [[null, 1]];
    const told = [...known.values()].reduce((sum, each) => sum + each, 0);
    const all = Math.max(nanos, told);
    const rest: [null, number][] = told < all ? [[null, (all - told) / all]] : [];
    return [...Array.from(known, ([name, each]) => [name, each / all] as const), ...rest];
  }

  /** The window ends: places of its waits are gone. */
  endWindow(): void {
    this.#waits.length = 0;
    this.#blockers.clear();
    this.holders.endPeriod();
  }
}

function textOf({ node, thread, line, window }: Place): string {
  return `${node} ${thread} ${line} ${window}`;
}

/** Waiting for a processor is divided among call paths, and among the classes of threads that ran, from this part of the run time on. */
const LEAST_QUEUE = 0.02;
/** Classes of threads with less of the run time of a window are not named. */
const LEAST_CLASS = 0.05;
const CPU_METRICS = ['cpu-time', 'cpu'];
const UNBLOCKED = [[null, 1]] as const;

/** Of the threads of one row in one window. */
class RowTime {
  aliveNanos = 0;
  runNanos = 0;
  queueNanos = 0;
  /** Weight of the CPU samples. */
  sampled = 0;
  /** What events tell of waits. */
  waitedNanos = 0;
}

/**
 * Adds the metric `typed` for the threads that samples have named. Where waits of events last longer than the rest of a window, they
 * are shortened to it. Times of threads without CPU samples have no path.
 * @param firstWindow number of the JVM's first window
 */
export function addScheduledTime(
  builder: ProfileBuilder,
  times: ScheduledTimes,
  scheduled: ScheduledThreads,
  windows: WindowPlan,
  firstWindow: number,
): void {
  const rows = rowTimes(times.threads, scheduled.named, windows, firstWindow);
  if (rows.size === 0) return;
  const cpu = CPU_METRICS.find(id => builder.hasSamples(id));
  const waits = Object.entries(TYPE_OF_METRIC).filter(([id]) => builder.hasSamples(id));
  if (cpu !== undefined)
    builder.eachCell(cpu, ({ thread, window, weight }) => {
      const time = rows.get(keyOf(thread, window));
      if (time !== undefined) time.sampled += weight;
    });
  for (const [id] of waits)
    builder.eachCell(id, ({ thread, window, weight }) => {
      const time = rows.get(keyOf(thread, window));
      if (time !== undefined) time.waitedNanos += weight;
    });
  const typed = new TypedCells(builder);
  scheduled.findHolders();
  // Among call paths the samples divide the time.
  if (cpu !== undefined) builder.metric({ ...TYPED, estimated: true });
  const ran = new RunningClasses(rows, scheduled.named);
  if (cpu !== undefined)
    builder.eachCell(cpu, ({ node, thread, line, window, count, weight }) => {
      const time = rows.get(keyOf(thread, window));
      if (time === undefined || !(time.sampled > 0)) return;
      const part = weight / time.sampled;
      const place = { node, thread, line, window };
      typed.add(':RUN', place, time.runNanos * part, count);
      if (!isQueued(time)) return;
      for (const [name, share] of ran.besides(thread, window))
        typed.add(':LOAD', place, time.queueNanos * part * share, count, name);
    });
  for (const [id, type] of waits)
    builder.eachCell(id, ({ node, thread, line, window, count, weight }) => {
      const time = rows.get(keyOf(thread, window));
      if (time === undefined) return;
      const place = { node, thread, line, window };
      for (const [name, share] of type === ':MONITOR' ? scheduled.behind(place, weight) : UNBLOCKED)
        typed.add(type, place, weight * shortened(time) * share, count, name);
    });
  for (const [key, time] of rows) {
    const place = { node: ROOT_NODE, ...placeOf(key), line: 0 };
    if (!(time.sampled > 0)) typed.add(':RUN', place, time.runNanos);
    if (!(time.sampled > 0) || !isQueued(time)) typed.add(':LOAD', place, time.queueNanos);
    typed.add(':UNRECORDED', place, restOf(time) - time.waitedNanos * shortened(time));
  }
  for (const { fromMillis, untilMillis, nanos } of times.processors)
    eachWindow(windows, fromMillis, untilMillis, (window, part) =>
      addProcessorTime(builder, firstWindow + window, nanos * part),
    );
}

function isQueued({ queueNanos, runNanos }: RowTime): boolean {
  return queueNanos >= LEAST_QUEUE * runNanos;
}

function restOf({ aliveNanos, runNanos, queueNanos }: RowTime): number {
  return Math.max(0, aliveNanos - runNanos - queueNanos);
}

function shortened(time: RowTime): number {
  return time.waitedNanos > restOf(time) ? restOf(time) / time.waitedNanos : 1;
}

/** More windows than any plan has. */
const WINDOWS = 2 ** 21;

function keyOf(row: number, window: number): number {
  return row * WINDOWS + window;
}

function placeOf(key: number): { readonly thread: number; readonly window: number } {
  return { thread: Math.floor(key / WINDOWS), window: key % WINDOWS };
}

/** Times are divided among the windows that they overlap. */
function rowTimes(
  times: readonly ThreadTime[],
  threads: ReadonlyMap<number, NamedThread>,
  windows: WindowPlan,
  firstWindow: number,
): Map<number, RowTime> {
  const rows = new Map<number, RowTime>();
  for (const { thread, fromMillis, untilMillis, runNanos, queueNanos } of times) {
    const named = threads.get(thread);
    if (named === undefined) continue;
    eachWindow(windows, fromMillis, untilMillis, (window, part) => {
      const key = keyOf(named.row, firstWindow + window);
      const time = rows.get(key) ?? new RowTime();
      rows.set(key, time);
      time.aliveNanos += (untilMillis - fromMillis) * part * 1e6;
      time.runNanos += runNanos * part;
      time.queueNanos += queueNanos * part;
    });
  }
  return rows;
}

/** Divides a span among the windows that it overlaps; the parts add up to 1. */
function eachWindow(
  windows: WindowPlan,
  fromMillis: number,
  untilMillis: number,
  take: (window: number, part: number) => void,
): void {
  for (let at = fromMillis; at < untilMillis; ) {
    const window = windows.at(at);
    const end = Math.min(untilMillis, Math.max(windows.endOf(window), at + 1));
    take(window, (end - at) / (untilMillis - fromMillis));
    at = end;
  }
}

/** Which classes of threads had the processors of a window. */
class RunningClasses {
  readonly #rows: ReadonlyMap<number, RowTime>;
  readonly #byWindow = new Map<number, Map<string, number>>();
  readonly #classOf = new Map<number, string>();
  /** Rows that stand for one thread. */
  readonly #single = new Set<number>();

  constructor(rows: ReadonlyMap<number, RowTime>, threads: ReadonlyMap<number, NamedThread>) {
    this.#rows = rows;
    for (const { row, className } of threads.values()) {
      if (this.#classOf.has(row)) this.#single.delete(row);
      else this.#single.add(row);
      this.#classOf.set(row, className);
    }
    for (const [key, { runNanos }] of rows) {
      const { thread, window } = placeOf(key);
      const classes = this.#byWindow.get(window) ?? new Map<string, number>();
      this.#byWindow.set(window, classes);
      const name = this.#classOf.get(thread)!;
      classes.set(name, (classes.get(name) ?? 0) + runNanos);
    }
  }

  /** The classes of the other threads with their shares, which add up to 1; one without a name where none ran. */
  besides(row: number, window: number): readonly (readonly [name: string | null, share: number])[] {
    const own = this.#single.has(row) ? (this.#rows.get(keyOf(row, window))?.runNanos ?? 0) : 0;
    const others = Array.from(this.#byWindow.get(window) ?? [], ([name, nanos]) => {
      return [name, Math.max(0, name === this.#classOf.get(row) ? nanos - own : nanos)] as const;
    });
    const sum = (parts: readonly (readonly [string, number])[]) => parts.reduce((all, [, nanos]) => all + nanos, 0);
    const named = others.filter(([, nanos]) => nanos > 0 && nanos >= LEAST_CLASS * sum(others));
    return named.length === 0 ? [[null, 1]] : named.map(([name, nanos]) => [name, nanos / sum(named)]);
  }
}

class TypedCells {
  readonly #builder: ProfileBuilder;
  readonly #metric: number;
  readonly #rows = new Map<string, number>();

  constructor(builder: ProfileBuilder) {
    this.#builder = builder;
    this.#metric = builder.metric(TYPED);
  }

  /** @param behind class of the threads that are waited for */
  add(type: TimeType, { node, thread, line, window }: Place, nanos: number, count = 1, behind: string | null = null) {
    if (!(nanos >= 1)) return;
    const typed = this.#builder.child(node, this.#row(type), Math.max(0, line));
    const leaf = behind === null ? typed : this.#builder.child(typed, this.#row(behind), 0);
    this.#builder.add(this.#metric, leaf, thread, 0, window, count, nanos);
  }

  #row(name: string): number {
    const row = this.#rows.get(name) ?? this.#builder.methods.method('', name, null, 0);
    this.#rows.set(name, row);
    return row;
  }
}
