// What a chunk says about how its samples were taken: period, threshold, limit of the rate, and whether elapsed time was sampled.
import type { Metric } from '../../cct/profile.ts';
import type { Key } from './cursor.ts';
import { NotedEvents } from './noted-events.ts';
import type { ChunkContext } from './texts.ts';

const ID = 0;
const NAME = 1;
const VALUE = 2;

const NANOS: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

/** How finely events of one type were recorded. */
export type Sampling = Pick<Metric, 'periodNanos' | 'thresholdNanos' | 'rateLimit'>;

/** The settings in one chunk: made before its scan, read when its pools are there. */
export class Settings {
  readonly #events: NotedEvents;
  readonly #periods = new Map<Key, number>();
  readonly #thresholds = new Map<Key, number>();
  readonly #limits = new Map<Key, number>();
  readonly #walls = new Set<Key>();

  constructor(context: ChunkContext, noted: Map<Key, number[]>) {
    this.#events = new NotedEvents(context, noted, 'jdk.ActiveSetting', ['id', 'name', 'value']);
  }

  /** Takes over what was read before the chunk's metadata changed. */
  goOn(before: Settings): void {
    for (const [type, period] of before.#periods) this.#periods.set(type, period);
    for (const [type, threshold] of before.#thresholds) this.#thresholds.set(type, threshold);
    for (const [type, limit] of before.#limits) this.#limits.set(type, limit);
    for (const type of before.#walls) this.#walls.add(type);
  }

  /** Reads the settings of the event types in `wanted`. */
  read(wanted: { has(type: Key): boolean }): void {
    const take = (event: NotedEvents) => {
      const type = event.key(ID);
      const name = event.text(NAME);
      if (name === 'event' && event.text(VALUE) === 'wall') this.#walls.add(type);
      else if (name === 'period' || name === 'interval') this.#periods.set(type, nanos(event.text(VALUE)));
      else if (name === 'threshold') this.#thresholds.set(type, nanos(event.text(VALUE)));
      else if (name === 'throttle') this.#limit(type, ratePerSecond(event.text(VALUE)));
    };
    // A recorder tells all settings of all its events.
    this.#events.each(take, event => wanted.has(event.key(ID)));
  }

  /** Whether an event type samples threads by elapsed time, whatever they do (async-profiler's `event=wall`). */
  wall(type: Key): boolean {
    return this.#walls.has(type);
  }

  /** What the chunk tells of an event type. */
  sampling(type: Key): Sampling {
    const thresholdNanos = this.#thresholds.get(type);
    const rateLimit = this.#limits.get(type);
    return {
      periodNanos: this.#periods.get(type) ?? 0,
      ...(thresholdNanos !== undefined && { thresholdNanos }),
      ...(rateLimit !== undefined && { rateLimit }),
    };
  }

  #limit(type: Key, rate: number | null): void {
    if (rate === null) this.#limits.delete(type);
    else this.#limits.set(type, rate);
  }
}

/** `150/s`, `60/m`; null for `off` and anything else. */
function ratePerSecond(text: string): number | null {
  const [, number, unit] = /^(\d{1,15}) ?\/ ?([a-z]+)$/.exec(text) ?? [];
  const period = NANOS.get(unit ?? '');
  return period === undefined ? null : (Number(number) * 1e9) / period;
}

/** `10 ms`, or a bare number of nanoseconds; 0 for anything else. */
function nanos(text: string): number {
  const [, number, unit] = /^(\d{1,15}) ?([a-z]*)$/.exec(text) ?? [];
  return number === undefined ? 0 : Number(number) * (unit ? (NANOS.get(unit) ?? 0) : 1);
}
