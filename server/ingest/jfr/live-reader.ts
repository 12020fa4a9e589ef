// Follows what one JVM records, chunk by chunk and as it is written, into a profile that is taken out window by window.
import { ProfileBuilder } from '../../cct/builder.ts';
import { mapWindows } from '../../cct/map-windows.ts';
import type { Losses, Profile } from '../../cct/profile.ts';
import { pruneProfile } from '../../cct/prune.ts';
import type { EventMetric } from '../ingest.ts';
import { type ChunkBytes, type ChunkState, LiveChunk } from './chunk-tail.ts';
import { rulesFor } from './event-table.ts';
import { ExactCalls } from './exact-calls.ts';
import type { FoldTarget } from './fold-target.ts';
import type { KnownMetadata } from './known-metadata.ts';
import { MethodTexts } from './known-texts.ts';
import type { IsLeftOut, MethodTotal } from './method-timings.ts';
import { MetricSources } from './metric-sources.ts';
import { Pools } from './pools.ts';
import { noFacts } from './recording-facts.ts';
import { Samples } from './samples.ts';
import { addScheduledTime, ScheduledThreads, type ScheduledTimes } from './scheduled-time.ts';
import { WindowPlan } from './windows.ts';

/** Tables beyond these are made anew from the chunk when a window has ended, so that what no longer runs is forgotten. */
const MOST_METHODS = 30_000;
const MOST_THREADS = 10_000;
const NO_NODES = new Int32Array(0);

/** A span of time whose samples become one profile. */
type Span = { readonly startMillis: number; readonly endMillis: number };

/** The result of one window. */
export type LiveProfile = {
  readonly profile: Profile;
  /** For people, such as `OpenJDK 17.0.15`; empty where the recording does not tell. */
  readonly products: readonly string[];
  readonly debugNonSafepoints: boolean | null;
  /** Bytes of events that the JVM says it had to drop. */
  readonly lostBytes: number;
  /** Samples whose stack the JVM could not walk. */
  readonly failedSamples: number;
};

/** How a JVM is followed. */
type LiveOptions = {
  /** Metrics by configuration, besides the metrics that the reader knows. */
  readonly metrics: readonly EventMetric[];
  /** Identity of the JVM, for recordings that do not tell it. */
  readonly jvm?: string;
  /** Sums of calls that are not kept. */
  readonly isLeftOut?: IsLeftOut;
  /** JVMs of one version have the same. */
  readonly metadata: KnownMetadata;
  /** Takes what is wrong with a chunk, with the byte in it. */
  readonly report: (message: string, offset: number) => void;
};

