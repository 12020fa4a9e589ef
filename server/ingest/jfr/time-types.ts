// The time types of threads, from the events of a chunk: the type is a frame below the innermost one, and time that no event tells is a type too.

import { EMPTY_STACK_LINE, type ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import { addProcessorTime } from '../../cct/processor-time.ts';
import { type TimeType, TYPED } from '../../model/time-types.ts';
import type { ChunkHeader } from './chunk-header.ts';
import type { Key } from './cursor.ts';
import type { EventRule } from './event-table.ts';
import type { MetricSources } from './metric-sources.ts';
import { MonitorHolders, type MonitorWait } from './monitor-holders.ts';
import { NotedEvents } from './noted-events.ts';
import type { Samples } from './samples.ts';
import type { ChunkContext } from './texts.ts';
import { THREAD_LOAD, ToldTypes, TYPE_OF_METRIC } from './told-types.ts';
import type { ChunkWindows } from './windows.ts';

/** A part of a thread's time, in ticks. */
type Span = { readonly from: number; readonly until: number };

/** Processor times go on from chunk to chunk. */
export type LoadTimes = {
  /** By thread: milliseconds of its latest event. */
  readonly lastMillis: Map<Key, number>;
  /** Processors that a load of 1 is of; null where the recording does not tell. */
  processors: number | null;
  /** Whether loads came that mean no time, as the processors are not known. */
  isUnknown: boolean;
  readonly told: ToldTypes;
  readonly holders: MonitorHolders;
};

export function noLoadTimes(processors: number | undefined): LoadTimes {
  return {
    lastMillis: new Map(),
    processors: processors ?? null,
    isUnknown: false,
    told: new ToldTypes(),
    holders: new MonitorHolders(),
  };
}

/** Notes the events of one chunk that tell how long threads lived and ran. Made before the scan. */
export class ChunkTimeTypes {
  readonly #chunk: ChunkHeader;
  readonly #starts: NotedEvents;
  readonly #ends: NotedEvents;
  readonly #loads: NotedEvents;
  readonly #processors: NotedEvents;
  readonly #times: LoadTimes;

  constructor(context: ChunkContext, noted: Map<Key, number[]>, chunk: ChunkHeader, times: LoadTimes) {
    this.#chunk = chunk;
    this.#times = times;
    this.#starts = new NotedEvents(context, noted, 'jdk.ThreadStart', ['thread', 'startTime']);
    this.#ends = new NotedEvents(context, noted, 'jdk.ThreadEnd', ['thread', 'startTime']);
    this.#loads = new NotedEvents(context, noted, THREAD_LOAD, ['eventThread', 'startTime', 'user', 'system']);
    this.#processors = new NotedEvents(context, noted, 'jdk.ContainerConfiguration', ['effectiveCpuCount']);
  }

  /** @param lastTicks when the chunk ends */
  fold(
    target: Pick<Parts, 'builder' | 'samples' | 'rules' | 'sources' | 'waitOf'>,
    windows: ChunkWindows,
    lastTicks: number,
  ) {
    const { startTicks, ticksPerSecond } = this.#chunk;
    const begins = new Map<Key, number>();
    const ends = new Map<Key, number>();
    this.#starts.each(event => begins.set(event.key(0), event.number(1)));
    this.#ends.each(event => ends.set(event.key(0), event.number(1)));
    this.#processors.each(event => {
      // Loads are of the processors that the JVM may use, which jdk.CPUInformation does not tell.
      if (event.number(0) > 0) this.#times.processors ??= event.number(0);
    });
    const alive = (thread: Key): Span => ({
      from: Math.max(startTicks, begins.get(thread) ?? startTicks),
      until: Math.min(lastTicks, ends.get(thread) ?? lastTicks),
    });
    const { processors } = this.#times;
    const chunk = { from: startTicks, until: lastTicks };
    return new TimeTypes({
      ...target,
      windows,
      alive,
      chunk,
      processors,
      loads: this.#cpuNanos(alive),
      times: this.#times,
      ticksPerSecond,
    });
  }

  /** Processor time by thread: each event tells the load since the thread's event before. */
  #cpuNanos(alive: (thread: Key) => Span): Map<Key, number> {
    const { processors, lastMillis } = this.#times;
    const nanos = new Map<Key, number>();
    if (processors === null) {
      this.#loads.each(() => {
        this.#times.isUnknown = true;
        this.#times.told.isRunTold = true;
      });
      return nanos;
    }
    const { startMillis, startTicks, ticksPerSecond } = this.#chunk;
    const millisOf = (ticks: number) => startMillis + ((ticks - startTicks) * 1000) / ticksPerSecond;
    this.#loads.each(event => {
      const [thread, at] = [event.key(0), millisOf(event.number(1))];
      const since = lastMillis.get(thread) ?? millisOf(alive(thread).from);
      const load = Math.min(1, Math.max(0, event.float(2) + event.float(3)));
      if (at > since) nanos.set(thread, (nanos.get(thread) ?? 0) + load * processors * (at - since) * 1e6);
      lastMillis.set(thread, Math.max(at, since));
    });
    if (lastMillis.size > 0) this.#times.told.isRunTold = true;
    return nanos;
  }
}

