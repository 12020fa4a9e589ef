// Folds one chunk into the growing profile, in steps: metadata, events, pools, stacks, cells.
import { EMPTY_STACK_LINE, ROOT_NODE } from '../../cct/builder.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import type { ChunkHeader } from './chunk-header.ts';
import { HEADER_SIZE } from './chunk-header.ts';
import { ChunkMetrics } from './chunk-metrics.ts';
import { Threads } from './chunk-threads.ts';
import { ChunkCompilerLoad } from './compiler-load.ts';
import { Cursor, type Key } from './cursor.ts';
import { type EventPlan, planEvent } from './event-plan.ts';
import { findStructure, scanEvents } from './events.ts';
import type { FoldTarget } from './fold-target.ts';
import { FormatError } from './format-error.ts';
import type { Layouts } from './layout.ts';
import type { JfrType } from './metadata.ts';
import { ChunkTimings } from './method-timings.ts';
import { Methods } from './methods.ts';
import type { MonitorWait } from './monitor-holders.ts';
import { MonitorWaits } from './monitor-waits.ts';
import { ObjectClasses } from './object-classes.ts';
import { type PoolRange, type PoolWalk, walkChain, walkForward, walkListed } from './pools.ts';
import { ChunkFacts } from './recording-facts.ts';
import type { Place } from './scheduled-time.ts';
import type { SeenEvents } from './seen-events.ts';
import { Settings } from './settings.ts';
import { emptyPlaces, type PlacedStacks, type StackLayout, StackPlacer, stackLayout } from './stack-decoder.ts';
import type { ChunkContext } from './texts.ts';
import { ThreadStates } from './thread-states.ts';
import { ChunkTimeTypes } from './time-types.ts';
import { TYPE_OF_METRIC } from './told-types.ts';
import { type Imported, WholeJvm } from './whole-jvm.ts';
import { ChunkWindows, millisAt, type WindowPlan } from './windows.ts';

/**
 * How many samples of a chunk went into the profile, how many of them refer to stacks that the chunk does not hold, and of how many methods
 * and threads it does not hold the names.
 */
export type FoldedSamples = { readonly added: number; readonly dangling: number; readonly nameless: number };

/** A field with the type of something that a plan reads. */
type TypeOfPlan = 'stackType' | 'threadType' | 'stateType' | 'leafType' | 'objectType';

/** A header that names the latest metadata and checkpoint only where they end before the chunk was cut off. */
function withoutCutEvents(header: ChunkHeader, cursor: Cursor): ChunkHeader {
  if (header.flaw === null) return header;
  const unlessCut = (offset: number) => {
    cursor.pos = offset;
    return cursor.int() > cursor.end - offset ? 0 : offset;
  };
  const { checkpointOffset, metadataOffset } = header;
  return { ...header, checkpointOffset: unlessCut(checkpointOffset), metadataOffset: unlessCut(metadataOffset) };
}

/** One chunk in memory and the steps that fold it. Call `scan`, then `pools`, then `add`. */
export class ChunkFold {
  readonly #header: ChunkHeader;
  readonly #target: FoldTarget;
  readonly #context: ChunkContext;
  readonly #plans = new Map<Key, EventPlan>();
  readonly #noted = new Map<Key, number[]>();
  readonly #facts: ChunkFacts;
  readonly #settings: Settings;
  readonly #states: ThreadStates;
  readonly #timings: ChunkTimings | null;
  readonly #timeTypes: ChunkTimeTypes | null;
  readonly #monitors: MonitorWaits | null;
  readonly #jvm: WholeJvm;
  readonly #compiler: ChunkCompilerLoad | null;
  readonly #stackType: JfrType | undefined;
  readonly #stackLayout: StackLayout | null;
  readonly #methods: Methods | null;
  readonly #threads: Threads;
  readonly #objects: ObjectClasses;
  readonly #checkpoints: readonly number[];
  #stackOffsets: Int32Array = new Int32Array(0);
  /** Of a chunk that grows: where its stacks are so far; null where the chunk is read as a whole. */
  #live: PlacedStacks | null = null;
  #placer: StackPlacer | null = null;

