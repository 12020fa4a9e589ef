// Folds one chunk into the growing profile, in steps: metadata, events, pools, stacks, cells.
import { type ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import type { ChunkHeader } from './chunk-header.ts';
import { HEADER_SIZE } from './chunk-header.ts';
import { Cursor, type Key } from './cursor.ts';
import type { EventRule } from './event-table.ts';
import { type EventPlan, findStructure, planEvent, scanEvents } from './events.ts';
import { FormatError } from './format-error.ts';
import { Layouts } from './layout.ts';
import type { JfrType, MetadataReader, Types } from './metadata.ts';
import { Methods } from './methods.ts';
import { Pools, type PoolWalk, walkChain, walkListed } from './pools.ts';
import { ChunkFacts, type RecordingFacts } from './recording-facts.ts';
import type { Samples } from './samples.ts';
import { emptyPlaces, type PlacedStacks, type StackLayout, StackPlacer, stackLayout } from './stacks.ts';
import type { ChunkContext } from './texts.ts';
import { Threads } from './threads.ts';
import type { WindowPlan } from './windows.ts';

/** What folding needs besides the chunk; one for a whole file. */
export type FoldTarget = {
  readonly builder: ProfileBuilder;
  readonly rules: readonly EventRule[];
  /** Whether rules were asked for by name: then none gives way to another. */
  readonly chosen: boolean;
  readonly names: 'raw' | 'normalised';
  readonly className: (name: string) => string;
  readonly metadata: MetadataReader;
  /** Used for one chunk after the other. */
  readonly samples: Samples;
  readonly facts: RecordingFacts;
  /** Takes what is wrong, with the offset inside the chunk. */
  readonly report: (message: string, offset: number) => void;
};

/** One chunk in memory and the steps that fold it. Call `scan`, then `pools`, then `add`. */
export class ChunkFold {
  readonly #header: ChunkHeader;
  readonly #target: FoldTarget;
  readonly #context: ChunkContext;
  readonly #plans = new Map<Key, EventPlan>();
  readonly #noted = new Map<Key, number[]>();
  readonly #facts: ChunkFacts;
  readonly #stackType: JfrType | undefined;
  readonly #stackLayout: StackLayout | null;
  readonly #methods: Methods | null;
  readonly #threads: Threads;
  readonly #checkpoints: readonly number[];
  #stackOffsets = new Int32Array(0);

  private constructor(
    header: ChunkHeader,
    cursor: Cursor,
    types: Types,
    checkpoints: readonly number[],
    target: FoldTarget,
  ) {
    this.#header = header;
    this.#target = target;
    this.#checkpoints = checkpoints;
    const layouts = new Layouts(types, cursor.compressed);
    this.#context = { cursor, types, layouts, pools: new Pools() };
    let stackType: JfrType | undefined;
    let threadType: JfrType | undefined;
    target.rules.forEach((rule, number) => {
      const plan = planEvent(types, layouts, rule, number, header.ticksPerSecond);
      if (plan === null) return;
      this.#plans.set(plan.type, plan);
      stackType ??= plan.stackType;
      threadType ??= plan.threadType;
    });
    this.#stackType = stackType;
    this.#stackLayout = stackType === undefined ? null : stackLayout(this.#context, stackType);
    const methodType = this.#stackLayout?.methodType;
    this.#methods =
      methodType === undefined
        ? null
        : new Methods(this.#context, methodType, target.builder.methods, target.className);
    this.#threads = new Threads(this.#context, threadType, target.builder.threads, target.names);
    this.#facts = new ChunkFacts(this.#context, this.#noted);
  }

  /** Reads the metadata of a chunk; `bytes` has PADDING zero bytes behind what is available. Null, with a report, when it has none. */
  static open(header: ChunkHeader, bytes: Uint8Array, target: FoldTarget): ChunkFold | null {
    const cursor = new Cursor(bytes, header.available, header.compressed);
    // Only the header of a finished chunk is sure to name the latest events; for others all that can be found are tried.
    const found = header.metadataOffset > 0 && header.checkpointOffset > 0 ? null : findStructure(cursor, HEADER_SIZE);
    const places = header.metadataOffset > 0 ? [header.metadataOffset] : found!.metadata.toReversed();
    for (const place of places) {
      try {
        const types = target.metadata.read(cursor, place);
        return new ChunkFold(header, cursor, types, found?.checkpoints ?? [], target);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        target.report(`the metadata is broken: ${error.message}`, error.offset);
      }
    }
    if (header.available > HEADER_SIZE)
      target.report('the chunk has no readable metadata, so nothing in it can be read', 0);
    return null;
  }

  /** Collects the wanted events. */
  scan(): void {
    this.#target.samples.clear();
    const { cursor } = this.#context;
    const { samples, report } = this.#target;
    scanEvents({ cursor, plans: this.#plans, noted: this.#noted, samples, report }, HEADER_SIZE);
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
    return this.#header.startMillis + ((ticks - this.#header.startTicks) * 1000) / this.#header.ticksPerSecond;
  }

  /** Finds the pool entries that samples may refer to. */
  walkPools(): void {
    const { samples, report } = this.#target;
    this.#stackOffsets = new Int32Array(samples.stackNumbers.size).fill(-1);
    const stacks =
      this.#stackType === undefined
        ? null
        : { type: this.#stackType.id, numbers: samples.stackNumbers, offsets: this.#stackOffsets };
    const state: PoolWalk = { ...this.#context, stacks, report };
    if (this.#header.checkpointOffset > 0) walkChain(state, this.#header.checkpointOffset);
    else walkListed(state, this.#checkpoints);
    this.#facts.addTo(this.#target.facts);
  }

  /** Grows the tree along the stacks and adds the samples. */
  add(windows: WindowPlan): void {
    const { samples, builder, facts, rules, report } = this.#target;
    const placed = this.#place();
    const threadRows = Int32Array.from(samples.threadNumbers.keys(), key => this.#threads.row(key));
    const metrics = this.#metrics();
    const noThread = samples.thread.subarray(0, samples.length).includes(-1) ? this.#threads.none() : -1;
    let dangling = 0;
    for (let row = 0; row < samples.length; row++) {
      const metric = metrics[samples.rule[row]!]!;
      if (metric < 0) continue;
      const stack = samples.stack[row]!;
      const thread = samples.thread[row]! < 0 ? noThread : threadRows[samples.thread[row]!]!;
      const window = windows.at(this.#millis(samples.ticks[row]!));
      const present = stack >= 0 && placed.present[stack] === 1;
      const node = present ? placed.node[stack]! : ROOT_NODE;
      const count = samples.count[row]!;
      const weight = samples.weight[row]!;
      builder.add(metric, node, thread, present ? placed.line[stack]! : 0, window, count, weight);
      if (!present) facts.withoutStack += count;
      else if (placed.truncated[stack] === 1) facts.truncatedStacks += count;
      if (!present && stack >= 0) dangling++;
    }
    if (dangling > 0) report(`${dangling} samples refer to stacks that the chunk does not hold`, 0);
    for (const [number, metric] of metrics.entries()) {
      if (metric >= 0 && rules[number]!.weightIsPeriod) this.#declare(number, this.#period(number));
    }
  }

  #place(): PlacedStacks {
    if (this.#methods === null || this.#stackLayout === null) return emptyPlaces(this.#stackOffsets.length);
    const placer = new StackPlacer(this.#context, this.#stackLayout, this.#methods, this.#target.builder);
    return placer.place(this.#stackOffsets);
  }

  /** Metric numbers by rule; −1 for rules without samples here and for those that give way to more exact events. */
  #metrics(): Int32Array {
    const { samples, rules, chosen } = this.#target;
    const metrics = new Int32Array(rules.length).fill(-1);
    const present = new Set<string>();
    const seen = new Uint8Array(rules.length);
    for (let row = 0; row < samples.length; row++) seen[samples.rule[row]!] = 1;
    for (const [number, rule] of rules.entries()) if (seen[number] === 1) present.add(rule.event);
    for (const [number, rule] of rules.entries()) {
      const superseded = !chosen && rule.supersededBy?.some(event => present.has(event));
      if (seen[number] === 1 && !superseded) metrics[number] = this.#declare(number, 0);
    }
    return metrics;
  }

  #declare(number: number, periodNanos: number): number {
    const { metric, unit, kind, event } = this.#target.rules[number]!;
    return this.#target.builder.metric({ id: metric, unit, kind, events: [event], periodNanos });
  }

  /** The largest weight of a rule's samples. */
  #period(number: number): number {
    const { samples } = this.#target;
    let period = 0;
    for (let row = 0; row < samples.length; row++) {
      if (samples.rule[row] === number && samples.weight[row]! > period) period = samples.weight[row]!;
    }
    return period;
  }
}
