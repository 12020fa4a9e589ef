// Exact invocations and times of methods as jdk.MethodTiming sums them up: no stacks, and totals that grow from event to event.
import { type ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import type { MethodTableBuilder } from '../../cct/method-table.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import type { MethodTiming } from '../ingest.ts';
import type { Key } from './cursor.ts';
import { divisorOf } from './event-plan.ts';
import type { EventRule } from './event-table.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import type { Methods } from './methods.ts';
import { NotedEvents } from './noted-events.ts';
import type { ChunkContext } from './texts.ts';
import type { ChunkWindows } from './windows.ts';

const FIELDS = ['startTime', 'method', 'invocations', 'minimum', 'average', 'maximum'];
const [START, METHOD, INVOCATIONS, MINIMUM, AVERAGE, MAXIMUM] = [0, 1, 2, 3, 4, 5] as const;

type Sums = { invocations: number; nanos: number };
const HASH_LENGTH = 22;
const NOTHING: Readonly<Sums> = { invocations: 0, nanos: 0 };
/** The sums of one method's events so far; `latest` are the totals of the JVM being read. */
type Timed = {
  latest: Readonly<Sums>;
  /** All sums of the method, also where its single calls were traced. */
  readonly whole: Sums;
  minimum: number | null;
  maximum: number | null;
  readonly windows: Map<number, Sums>;
  /** The method's first event here: `whole` as it was then, and the moment; null before any event. */
  first: { readonly invocations: number; readonly millis: number } | null;
  lastMillis: number;
};

function newTimed(latest: Readonly<Sums>): Timed {
  return {
    latest,
    whole: { ...NOTHING },
    minimum: null,
    maximum: null,
    windows: new Map(),
    first: null,
    lastMillis: 0,
  };
}

/** Stands for the window of sums whose single calls are in the profile already. */
const TRACED = -1;

/** One event: what its method came to so far. */
type Told = {
  readonly method: Key;
  readonly ticks: number;
  readonly invocations: number;
  readonly times: readonly [minimum: number | null, average: number | null, maximum: number | null];
};

/** The totals of a method so far, to go on from there. Names may be secret, so it is called by their hash. */
export type MethodTotal = { readonly method: string; readonly invocations: number; readonly nanos: number };

function hashOf(method: number, table: MethodTableBuilder): string {
  // Few recordings time methods, and this takes longer to load than most of what reads one.
  return process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(JSON.stringify(table.texts(method)))
    .digest('base64url')
    .slice(0, HASH_LENGTH);
}

/** The events of one chunk: made before its scan, read when they have been noted, added when its pools are there. */
export class ChunkTimings {
  readonly #events: NotedEvents;
  /** Events that were read and not added. */
  #told: Told[] = [];
  /** Rows of methods whose single calls were seen: their sums are in the same metrics already, with callers. */
  #traced: Set<number> = new Set();
  readonly #divisor: number;
  /** Type of the methods that they are about. */
  readonly methodType: JfrType | undefined;

  constructor(context: ChunkContext, noted: Map<Key, number[]>, rule: EventRule, ticksPerSecond: number) {
    const type = context.types.byName.get(rule.event);
    this.#events = new NotedEvents(context, noted, rule.event, FIELDS);
    const method = fieldOf(type, FIELDS[METHOD]!);
    this.methodType = method?.pooled ? context.types.of(method) : undefined;
    this.#divisor = divisorOf(fieldOf(type, FIELDS[AVERAGE]!)?.unit ?? '', ticksPerSecond);
  }

  /** Takes over what was read before the chunk's metadata changed and waits for its methods. */
  goOn(before: ChunkTimings | null): void {
    if (before !== null) [this.#told, this.#traced] = [before.#told, before.#traced];
  }

  /** A single call of the method was seen. */
  trace(method: number): void {
    this.#traced.add(method);
  }

  /** Reads what has been noted. */
  read(): void {
    this.#events.each(event => {
      const nanos = (field: number) => {
        const value = event.number(field);
        // The recorder's smallest long says that the clock was too coarse to tell.
        return value < 0 ? null : Math.trunc(value / this.#divisor);
      };
      const invocations = Math.max(0, event.number(INVOCATIONS));
      const times = [nanos(MINIMUM), nanos(AVERAGE), nanos(MAXIMUM)] as const;
      this.#told.push({ method: event.key(METHOD), ticks: event.number(START), invocations, times });
    });
  }

  /**
   * Adds what was read to `timings`.
   * @param windows null when all was added before
   * @param isLast whether events are added as well whose methods have not come, or wait for them
   */
  addTo(timings: MethodTimings, methods: Methods, windows: ChunkWindows | null, isLast: boolean): void {
    const waiting: Told[] = [];
    for (const told of this.#told) {
      const { method, ticks, invocations, times } = told;
      if (isLast || methods.has(method)) {
        const row = methods.row(method);
        const window = this.#traced.has(row) ? TRACED : (windows?.at(ticks) ?? 0);
        timings.add(row, windows === null ? null : { window, millis: windows.millisAt(ticks) }, invocations, ...times);
      } else waiting.push(told);
    }
    this.#told = waiting;
  }
}

/** Asks of a method, as a filter of the JVM names it (`com.acme.Shop::search`), and of a moment in milliseconds since the epoch. */
export type IsLeftOut = (filter: string, millis: number) => boolean;

/** Gathered over the chunks of a file, by rows of the profile's method table. */
export class MethodTimings {
  readonly #timed = new Map<number, Timed>();
  /** The sums of an earlier reading, of methods that this one has not met. */
  readonly #before = new Map<string, Sums>();
  #table: MethodTableBuilder | null = null;
  #isLeftOut: IsLeftOut = () => false;

  /** The events that follow are another JVM's: its totals start from zero. */
  forget(): void {
    for (const timed of this.#timed.values()) timed.latest = { invocations: 0, nanos: 0 };
  }

  /** Begins the next profile: the sums so far are in the one before. */
  beginAnew(): void {
    for (const timed of this.#timed.values()) timed.windows.clear();
  }

  /** Goes on from what an earlier reading of the same JVM came to; methods will be rows of `table`. */
  goOn(totals: readonly MethodTotal[], table: MethodTableBuilder): void {
    this.#table = table;
    for (const { method, invocations, nanos } of totals) this.#before.set(method, { invocations, nanos });
  }

  /** Keeps nothing of the sums of which `isLeftOut` says so. */
  leaveOut(isLeftOut: IsLeftOut): void {
    this.#isLeftOut = isLeftOut;
  }

  /** The totals of all methods so far, when `goOn` was called. */
  totals(): MethodTotal[] {
    const table = this.#table;
    if (table === null) return [];
    const met = [...this.#timed].map(([method, { latest }]) => [hashOf(method, table), latest] as const);
    return [...this.#before, ...met].map(([method, { invocations, nanos }]) => ({ method, invocations, nanos }));
  }

  #filterOf(method: number): string {
    const [className, name] = this.#table?.texts(method) ?? [];
    return `${className}::${name}`;
  }

  /** Where a method that is met for the first time goes on from. */
  #takeBefore(method: number): Readonly<Sums> {
    if (this.#table === null || this.#before.size === 0) return NOTHING;
    const hash = hashOf(method, this.#table);
    const sums = this.#before.get(hash) ?? NOTHING;
    this.#before.delete(hash);
    return sums;
  }

  /**
   * Takes a method's totals since its JVM began to time it.
   * @param at when the JVM told them; null when they were taken before. The window is TRACED where its single calls were taken
   */
  add(
    method: number,
    at: { readonly window: number; readonly millis: number } | null,
    invocations: number,
    minimum: number | null,
    average: number | null,
    maximum: number | null,
  ): void {
    const timed = this.#timed.get(method) ?? newTimed(this.#takeBefore(method));
    this.#timed.set(method, timed);
    // Fewer than before: the recorder began anew.
    const before = invocations < timed.latest.invocations ? NOTHING : timed.latest;
    const latest = { invocations, nanos: average === null ? before.nanos : invocations * average };
    if (at !== null && !this.#isLeftOut(this.#filterOf(method), at.millis)) {
      const { window, millis } = at;
      const sums = window === TRACED ? null : (timed.windows.get(window) ?? { ...NOTHING });
      for (const each of sums === null ? [timed.whole] : [timed.whole, sums]) {
        each.invocations += invocations - before.invocations;
        // The average is rounded, so a total may seem to shrink by a little.
        each.nanos += Math.max(0, latest.nanos - before.nanos);
      }
      if (sums !== null) timed.windows.set(window, sums);
      timed.first ??= { invocations: timed.whole.invocations, millis };
      timed.lastMillis = millis;
    }
    timed.latest = latest;
    if (minimum !== null) timed.minimum = Math.min(minimum, timed.minimum ?? minimum);
    if (maximum !== null) timed.maximum = Math.max(maximum, timed.maximum ?? maximum);
  }

  /**
   * Puts them into the metrics of `rule`, each method directly below the root, and into the response times, each without its caller. Sums of
   * calls that were traced are left out.
   */
  addTo(builder: ProfileBuilder, rule: EventRule, thread: () => number): void {
    for (const [method, { windows, minimum, maximum }] of this.#timed) {
      if (windows.size === 0) continue;
      const metric = { kind: rule.kind, events: [rule.event], periodNanos: 0 };
      const calls = builder.metric({ ...metric, id: rule.counts!, unit: 'invocations' });
      const time = builder.metric({ ...metric, id: rule.metric, unit: rule.unit });
      const node = builder.child(ROOT_NODE, method, 0);
      for (const [window, { invocations, nanos }] of windows) {
        if (invocations === 0) continue;
        builder.add(calls, node, thread(), 0, window, invocations);
        builder.add(time, node, thread(), 0, window, invocations, nanos);
        // The extremes are those of all windows; a clock that was too coarse for them leaves the mean.
        const mean = nanos / invocations;
        const extremes = { least: Math.min(minimum ?? mean, mean), greatest: Math.max(maximum ?? mean, mean) };
        builder.times.addSums(method, PARTIAL_METHOD, window, { count: invocations, sum: nanos, ...extremes });
      }
    }
  }

  /** For each method all that is known of it. */
  list(): MethodTiming[] {
    return [...this.#timed].map(
      ([
        method,
        {
          minimum,
          maximum,
          whole: { invocations, nanos },
          first,
          lastMillis,
        },
      ]) => {
        return {
          method,
          invocations,
          minimumNanos: minimum,
          averageNanos: minimum === null || invocations === 0 ? null : nanos / invocations,
          maximumNanos: maximum,
          sinceFirst: {
            invocations: invocations - (first?.invocations ?? 0),
            millis: first === null ? 0 : lastMillis - first.millis,
          },
        };
      },
    );
  }
}
