// Decides which metric each sample of a chunk belongs to, and declares metrics when their first sample comes.
import type { ProfileBuilder } from '../../cct/builder.ts';
import { classesMetricId } from '../../model/object-classes.ts';
import type { EventRule } from './event-table.ts';
import type { MetricSources } from './metric-sources.ts';
import type { Samples } from './samples.ts';
import type { Sampling } from './settings.ts';
import type { StateKeys } from './thread-states.ts';

const UNDECIDED = -2;
const NONE = -1;

/** The data for the decision besides the samples. */
type MetricChoice = {
  readonly builder: ProfileBuilder;
  readonly rules: readonly EventRule[];
  /** Whether rules were asked for by name: then none gives way to another. */
  readonly chosen: boolean;
  readonly samples: Samples;
  readonly sources: MetricSources;
  /** By what async-profiler took a rule's samples; null where the chunk does not tell. */
  readonly engine: (rule: number) => 'wall' | 'cpu' | null;
  readonly states: StateKeys;
  /** How finely a rule's event was recorded, as far as the chunk tells. */
  readonly sampling: (rule: number) => Sampling;
  /** Nanoseconds between two samples of elapsed time; 0 where the chunk does not tell. */
  readonly wallNanos: (rule: number) => number;
};

/** Metric numbers for the samples of one chunk. */
export class ChunkMetrics {
  readonly #choice: MetricChoice;
  readonly #present: ReadonlySet<string>;
  readonly #plain: Int32Array;
  readonly #walls: Int32Array;
  readonly #counts: Int32Array;
  readonly #classes: Int32Array;
  /** Undefined for rules without states. */
  readonly #engines: readonly ('wall' | 'cpu' | null | undefined)[];

  constructor(choice: MetricChoice) {
    const { rules, samples } = choice;
    this.#choice = choice;
    const seen = new Uint8Array(rules.length);
    for (let row = 0; row < samples.length; row++) seen[samples.rule[row]!] = 1;
    this.#present = new Set(rules.filter((_, rule) => seen[rule] === 1).map(({ event }) => event));
    this.#engines = rules.map((each, rule) => (each.state === undefined ? undefined : choice.engine(rule)));
    const undecided = () => new Int32Array(rules.length).fill(UNDECIDED);
    [this.#plain, this.#walls] = [undecided(), undecided()];
    [this.#counts, this.#classes] = [undecided(), undecided()];
    // Of several writers that begin in one chunk the first of the table is the source.
    rules.forEach(({ event, metric }, rule) => {
      if (seen[rule] === 1) choice.sources.claim(this.#engines[rule] === 'wall' ? 'wall' : metric, event);
    });
  }

  /** The metric of a sample by its rule and its thread's state; −1 when its rule gives way to more exact events. */
  of(rule: number, state: number): number {
    const toWall = this.#engines[rule] !== undefined && this.#isWall(this.#engines[rule], state);
    const column = toWall ? this.#walls : this.#plain;
    const known = column[rule]!;
    if (known !== UNDECIDED) return known;
    const metric = this.#superseded(rule) ? NONE : this.#declare(rule, toWall);
    column[rule] = metric;
    return metric;
  }

  /** With an engine of elapsed time, all its samples have a state other than the default; a thread asleep has no other engine. */
  #isWall(engine: 'wall' | 'cpu' | null, state: number): boolean {
    const { states } = this.#choice;
    return engine === 'wall' ? state !== states.default : engine === null && state === states.asleep;
  }

  /** The metric that takes the bare number of a rule's events besides; −1 for none. */
  counting(rule: number): number {
    const known = this.#counts[rule]!;
    if (known !== UNDECIDED) return known;
    const { kind, event, counts } = this.#choice.rules[rule]!;
    const metric =
      counts === undefined
        ? NONE
        : this.#choice.builder.metric({ id: counts, unit: 'invocations', kind, events: [event], periodNanos: 0 });
    this.#counts[rule] = metric;
    return metric;
  }

  /** The metric that takes the samples of a rule by the class of their object. */
  byClass(rule: number): number {
    const known = this.#classes[rule]!;
    if (known !== UNDECIDED) return known;
    const { builder, rules, sources } = this.#choice;
    const { unit, kind, event, metric } = rules[rule]!;
    const id = classesMetricId(sources.idFor(metric, event));
    this.#classes[rule] = builder.metric({ id, unit, kind, events: [], periodNanos: 0 });
    return this.#classes[rule]!;
  }

  /** Adds to the counts of events that gave way to more exact ones. */
  countSuperseded(counts: Map<string, number>): void {
    const { rules, samples } = this.#choice;
    rules.forEach(({ event }, rule) => {
      if (this.#plain[rule] !== NONE) return;
      const events = samples.rule.subarray(0, samples.length).reduce((sum, each) => sum + Number(each === rule), 0);
      counts.set(event, (counts.get(event) ?? 0) + events);
    });
  }

  #superseded(rule: number): boolean {
    const { chosen, rules } = this.#choice;
    return !chosen && rules[rule]!.supersededBy?.some(event => this.#present.has(event)) === true;
  }

  #declare(number: number, toWall: boolean): number {
    const { builder, rules, sampling, sources, wallNanos } = this.#choice;
    const rule = rules[number]!;
    const isWall = toWall || rule.metric === 'wall';
    const elapsed = isWall ? { periodNanos: wallNanos(number) } : {};
    const period = rule.weightIsPeriod ? { periodNanos: this.#largestWeight(number) } : elapsed;
    const { unit, kind, event } = rule;
    const id = sources.idFor(toWall ? 'wall' : rule.metric, event);
    return builder.metric({ id, unit, kind, events: [event], ...sampling(number), ...period });
  }

  #largestWeight(rule: number): number {
    const { samples } = this.#choice;
    let largest = 0;
    for (let row = 0; row < samples.length; row++) {
      if (samples.rule[row] === rule && samples.weight[row]! > largest) largest = samples.weight[row]!;
    }
    return largest;
  }
}
