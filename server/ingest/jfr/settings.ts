// What a chunk says about how its samples were taken: the period, and whether elapsed time was sampled.
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

/** The settings in one chunk: made before its scan, read when its pools are there. */
export class Settings {
  readonly #events: NotedEvents;
  readonly #periods = new Map<Key, number>();
  readonly #walls = new Set<Key>();

  constructor(context: ChunkContext, noted: Map<Key, number[]>) {
    this.#events = new NotedEvents(context, noted, 'jdk.ActiveSetting', ['id', 'name', 'value']);
  }

  /** Takes over what was read before the chunk's metadata changed. */
  goOn(before: Settings): void {
    for (const [type, period] of before.#periods) this.#periods.set(type, period);
    for (const type of before.#walls) this.#walls.add(type);
  }

  /** Reads the settings of the event types in `wanted`. */
  read(wanted: { has(type: Key): boolean }): void {
    const take = (event: NotedEvents) => {
      const type = event.key(ID);
      const name = event.text(NAME);
      if (name === 'event' && event.text(VALUE) === 'wall') this.#walls.add(type);
      else if (name === 'period' || name === 'interval') this.#periods.set(type, nanos(event.text(VALUE)));
    };
    // A recorder tells all settings of all its events.
    this.#events.each(take, event => wanted.has(event.key(ID)));
  }

  /** Whether an event type samples threads by elapsed time, whatever they do (async-profiler's `event=wall`). */
  wall(type: Key): boolean {
    return this.#walls.has(type);
  }

  /** Nanoseconds between two samples of an event type; 0 where the chunk does not tell. */
  periodNanos(type: Key): number {
    return this.#periods.get(type) ?? 0;
  }
}

/** `10 ms`, or a bare number of nanoseconds; 0 for anything else. */
function nanos(text: string): number {
  const [, number, unit] = /^(\d{1,15}) ?([a-z]*)$/.exec(text) ?? [];
  return number === undefined ? 0 : Number(number) * (unit ? (NANOS.get(unit) ?? 0) : 1);
}