  private constructor(
    header: ChunkHeader,
    cursor: Cursor,
    layouts: Layouts,
    checkpoints: readonly number[],
    target: FoldTarget,
  ) {
    this.#header = header;
    this.#target = target;
    this.#checkpoints = checkpoints;
    this.#context = { cursor, types: layouts.types, layouts, pools: target.pools };
    target.rules.forEach((rule, number) => {
      const plan = planEvent(layouts, rule, number, header.ticksPerSecond);
      if (plan === null) return;
      this.#plans.set(plan.type, plan);
      if (plan.missing !== null) target.facts.missingFields.add(`${rule.event}.${plan.missing}`);
    });
    const plans = [...this.#plans.values()];
    const first = (type: TypeOfPlan) => plans.find(plan => plan[type] !== undefined)?.[type];
    const stackType = first('stackType');
    const timing = target.rules.find(rule => rule.summary);
    this.#timings = timing ? new ChunkTimings(this.#context, this.#noted, timing, header.ticksPerSecond) : null;
    this.#stackType = stackType;
    this.#stackLayout = stackType === undefined ? null : stackLayout(this.#context, stackType);
    const methodType = this.#stackLayout?.methodType ?? first('leafType') ?? this.#timings?.methodType;
    this.#methods =
      methodType === undefined
        ? null
        : new Methods(this.#context, methodType, target.builder.methods, target.methodTexts);
    this.#threads = new Threads(
      this.#context,
      first('threadType'),
      target.builder.threads,
      target.names,
      target.scheduled?.named ?? null,
    );
    this.#objects = new ObjectClasses(this.#context, first('objectType'), target, this.#threads);
    this.#facts = new ChunkFacts(this.#context, this.#noted);
    this.#timeTypes =
      target.loadTimes === null ? null : new ChunkTimeTypes(this.#context, this.#noted, header, target.loadTimes);
    const holders = target.loadTimes?.holders ?? target.scheduled?.holders;
    this.#monitors =
      holders === undefined ? null : new MonitorWaits(this.#context, this.#noted, header.ticksPerSecond, holders);
    this.#jvm = new WholeJvm(this.#context, this.#noted, header);
    this.#compiler = target.compiler === null ? null : new ChunkCompilerLoad(this.#context, this.#noted, header);
    this.#settings = new Settings(this.#context, this.#noted);
    this.#states = new ThreadStates(this.#context, first('stateType'));
  }

  /** Reads the metadata of a chunk; `bytes` has PADDING zero bytes behind what is available. Null when it has none that can be read. */
  static open(written: ChunkHeader, bytes: Uint8Array, target: FoldTarget): ChunkFold | null {
    const cursor = new Cursor(bytes, written.available, written.compressed);
    const header = withoutCutEvents(written, cursor);
    // Only the header of a finished chunk is sure to name the latest events; for others all that can be found are tried.
    const found = header.metadataOffset > 0 && header.checkpointOffset > 0 ? null : findStructure(cursor, HEADER_SIZE);
    const places = header.metadataOffset > 0 ? [header.metadataOffset] : found!.metadata.toReversed();
    let failure: FormatError | null = null;
    for (const place of places) {
      try {
        const layouts = target.metadata.read(cursor, place);
        if (!layouts.types.isWhole)
          target.report('the metadata end early: events of types behind this are not known', place);
        target.pools.clear();
        return new ChunkFold(header, cursor, layouts, found?.checkpoints ?? [], target);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        failure ??= error;
      }
    }
    // A chunk with a flaw is known to lack something: what it comes to is told with the flaw.
    if (failure !== null && header.flaw === null) {
      const message = `the metadata is broken, so nothing in this chunk can be read: ${failure.message}`;
      target.report(message, failure.offset);
    }
    return null;
  }

  /**
   * For a chunk that grows: `cursor` is moved from part to part, `pools` and `samples` of the target belong to this chunk alone.
   * @param before what read the chunk until its metadata changed; null for a chunk that begins
   */
  static follow(
    header: ChunkHeader,
    cursor: Cursor,
    layouts: Layouts,
    target: FoldTarget,
    before: ChunkFold | null,
  ): ChunkFold {
    const fold = new ChunkFold(header, cursor, layouts, [], target);
    fold.#live = before === null ? emptyPlaces(0) : before.#live;
    if (before === null) return fold;
    fold.#stackOffsets = before.#stackOffsets;
    fold.#settings.goOn(before.#settings);
    fold.#jvm.goOn(before.#jvm);
    if (fold.#timings !== null) fold.#timings.goOn(before.#timings);
    return fold;
  }

  /**
   * Collects what the next part of a chunk that grows holds: the events from `from` to the cursor's end, with `checkpoints` among them.
   * @returns the bytes that are needed further on; `move` of each is to be told where they go
   */
  takePart(from: number, checkpoints: readonly number[]): PoolRange[] {
    const { samples, report } = this.#target;
    const leaves = samples.leafRows.length;
    this.#scanFrom(from);
    this.#takeOwnTimes(leaves);
    const ranges: PoolRange[] = [];
    const stacks =
      this.#stackType === undefined
        ? null
        : { type: this.#stackType.id, numbers: samples.stackNumbers, offsets: this.#stackOffsets, all: true };
    walkForward({ ...this.#context, stacks, ranges, report }, checkpoints);
    if (stacks !== null) this.#stackOffsets = stacks.offsets;
    this.#facts.addTo(this.#target.facts);
    this.#settings.read(this.#plans);
    this.#timings?.read();
    this.#monitors?.read();
    this.#jvm.read();
    for (const places of this.#noted.values()) places.length = 0;
    return ranges.map(range => (range.entries === null ? { ...range, entries: this } : range));
  }

  /** Says that stacks which stood at `from` and behind it have moved by `delta` bytes. */
  move(_first: number, from: number, end: number, delta: number): void {
    const offsets = this.#stackOffsets;
    for (let number = 0; number < offsets.length; number++) {
      if (offsets[number]! >= from && offsets[number]! < end) offsets[number]! += delta;
    }
  }

  /** Whether a stack stands between `from` and `end` that waits for its methods. */
  needs(from: number, end: number): boolean {
    return this.#stackOffsets.some(offset => offset >= from && offset < end);
  }

  /**
   * Adds what the parts so far have brought. Samples whose stacks have not come wait, and so does all that names a method that has not come,
   * unless this is the last time.
   * @param windows null when the samples were added before: then they are dropped
   */
  settle(windows: WindowPlan | null, isLast: boolean): void {
    const { samples, builder, calls, rules } = this.#target;
    if (this.#methods !== null && this.#stackLayout !== null) {
      this.#placer ??= new StackPlacer(this.#context, this.#stackLayout, this.#methods, builder);
      this.#live = this.#placer.placeNew(this.#stackOffsets, this.#live!, isLast);
    }
    samples.retain(windows === null ? this.#pass() : this.#addAll(windows, isLast).waiting);
    if (windows !== null) calls.flush(builder, rules);
    this.#jvm.settle(builder, windows && new ChunkWindows(windows, this.#header, this.#target.facts.jvm));
  }

  /** Drops the samples of the profile, and nodes of its tree at which no stack of this chunk ends or passes. */
  forgetSamples(): void {
    const nodes = this.#live!.node;
    const numbers = this.#target.builder.forgetSamples(nodes);
    if (numbers === null) return;
    for (let stack = 0; stack < nodes.length; stack++) nodes[stack] = numbers[nodes[stack]!]!;
    this.#placer?.forget();
  }

  /** Steps over samples that were added before; tells which rows wait. */
  #pass(): number[] {
    const { samples, calls } = this.#target;
    const { leafRows, leafKeys } = samples;
    const waiting: number[] = [];
    let leaf = 0;
    for (let row = 0; row < samples.length; row++) {
      const key = leafRows[leaf] === row ? leafKeys[leaf++]! : 0;
      if (this.#isWaiting(samples.stack[row]!, key, samples.object[row]!)) waiting.push(row);
      else if (key !== 0) this.#timings?.trace(this.#methods!.row(key));
    }
    if (this.#methods !== null) this.#timings?.addTo(calls.timings, this.#methods, null, false);
    return waiting;
  }

  /** Whether a sample's stack has not come so far, or the method or the class that it is about has not. */
  #isWaiting(stack: number, leaf: Key, object: number): boolean {
    if (stack >= 0 && this.#live!.present[stack] !== 1) return true;
    return (leaf !== 0 && !this.#methods!.has(leaf)) || this.#objects.isMissing(object);
  }

  /** Collects the wanted events. */
  scan(): void {
    this.#target.samples.clear();
    this.#scanFrom(HEADER_SIZE);
  }

  /** Leaves out what an import of the chunk's first bytes has added: samples, and what the JVM did until the last of them. */
  leaveOut(imported: Imported): void {
    this.#target.samples.dropFirst(imported.samples);
    this.#jvm.leaveOut(imported);
  }

  /** How many samples `scan` found, and the ticks of the latest one. */
  scanned(): Omit<Imported, 'bytes'> {
    const { length, ticks } = this.#target.samples;
    return {
      samples: length,
      lastTicks: ticks.subarray(0, length).reduce((latest, each) => Math.max(latest, each), 0),
    };
  }

  #scanFrom(from: number): void {
    const { cursor } = this.#context;
    const { samples, report, unread: all } = this.#target;
    const [plans, noted] = [this.#plans, this.#noted];
    const endsEarly = this.#header.flaw !== null;
    const unread = all?.countersFor(this.#context.layouts, type => plans.has(type) || noted.has(type)) ?? new Map();
    scanEvents({ cursor, plans, noted, unread, samples, endsEarly, report }, from);
  }

  /** Counts all events, wanted or not. */
  see(seen: SeenEvents): void {
    const { cursor, types } = this.#context;
    seen.add(cursor, types, HEADER_SIZE);
  }

  /** The time of the latest sample that `scan` found, in milliseconds since the epoch; the chunk's start when there is none. */
  lastMillis(): number {
    let latest = this.#header.startMillis;
    const { samples } = this.#target;
    for (let row = 0; row < samples.length; row++) {
      const millis = this.#millis(samples.ticks[row]!);
      if (millis > latest) latest = millis;
    }
    return latest;
  }

  #millis(ticks: number): number {
    return millisAt(this.#header, ticks);
  }

  /** Finds the pool entries that samples may refer to. */
  walkPools(): void {
    const { samples, report } = this.#target;
    this.#stackOffsets = new Int32Array(samples.stackNumbers.length).fill(-1);
    const stacks =
      this.#stackType === undefined
        ? null
        : { type: this.#stackType.id, numbers: samples.stackNumbers, offsets: this.#stackOffsets };
    const { cursor, layouts, pools } = this.#context;
    const state: PoolWalk = { cursor, layouts, pools, stacks, report };
    if (this.#header.checkpointOffset > 0) walkChain(state, this.#header.checkpointOffset);
    else walkListed(state, this.#checkpoints);
    this.#facts.addTo(this.#target.facts);
  }

  /** Grows the tree along the stacks and adds the samples; tells how many there were. */
  add(windows: WindowPlan): FoldedSamples {
    this.#live = this.#place();
    this.#target.calls.continueAt(this.#millis(0));
    this.#takeOwnTimes(0);
    this.#timings?.read();
    this.#target.loadTimes?.holders.goOn(this.#target.facts.jvm);
    this.#monitors?.read();
    if (this.#target.compiler !== null) this.#compiler?.addTo(this.#target.compiler, this.#threads);
    const chunkWindows = new ChunkWindows(windows, this.#header, this.#target.facts.jvm);
    this.#jvm.fold(this.#target, chunkWindows, this.#lastTicks());
    return this.#addAll(windows, true);
  }

  /** @param isLast whether samples without their stacks are added as well, or wait for them */
  #addAll(windows: WindowPlan, isLast: boolean): FoldedSamples & { readonly waiting: readonly number[] } {
    const { samples, builder, facts, calls } = this.#target;
    const waiting: number[] = [];
    const { present, truncated, node: nodes, line: lines } = this.#live!;
    const threadRows = this.#threads.rows(samples.threadNumbers);
    const metrics = this.#metrics();
    const {
      rule: rules,
      stack: stacks,
      thread: threads,
      state: states,
      object: objects,
      ticks,
      weight: weights,
      count: counts,
    } = samples;
    const { leafRows, leafKeys, leafWeights } = samples;
    const noThread = threads.subarray(0, samples.length).includes(-1) ? this.#threads.none() : -1;
    const chunkWindows = new ChunkWindows(windows, this.#header, facts.jvm);
    const typed = isLast ? this.#typed(chunkWindows) : null;
    this.#monitors?.notify(this.#threads, isLast);
    let [added, dangling, truncatedStacks] = [0, 0, 0];
    let [leaf, nextLeaf] = [0, leafRows[0] ?? -1];
    // Most samples feed the same metrics as the one before.
    let [lastRule, lastState] = [-1, -1];
    let [metric, counting] = [-1, -1];
    for (let row = 0; row < samples.length; row++) {
      const rule = rules[row]!;
      const stack = stacks[row]!;
      const there = stack >= 0 && present[stack] === 1;
      let node = there ? nodes[stack]! : ROOT_NODE;
      let line = there ? lines[stack]! : 0;
      const isLeaf = row === nextLeaf;
      const leafKey = isLeaf ? leafKeys[leaf++]! : 0;
      if (isLeaf) nextLeaf = leafRows[leaf] ?? -1;
      if (!isLast && this.#isWaiting(stack, leafKey, objects[row]!)) {
        waiting.push(row);
        continue;
      }
      if (isLeaf) {
        const call = { caller: there ? node : -1, window: chunkWindows.at(ticks[row]!), nanos: leafWeights[leaf - 1]! };
        [node, line] = [this.#traced(node, line, this.#methods!.row(leafKey), call), 0];
      }
      if (rule !== lastRule || states[row] !== lastState) {
        lastRule = rule;
        lastState = states[row]!;
        metric = metrics.of(rule, lastState);
        counting = metric < 0 ? -1 : metrics.counting(rule);
      }
      if (metric < 0) continue;
      const thread = threads[row]! < 0 ? noThread : threadRows[threads[row]!]!;
      const window = chunkWindows.at(ticks[row]!);
      const count = counts[row]!;
      builder.add(metric, node, thread, line, window, count, weights[row]!);
      typed?.take(row, { node, row: thread, line });
      this.#noteWait(row, { node, thread, line, window }, chunkWindows);
      if (objects[row]! >= 0) this.#objects.add(metrics.byClass(rule), row, { node, thread, line, window });
      if (counting >= 0) builder.add(counting, node, thread, line, window, count);
      if (!there) facts.withoutStack += count;
      else if (truncated[stack] === 1) truncatedStacks += count;
      added++;
      if (!there && stack >= 0) dangling++;
    }
    typed?.end();
    metrics.countSuperseded(facts.superseded);
    facts.truncatedStacks += truncatedStacks;
    facts.failedSamples += samples.failed;
    if (this.#methods !== null) this.#timings?.addTo(calls.timings, this.#methods, chunkWindows, isLast);
    return { added, dangling, nameless: (this.#methods?.nameless ?? 0) + this.#threads.nameless, waiting };
  }

  /** The node of a traced method below its caller. Adds how long the call took; `caller` is −1 where the node is not the caller's. */
  #traced(node: number, line: number, method: number, call: { caller: number; window: number; nanos: number }): number {
    const { builder } = this.#target;
    const { caller, window, nanos } = call;
    builder.times.addCall(method, caller < 0 ? PARTIAL_METHOD : builder.methodOf(caller), window, nanos);
    this.#timings?.trace(method);
    this.#target.calls.traced++;
    return builder.child(node, method, line === EMPTY_STACK_LINE ? 0 : line);
  }

  #typed(windows: ChunkWindows) {
    if (this.#timeTypes === null) return null;
    const waitOf = (thread: Key, ticks: number) => this.#waitOf(thread, ticks);
    return this.#timeTypes.fold({ ...this.#target, waitOf }, windows, this.#lastTicks());
  }

  /** When the chunk ends. */
  #lastTicks(): number {
    const { startTicks, startMillis, durationMillis, ticksPerSecond, complete } = this.#header;
    const lastMillis = complete && durationMillis > 0 ? startMillis + durationMillis : this.lastMillis();
    return startTicks + ((lastMillis - startMillis) * ticksPerSecond) / 1000;
  }

  /** Keeps the wait that a sample stands for, where it is to become typed time. */
  #noteWait(row: number, place: Place, windows: ChunkWindows): void {
    const { scheduled, samples, rules } = this.#target;
    const { metric } = rules[samples.rule[row]!]!;
    if (scheduled === null || !(metric in TYPE_OF_METRIC)) return;
    const [ticks, nanos, { begin }] = [samples.ticks[row]!, samples.weight[row]!, windows];
    const nanosPerTick = 1e9 / this.#header.ticksPerSecond;
    const parts = windows.parts(Math.max(begin, ticks), ticks + nanos / nanosPerTick);
    const isCrossing = parts.length > 1 || ticks < begin;
    const thread = samples.threadNumbers.keys()[samples.thread[row]!];
    const monitor = metric === 'lock' ? this.#waitOf(thread, ticks) : null;
    scheduled.wait({ place, metric, nanos, nanosPerTick, parts, isCrossing, monitor });
  }

  #waitOf(thread: Key | undefined, ticks: number): MonitorWait | null {
    return thread === undefined ? null : (this.#monitors?.take(this.#threads, thread, ticks) ?? null);
  }

  /** @param from the first of the leaf rows that have come since the last time */
  #takeOwnTimes(from: number): void {
    const { samples, rules, calls } = this.#target;
    const nested = samples.leafRows.slice(from).filter(row => rules[samples.rule[row]!]!.nested);
    calls.ownTimes.subtract(samples, nested, this.#header.ticksPerSecond);
  }

  #place(): PlacedStacks {
    if (this.#methods === null || this.#stackLayout === null)
      return this.#live ?? emptyPlaces(this.#stackOffsets.length);
    const placer = new StackPlacer(this.#context, this.#stackLayout, this.#methods, this.#target.builder);
    return placer.place(this.#stackOffsets);
  }

  #metrics(): ChunkMetrics {
    const { builder, samples, rules, chosen, sources, loadTimes } = this.#target;
    this.#settings.read(this.#plans);
    const states = this.#states.keys();
    const types = new Map([...this.#plans.values()].map(plan => [plan.rule, plan.type]));
    const sampling = (rule: number) => this.#settings.sampling(types.get(rule) ?? 0);
    const wallNanos = (rule: number) => this.#settings.wallNanos(types.get(rule) ?? 0);
    const engine = (rule: number) => this.#settings.engine(types.get(rule) ?? 0);
    for (const { rule, type } of this.#plans.values())
      loadTimes?.told.note(rules[rule]!.event, this.#settings.isOff(type));
    return new ChunkMetrics({ builder, samples, rules, chosen, sources, engine, states, sampling, wallNanos });
  }
}
