// Cuts the time of a recording into windows, the unit of time filtering.
import type { TimeWindow } from '../../cct/profile.ts';

const MAX_WINDOWS = 60;
const MIN_MILLIS = 10_000;

/** Windows of equal length over a span: at most 60, none under 10 s unless the whole span is. */
export class WindowPlan {
  readonly #start: number;
  readonly #length: number;
  readonly #count: number;

  constructor(startMillis: number, endMillis: number) {
    const span = Math.max(1, endMillis - startMillis);
    this.#start = startMillis;
    this.#count = Math.min(MAX_WINDOWS, Math.max(1, Math.floor(span / MIN_MILLIS)));
    this.#length = span / this.#count;
  }

  /** The window of a moment; moments outside the span belong to the nearest one, unknown moments to the first. */
  at(millis: number): number {
    const window = Math.floor((millis - this.#start) / this.#length);
    return window > 0 ? Math.min(window, this.#count - 1) : 0;
  }

  windows(): TimeWindow[] {
    const edge = (i: number) => Math.round(this.#start + i * this.#length);
    return Array.from({ length: this.#count }, (_, i) => ({ startMillis: edge(i), endMillis: edge(i + 1) }));
  }
}
