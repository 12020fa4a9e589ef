// The source of a metric: the writer of the events that feed it. Two writers may see the same, which must not count twice.
import { writerOf } from './event-table.ts';

/** The sources of the metrics of a whole recording: the first writer of samples of a metric is its source. */
export class MetricSources {
  /** Writer by metric. */
  readonly #writers = new Map<string, string>();
  /** The metric that an event of another writer does not feed, by event. */
  readonly #others = new Map<string, string>();

  /** Makes the writer of an event the source of a metric that has none so far. */
  claim(metric: string, event: string): void {
    if (!this.#writers.has(metric)) this.#writers.set(metric, writerOf(event));
  }

  /** Id of the metric that the samples of an event count for: a metric of the event alone where its metric has another source. */
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
