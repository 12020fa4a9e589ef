// The settings by which a chunk's samples were taken: period, threshold, limit of the rate, and whether elapsed time was sampled.
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
  readonly #enabled = new Map<Key, boolean>();
  /** Event types and intervals of async-profiler's own settings `wall=<ns>`. */
  readonly #walls = new Map<Key, number>();
  /** Type of the event of which async-profiler makes the settings of the recording as a whole. */
  readonly #recording: Key | undefined;
  /** The engine of async-profiler, by event type: `cpu`, `itimer`, `wall`. */
  readonly #engines = new Map<Key, string>();

  constructor(context: ChunkContext, noted: Map<Key, number[]>) {
    this.#recording = context.types.event('jdk.ActiveRecording')?.id;
    this.#events = new NotedEvents(context, noted, 'jdk.ActiveSetting', ['id', 'name', 'value']);
  }

  /** Takes over what was read before the chunk's metadata changed. */
  goOn(before: Settings): void {
    for (const [type, period] of before.#periods) this.#periods.set(type, period);
    for (const [type, threshold] of before.#thresholds) this.#thresholds.set(type, threshold);
    for (const [type, limit] of before.#limits) this.#limits.set(type, limit);
    for (const [type, isOn] of before.#enabled) this.#enabled.set(type, isOn);
    for (const [type, interval] of before.#walls) this.#walls.set(type, interval);
    for (const [type, engine] of before.#engines) this.#engines.set(type, engine);
  }

  /** Reads the settings of the event types in `wanted`, and those of the recording. */
  read(wanted: { has(type: Key): boolean }): void {
    const take = (event: NotedEvents) => {
      const type = event.key(ID);
      const name = event.text(NAME);
      const value = event.text(VALUE);
      if (name === 'event' && value !== '') this.#engines.set(type, value);
      else if (name === 'wall') this.#walls.set(type, nanos(value));
      else if (name === 'threshold') this.#thresholds.set(type, nanos(value));
      else if (name === 'enabled') this.#enabled.set(type, value === 'true');
      else if (name === 'throttle') this.#limit(type, ratePerSecond(value));
      else if (type !== this.#recording && (name === 'period' || name === 'interval'))
        this.#periods.set(type, nanos(value));
    };
    // A recorder tells all settings of all its events.
    this.#events.each(take, event => event.key(ID) === this.#recording || wanted.has(event.key(ID)));
  }

  /**
   * The kind of async-profiler's samples of an event type, which have a state each: `wall` where an engine samples threads by
   * elapsed time, whatever they do (`event=wall`, `wall=<ns>`); `cpu` where only another engine runs; null where no setting tells.
   */
  engine(type: Key): 'wall' | 'cpu' | null {
    const engine = this.#of(this.#engines, type);
    if (engine === 'wall' || (this.#of(this.#walls, type) ?? 0) > 0) return 'wall';
    return engine === undefined ? null : 'cpu';
  }

  /** Nanoseconds between two samples of elapsed time; 0 where the chunk does not tell. */
  wallNanos(type: Key): number {
    const told = this.#of(this.#walls, type) ?? this.#periods.get(type) ?? 0;
    // For its events of several samples async-profiler sets the interval at the event of one sample.
    const others = [...this.#walls.values(), ...(this.engine(type) === 'wall' ? this.#periods.values() : [])];
    return told > 0 ? told : (others.find(interval => interval > 0) ?? 0);
  }

  #of<T>(settings: ReadonlyMap<Key, T>, type: Key): T | undefined {
    return settings.get(type) ?? (this.#recording === undefined ? undefined : settings.get(this.#recording));
  }

  /** The settings of an event type in the chunk. */
  sampling(type: Key): Sampling {
    const thresholdNanos = this.#thresholds.get(type);
    const rateLimit = this.#limits.get(type);
    return {
      periodNanos: this.#periods.get(type) ?? 0,
      ...(thresholdNanos !== undefined && { thresholdNanos }),
      ...(rateLimit !== undefined && { rateLimit }),
    };
  }

  /** Whether the chunk tells that an event was not recorded. */
  isOff(type: Key): boolean {
    return this.#enabled.get(type) === false;
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
