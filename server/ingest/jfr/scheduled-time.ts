// Typed time of a JVM whose threads' processor times are known from the operating system: its CPU samples say on which call paths they ran.

import { type ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import { addProcessorTime } from '../../cct/processor-time.ts';
import { type TimeType, TYPED } from '../../model/time-types.ts';
import { MonitorHolders, type MonitorWait } from './monitor-holders.ts';
import { TYPE_OF_METRIC } from './told-types.ts';
import type { WindowPart, WindowPlan } from './windows.ts';

/** A thread between two moments. */
type ThreadTime = {
  /** As the operating system numbers it where the JVM runs. */
  readonly thread: number;
  readonly fromMillis: number;
  readonly untilMillis: number;
  /** The time in which it had a processor. */
  readonly runNanos: number;
  /** The time in which it waited for a processor. */
  readonly queueNanos: number;
};

/** Processor time that the JVM could use between two moments. */
type ProcessorTime = { readonly fromMillis: number; readonly untilMillis: number; readonly nanos: number };

/** The times that the operating system tells of a JVM since the last look. */
export type ScheduledTimes = {
  readonly threads: readonly ThreadTime[];
  /** Empty where the number of processors is not known. */
  readonly processors: readonly ProcessorTime[];
};

/** A thread that the recording has named: its row, and the name of the threads that it is one of. */
export type NamedThread = { readonly row: number; readonly className: string };

/** A cell of a profile that grows. */
export type Place = { readonly node: number; readonly thread: number; readonly line: number; readonly window: number };

/** A wait that an event tells. */
type NotedWait = {
  /** Where the metric of the event has it. */
  readonly place: Place;
  readonly metric: string;
  readonly nanos: number;
  readonly nanosPerTick: number;
  /** Its parts since the first window began. */
  readonly parts: readonly WindowPart[];
  /** Whether it is in more windows than that of its place, or began before the first. */
  readonly isCrossing: boolean;
  readonly monitor: MonitorWait | null;
};

/** Of more waits of one window it is not told who had the monitor. */
const MOST_WAITS = 100_000;

/** The facts of a recording about the threads whose times the operating system tells. */
export class ScheduledThreads {
  /** By their numbers in the operating system. */
  readonly named = new Map<number, NamedThread>();
  readonly holders = new MonitorHolders();
  /** Waits for monitors that lie in one window. */
  readonly #waits: NotedWait[] = [];
  /** Waits that lie in several windows; the metric of their events has each of them in one. */
  readonly crossing: NotedWait[] = [];
  /** By the place of waits for monitors: nanoseconds by the classes of the threads that had the monitor. */
  readonly #blockers = new Map<string, Map<string, number>>();

  /** A wait that an event tells. */
  wait(noted: NotedWait): void {
    if (this.#waits.length + this.crossing.length >= MOST_WAITS) return;
    if (noted.monitor !== null) this.holders.add(noted.monitor);
    if (noted.isCrossing) this.crossing.push(noted);
    else if (noted.monitor !== null) this.#waits.push(noted);
  }

  /** Finds out who had the monitors, now that all waits of the window are known. */
  findHolders(): void {
    for (const { place, monitor, nanos } of this.#waits.splice(0)) {
      const { address, from, until } = monitor!;
      const key = textOf(place);
      const classes = this.#blockers.get(key) ?? new Map<string, number>();
      for (const [name, part] of until > from ? this.holders.of(address, from, until) : [])
        if (name !== null) classes.set(name, (classes.get(name) ?? 0) + (nanos * part) / (until - from));
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
    this.crossing.length = 0;
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
  /** The time of waits that events tell. */
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
  const waited = waitsIn(builder, scheduled, waits);
  for (const { place, nanos } of waited) {
    const time = rows.get(keyOf(place.thread, place.window));
    if (time !== undefined) time.waitedNanos += nanos;
  }
  const typed = new TypedCells(builder);
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
  for (const { type, place, nanos, count, behind } of waited) {
    const time = rows.get(keyOf(place.thread, place.window));
    if (time === undefined) continue;
    for (const [name, share] of behind) typed.add(type, place, nanos * shortened(time) * share, count, name);
  }
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

/** A wait, or several of one place, and who had the monitor meanwhile. */
type WaitedTime = {
  readonly type: TimeType;
  readonly place: Place;
  readonly nanos: number;
  readonly count: number;
  readonly behind: readonly (readonly [name: string | null, share: number])[];
};

/** The waits of the cells; a wait that lies in several windows is taken out of the cells, and added part by part. */
function waitsIn(
  builder: ProfileBuilder,
  scheduled: ScheduledThreads,
  metrics: readonly (readonly [id: string, type: TimeType])[],
): WaitedTime[] {
  const { crossing, holders } = scheduled;
  scheduled.findHolders();
  const taken = new Map<string, { nanos: number; count: number }>();
  for (const { place, metric, nanos } of crossing) {
    const key = `${metric} ${textOf(place)}`;
    const { nanos: sum, count } = taken.get(key) ?? { nanos: 0, count: 0 };
    taken.set(key, { nanos: sum + nanos, count: count + 1 });
  }
  const waited: WaitedTime[] = [];
  for (const [id, type] of metrics)
    builder.eachCell(id, ({ node, thread, line, window, count, weight }) => {
      const place = { node, thread, line, window };
      const { nanos: other, count: others } = taken.get(`${id} ${textOf(place)}`) ?? { nanos: 0, count: 0 };
      const nanos = Math.max(0, weight - other);
      const behind = type === ':MONITOR' ? scheduled.behind(place, nanos) : UNBLOCKED;
      waited.push({ type, place, nanos, count: Math.max(0, count - others), behind });
    });
  for (const { place, metric, parts, nanosPerTick, monitor } of crossing)
    for (const [at, { window, from, until }] of parts.entries()) {
      const ticks = until - from;
      const found = monitor === null ? [[null, ticks] as const] : holders.of(monitor.address, from, until);
      waited.push({
        type: TYPE_OF_METRIC[metric]!,
        place: { ...place, window },
        nanos: ticks * nanosPerTick,
        count: at === 0 ? 1 : 0,
        behind: found.map(([name, own]) => [name, own / ticks] as const),
      });
    }
  return waited;
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