type Parts = {
  readonly builder: ProfileBuilder;
  readonly samples: Samples;
  readonly rules: readonly EventRule[];
  readonly sources: MetricSources;
  readonly windows: ChunkWindows;
  readonly alive: (thread: Key) => Span;
  readonly chunk: Span;
  /** Processors that the JVM could use; null where the recording does not tell. */
  readonly processors: number | null;
  /** The wait for a monitor that a thread began at a moment; null where the event does not tell which. */
  readonly waitOf: (thread: Key, ticks: number) => MonitorWait | null;
  readonly times: LoadTimes;
  /** Nanoseconds of processor time by thread, where the chunk tells. */
  readonly loads: ReadonlyMap<Key, number>;
  readonly ticksPerSecond: number;
};

/** Where a sample stands in the profile. */
type Place = {
  readonly thread: Key;
  readonly node: number;
  readonly row: number;
  readonly line: number;
};

/** Adds the typed time of one chunk. */
class TimeTypes {
  readonly #parts: Parts;
  readonly #metric: number;
  readonly #threads: readonly Key[];
  readonly #rows = new Map<string, number>();
  /** By thread and window: nanoseconds that events tell. */
  readonly #told = new Map<Key, Map<number, number>>();
  readonly #tableRows = new Map<Key, number>();
  /** CPU samples that processor time is divided among. */
  readonly #samples: (Place & { readonly ticks: number })[] = [];
  /** Waits for monitors, until all of the chunk are known. */
  readonly #waits: { readonly place: Place; readonly wait: MonitorWait }[] = [];
  #isMeasured = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#metric = parts.builder.metric(TYPED);
    this.#threads = parts.samples.threadNumbers.keys();
  }

  /** Takes a row of the samples, which stands at a place of the profile. Its weight are nanoseconds where it has a duration or a period. */
  take(sample: number, at: Omit<Place, 'thread'>): void {
    const { samples, rules, sources } = this.#parts;
    const thread = this.#threads[samples.thread[sample]!];
    const { event, metric } = rules[samples.rule[sample]!]!;
    // Another event tells the same time.
    if (thread === undefined || sources.others.has(event)) return;
    const [ticks, weight] = [samples.ticks[sample]!, samples.weight[sample]!];
    const place = { ...at, thread };
    this.#tableRows.set(thread, place.row);
    const type = TYPE_OF_METRIC[metric];
    const wait = type === ':MONITOR' ? this.#parts.waitOf(thread, ticks) : null;
    if (wait !== null) {
      this.#parts.times.holders.add(wait);
      this.#waits.push({ place, wait });
    } else if (type !== undefined) this.#addSpan(type, place, ticks, weight);
    else if (metric === 'cpu-time') {
      this.#isMeasured = true;
      this.#parts.times.told.isRunTold = true;
      this.#add(':RUN', place, this.#parts.windows.at(ticks), weight);
    } else if (metric === 'cpu') this.#samples.push({ ...place, ticks });
  }

  /** Divides processor times among samples, and adds what no event tells of the threads that were seen. */
  end(): void {
    if (!this.#isMeasured) this.#divideLoads();
    for (const { place, wait } of this.#waits) this.#addWait(place, wait);
    this.#parts.times.holders.endPeriod();
    const { alive, builder, chunk, processors, ticksPerSecond } = this.#parts;
    const isRunKnown = this.#isMeasured || this.#parts.loads.size > 0;
    if (processors !== null && isRunKnown)
      this.#eachWindow(chunk.from, chunk.until, (window, ticks) =>
        addProcessorTime(builder, window, (processors * ticks * 1e9) / ticksPerSecond),
      );
    for (const [thread, row] of this.#tableRows) {
      const { from, until } = alive(thread);
      const told = this.#told.get(thread);
      const place = { thread, node: ROOT_NODE, row, line: 0 };
      this.#eachWindow(from, until, (window, ticks) => {
        const rest = (ticks * 1e9) / ticksPerSecond - (told?.get(window) ?? 0);
        if (rest > 0) this.#add(':UNRECORDED', place, window, rest);
      });
    }
  }

  #divideLoads(): void {
    const counts = new Map<Key, number>();
    for (const { thread } of this.#samples) counts.set(thread, (counts.get(thread) ?? 0) + 1);
    if (this.#parts.loads.size > 0 && this.#samples.length > 0)
      this.#parts.builder.metric({ ...TYPED, estimated: true });
    for (const sample of this.#samples) {
      const nanos = this.#parts.loads.get(sample.thread) ?? 0;
      if (nanos > 0)
        this.#add(':RUN', sample, this.#parts.windows.at(sample.ticks), nanos / counts.get(sample.thread)!);
    }
  }

  /** A wait is cut at the ends of windows, and where the chunk or the thread's life ends. */
  #addSpan(type: TimeType, place: Place, ticks: number, nanos: number): void {
    const { alive, ticksPerSecond } = this.#parts;
    const life = alive(place.thread);
    const until = Math.min(life.until, ticks + (nanos * ticksPerSecond) / 1e9);
    this.#eachWindow(Math.max(life.from, ticks), until, (window, part) =>
      this.#add(type, place, window, (part * 1e9) / ticksPerSecond),
    );
  }

  /** The same, where the events of the monitor tell which threads had it. */
  #addWait(place: Place, wait: MonitorWait): void {
    const { alive, times, ticksPerSecond } = this.#parts;
    const life = alive(place.thread);
    this.#eachWindow(Math.max(life.from, wait.from), Math.min(life.until, wait.until), (window, part, at) => {
      for (const [behind, ticks] of times.holders.of(wait.address, at, at + part))
        this.#add(':MONITOR', place, window, (ticks * 1e9) / ticksPerSecond, behind);
    });
  }

  #eachWindow(from: number, until: number, take: (window: number, ticks: number, at: number) => void): void {
    for (const part of this.#parts.windows.parts(from, until)) take(part.window, part.until - part.from, part.from);
  }

  /** @param behind class of the threads that are waited for */
  #add(type: TimeType, place: Place, window: number, nanos: number, behind: string | null = null): void {
    if (!(nanos > 0)) return;
    const { thread, node, row, line } = place;
    const { builder } = this.#parts;
    const typed = builder.child(node, this.#row(type), line === EMPTY_STACK_LINE ? 0 : line);
    const leaf = behind === null ? typed : builder.child(typed, this.#row(behind), 0);
    builder.add(this.#metric, leaf, row, 0, window, 1, nanos);
    const told = this.#told.get(thread) ?? new Map<number, number>();
    this.#told.set(thread, told.set(window, (told.get(window) ?? 0) + nanos));
  }

  /** The row of a frame that is a type, or a class of threads. */
  #row(name: string): number {
    const row = this.#rows.get(name) ?? this.#parts.builder.methods.method('', name, null, 0);
    this.#rows.set(name, row);
    return row;
  }
}
