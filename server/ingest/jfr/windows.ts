// Cuts the time of a recording into windows, the unit of time filtering.
import type { TimeWindow } from '../../cct/profile.ts';

const MAX_WINDOWS = 60;
const MIN_MILLIS = 10_000;
/** Milliseconds since the epoch are exact to a forty-thousandth of this. */
const LEAST_EDGE = 0.01;

/** More windows than these are not made, whatever length was asked for. */
const MOST_WINDOWS = 10_000;

/**
 * Windows of equal length over a span: at most 60, none under 10 s unless the whole span is; or as long as was asked for. Each JVM has
 * all of them for itself.
 */
export class WindowPlan {
  readonly #start: number;
  readonly #end: number;
  readonly #length: number;
  readonly #count: number;
  /** In the order in which they came. */
  readonly #jvms: string[] = [];

  constructor(startMillis: number, endMillis: number, windowMillis?: number) {
    const span = Math.max(1, endMillis - startMillis);
    this.#start = startMillis;
    this.#end = endMillis;
    if (windowMillis !== undefined) {
      this.#length = Math.max(windowMillis, Math.ceil(span / MOST_WINDOWS));
      this.#count = Math.max(1, Math.ceil(span / this.#length));
      return;
    }
    this.#count = Math.min(MAX_WINDOWS, Math.max(1, Math.floor(span / MIN_MILLIS)));
    this.#length = span / this.#count;
  }

  /** The window of a moment; moments outside the span belong to the nearest one, unknown moments to the first. */
  at(millis: number): number {
    const window = Math.floor((millis - this.#start) / this.#length);
    return window > 0 ? Math.min(window, this.#count - 1) : 0;
  }

  /** The moment (milliseconds) at which a window ends; the last window has no end. */
  endOf(window: number): number {
    return window >= this.#count - 1 ? Number.POSITIVE_INFINITY : this.#start + (window + 1) * this.#length;
  }

  get startMillis(): number {
    return this.#start;
  }

  /** How many JVMs have named themselves. */
  get jvmCount(): number {
    return this.#jvms.length;
  }

  /** Number of the JVM's first window. What comes before any JVM is known belongs to the first that is. */
  firstOf(jvm: string | undefined): number {
    if (jvm === undefined) return 0;
    const known = this.#jvms.indexOf(jvm);
    return (known >= 0 ? known : this.#jvms.push(jvm) - 1) * this.#count;
  }

  /** The moments (milliseconds) that are surely inside a window, not so near its edges that rounding could matter. */
  core(window: number): { readonly from: number; readonly until: number } {
    const edge = Math.max(this.#length / 1e6, LEAST_EDGE);
    const start = this.#start + window * this.#length;
    return { from: start + edge, until: start + this.#length - edge };
  }

  get #lastEdge(): number {
    return Math.max(this.#end, Math.round(this.#start) + 1);
  }

  /** By number: JVM after JVM, so that windows of several JVMs are not in the order of a profile yet. */
  windows(): TimeWindow[] {
    // The last window of a given length may be shorter, as the recording is.
    const edge = (i: number) => Math.min(Math.round(this.#start + i * this.#length), this.#lastEdge);
    const times = Array.from({ length: this.#count }, (_, i) => ({ startMillis: edge(i), endMillis: edge(i + 1) }));
    return this.#jvms.length === 0 ? times : this.#jvms.flatMap(jvm => times.map(window => ({ ...window, jvm })));
  }
}

/** The windows of the moments in one chunk of a JVM, by its ticks. */
export class ChunkWindows {
  readonly #plan: WindowPlan;
  readonly #chunk: Clock;
  /** Number of the first window of the chunk's JVM. */
  readonly #first: number;
  /** Samples come nearly in order, so that most are in the window of the one before: the ticks that surely are, and which it is. */
  #from = Number.NaN;
  #until = Number.NaN;
  #window = 0;

  constructor(plan: WindowPlan, chunk: Clock, jvm: string | undefined) {
    this.#plan = plan;
    this.#chunk = chunk;
    this.#first = plan.firstOf(jvm);
  }

  at(ticks: number): number {
    if (ticks > this.#from && ticks < this.#until) return this.#window;
    const { startMillis, startTicks, ticksPerSecond } = this.#chunk;
    const window = this.#plan.at(millisAt(this.#chunk, ticks));
    this.#window = this.#first + window;
    const { from, until } = this.#plan.core(window);
    this.#from = startTicks + ((from - startMillis) * ticksPerSecond) / 1000;
    this.#until = startTicks + ((until - startMillis) * ticksPerSecond) / 1000;
    return this.#window;
  }

  /** Milliseconds since the epoch. */
  millisAt(ticks: number): number {
    return millisAt(this.#chunk, ticks);
  }

  /** The ticks at which the first window begins. */
  get begin(): number {
    const { startMillis, startTicks, ticksPerSecond } = this.#chunk;
    return startTicks + ((this.#plan.startMillis - startMillis) * ticksPerSecond) / 1000;
  }

  /** The parts of a span in the windows that it overlaps. */
  parts(from: number, until: number): WindowPart[] {
    const parts: WindowPart[] = [];
    for (let at = from; at < until; ) {
      const end = Math.min(until, this.endOf(at));
      // Ticks beyond 2^53, which no clock has, may not grow by one.
      if (!(end > at)) break;
      parts.push({ window: this.at(at), from: at, until: end });
      at = end;
    }
    return parts;
  }

  /** The ticks at which the window of a moment ends: always later than the moment. */
  endOf(ticks: number): number {
    const { startMillis, startTicks, ticksPerSecond } = this.#chunk;
    const end = this.#plan.endOf(this.at(ticks) - this.#first);
    return Math.max(ticks + 1, Math.ceil(startTicks + ((end - startMillis) * ticksPerSecond) / 1000));
  }
}

/** A span of ticks in one window. */
export type WindowPart = { readonly window: number; readonly from: number; readonly until: number };

/** How the ticks of a chunk relate to time. */
type Clock = { readonly startMillis: number; readonly startTicks: number; readonly ticksPerSecond: number };

/** Milliseconds since the epoch. */
export function millisAt({ startMillis, startTicks, ticksPerSecond }: Clock, ticks: number): number {
  return startMillis + ((ticks - startTicks) * 1000) / ticksPerSecond;
}
