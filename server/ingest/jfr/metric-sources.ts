// Decides whose events a metric of a recording is made of: two writers may see the same, which must not count twice.
import { writerOf } from './event-table.ts';

/** One for a whole recording: the first writer of whom a metric has samples is its source. */
export class MetricSources {
  /** By metric. */
  readonly #writers = new Map<string, string>();
  /** By event of another writer: the metric whose source it is not. */
  readonly #others = new Map<string, string>();

  /** Makes the writer of an event the source of a metric that has none so far. */
  claim(metric: string, event: string): void {
    if (!this.#writers.has(metric)) this.#writers.set(metric, writerOf(event));
  }

  /** Id of the metric that the samples of an event count for: one of their own where the metric has another source. */
  idFor(metric: string, event: string): string {
    this.claim(metric, event);
    if (this.#writers.get(metric) === writerOf(event)) return metric;
    this.#others.set(event, metric);
    return event;
  }

  /** Events that became metrics of their own, with the metric that they would have fed. */
  get others(): ReadonlyMap<string, string> {
    return this.#others;
  }
}