/** The reader of one JVM. Call `begin`, then `open` and `read` again and again, `soFar` as often as wanted, and `end`. */
export class LiveReader {
  readonly #options: LiveOptions;
  #target: FoldTarget;
  #span: Span = { startMillis: 0, endMillis: 0 };
  #windows = new WindowPlan(0, 0);
  /** Of the chunk at hand, until all of it was read. */
  #bytes: ChunkBytes | null = null;
  #chunk: LiveChunk | null = null;
  /** Up to which byte of the chunk samples are in a profile already: reading them again adds none. */
  #readBefore = 0;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#target = this.#newTarget();
  }

  /** Goes on from the `totals` of a reader that followed the JVM before. To be called first. */
  resume(totals: readonly MethodTotal[]): void {
    this.#target = this.#newTarget(totals);
  }

  /** The totals of timed methods up to `position`: recordings tell totals alone. */
  get totals(): readonly MethodTotal[] {
    return this.#target.calls.timings.totals();
  }

  /** Begins a window: samples of other times that come while it is open count at its start or its end. */
  begin(span: Span): void {
    this.#span = span;
    this.#windows = new WindowPlan(span.startMillis, span.endMillis);
  }

  /**
   * Goes on with a chunk.
   * @param readBefore up to which byte an earlier reading has added its samples
   */
  open(bytes: ChunkBytes, readBefore = 0): void {
    this.#bytes = bytes;
    this.#chunk = new LiveChunk(bytes, this.#target);
    this.#readBefore = readBefore;
    this.#readAgain(this.#chunk);
  }

  /** Reads what is new in the chunk, about `most` bytes of it. */
  read(most = Number.POSITIVE_INFINITY): ChunkState {
    const chunk = this.#chunk;
    if (chunk === null) return 'waiting';
    // A header that its JVM was changing hides the whole chunk for a moment.
    const state = this.#readAgain(chunk) ?? chunk.advance(this.#windows, Number.MAX_SAFE_INTEGER, most);
    if (state === 'finished') this.#bytes = null;
    return state;
  }

  /** Nothing more will come of this chunk. */
  giveUp(): void {
    this.#chunk?.giveUp(this.#windows);
    this.#bytes = null;
  }

  /** Up to which byte the chunk has been read; 0 without one. */
  get position(): number {
    return this.#chunk === null ? 0 : Math.max(this.#chunk.position, this.#readBefore);
  }

  /** Whether the open window has any samples. */
  get isEmpty(): boolean {
    return this.#target.builder.cellCount === 0;
  }

  /** Events that the open window has, of the metric with most. */
  get eventCount(): number {
    return this.#target.builder.eventCount;
  }

  /** Single calls that were read so far, in all windows. */
  get tracedCalls(): number {
    return this.#target.calls.traced;
  }

  /** How many rows of its tree and its tables are kept for what comes. */
  get size(): { readonly nodes: number; readonly methods: number; readonly threads: number } {
    const { builder } = this.#target;
    return { nodes: builder.nodeCount, methods: builder.methods.length, threads: builder.threads.length };
  }

  /** The profile of the open window, up to now. */
  soFar(nowMillis: number): LiveProfile {
    const { builder, facts } = this.#target;
    const { truncatedStacks, withoutStack, lostSamples } = facts;
    const losses: Losses = { truncatedStacks, withoutStack, lostSamples };
    const profile = builder.finish(this.#windows.windows(), losses);
    const whole = pruneProfile(mapWindows(profile, window => window));
    const { windows } = whole;
    const lastUsed = windows.findLastIndex(
      window => window.startMillis < Math.max(nowMillis, this.#span.startMillis + 1),
    );
    let most = lastUsed;
    for (const { window } of [...whole.cells, ...(whole.times === undefined ? [] : [whole.times])])
      for (const each of window) if (each > most) most = each;
    return {
      profile: { ...whole, windows: windows.slice(0, most + 1) },
      products: [...facts.products],
      debugNonSafepoints: facts.debugNonSafepoints,
      lostBytes: facts.lostBytes,
      failedSamples: facts.failedSamples,
    };
  }

  /**
   * The profile of the window, which ends here; what it had is forgotten.
   * @param times of threads and processors, as the operating system tells them
   */
  end(nowMillis: number, times: ScheduledTimes | null = null): LiveProfile {
    const { builder, facts, methodTexts, scheduled } = this.#target;
    if (times !== null) addScheduledTime(builder, times, scheduled!, this.#windows, this.#windows.firstOf(facts.jvm));
    scheduled!.endWindow();
    const ended = this.soFar(nowMillis);
    // Of a chunk that was read to its end no stack is asked for again.
    if (this.#bytes === null || this.#chunk === null) builder.forgetSamples(NO_NODES);
    else this.#chunk.forgetSamples();
    facts.truncatedStacks = 0;
    facts.withoutStack = 0;
    facts.lostSamples = 0;
    facts.lostBytes = 0;
    facts.failedSamples = 0;
    methodTexts.release();
    const isLarge = builder.methods.length > MOST_METHODS || builder.threads.length > MOST_THREADS;
    if (isLarge) this.#beginAnew();
    return ended;
  }

  /** A new tree and new tables, from what is left of the chunk's constants. */
  #beginAnew(): void {
    const readBefore = this.position;
    const { facts } = this.#target;
    const { totals, tracedCalls } = this;
    this.#target = { ...this.#newTarget(totals), facts };
    this.#target.calls.traced = tracedCalls;
    if (this.#bytes !== null) this.open(this.#bytes, readBefore);
  }

  /** Reads what was read before; null once all of it has been. */
  #readAgain(chunk: LiveChunk): ChunkState | null {
    if (chunk.position >= this.#readBefore) return null;
    const { facts } = this.#target;
    const { lostSamples, lostBytes, failedSamples } = facts;
    const state = chunk.advance(null, this.#readBefore);
    Object.assign(facts, { lostSamples, lostBytes, failedSamples });
    return chunk.position < this.#readBefore ? state : null;
  }

  #newTarget(totals: readonly MethodTotal[] = []): FoldTarget {
    const builder = new ProfileBuilder('normalised');
    const calls = new ExactCalls();
    calls.timings.goOn(totals, builder.methods);
    if (this.#options.isLeftOut !== undefined) calls.timings.leaveOut(this.#options.isLeftOut);
    return {
      builder,
      rules: rulesFor([], this.#options.metrics),
      chosen: false,
      names: 'normalised',
      methodTexts: new MethodTexts(builder.methods, 'normalised'),
      samples: new Samples(),
      pools: new Pools(),
      metadata: this.#options.metadata,
      facts: { ...noFacts(), ...(this.#options.jvm !== undefined && { jvm: this.#options.jvm }) },
      calls,
      sources: new MetricSources(),
      unread: null,
      compiler: null,
      loadMachine: { hardwareThreads: null },
      loadTimes: null,
      scheduled: new ScheduledThreads(),
      report: this.#options.report,
    };
  }
}
