// Reads which monitor a thread waited for, and which thread had it last before.

import type { Threads } from './chunk-threads.ts';
import type { Key } from './cursor.ts';
import { divisorOf } from './event-plan.ts';
import { fieldOf } from './metadata.ts';
import type { MonitorHolders, MonitorWait } from './monitor-holders.ts';
import { NotedEvents } from './noted-events.ts';
import type { ChunkContext } from './texts.ts';

const ENTER = 'jdk.JavaMonitorEnter';
const WAIT = 'jdk.JavaMonitorWait';
const FIELDS = ['eventThread', 'startTime', 'duration', 'address'];

/** A thread that notified another one; it has a name when a checkpoint has described it. */
type Notified = { readonly address: Key; readonly notifier: Key; readonly woken: number };

/** The facts of an event; its threads have names when a checkpoint has described them. */
type Told = Pick<MonitorWait, 'address' | 'owner' | 'until'>;

/** The waits of one chunk. Made before the scan. */
export class MonitorWaits {
  readonly #entered: NotedEvents;
  readonly #waited: NotedEvents;
  readonly #holders: MonitorHolders;
  /** Ticks of one unit of a duration, by event. */
  readonly #enterTicks: number;
  readonly #waitTicks: number;
  /** By the waiting thread and the moment at which its wait began. */
  readonly #told = new Map<string, Told>();
  #notified: Notified[] = [];

  /** @param holders takes the waits in which threads gave a monitor back */
  constructor(context: ChunkContext, noted: Map<Key, number[]>, ticksPerSecond: number, holders: MonitorHolders) {
    this.#entered = new NotedEvents(context, noted, ENTER, [...FIELDS, 'previousOwner']);
    this.#waited = new NotedEvents(context, noted, WAIT, [...FIELDS, 'notifier']);
    this.#holders = holders;
    const ticksOf = (event: string) => {
      const unit = fieldOf(context.types.event(event), 'duration')?.unit ?? '';
      return ticksPerSecond / 1e9 / divisorOf(unit, ticksPerSecond);
    };
    this.#enterTicks = ticksOf(ENTER);
    this.#waitTicks = ticksOf(WAIT);
  }

  /** Reads the events that the scan has noted. */
  read(): void {
    this.#entered.each(event => {
      const [thread, from] = [event.key(0), event.number(1)];
      const until = from + event.number(2) * this.#enterTicks;
      this.#told.set(`${thread} ${from}`, { until, address: event.key(3), owner: event.key(4) });
    });
    this.#waited.each(event => {
      const [address, notifier, from] = [event.key(3), event.key(4), event.number(1)];
      const woken = from + event.number(2) * this.#waitTicks;
      this.#holders.addGivenBack(address, event.key(0), from, woken);
      if (notifier !== 0) this.#notified.push({ address, notifier, woken });
    });
  }

  /**
   * Hands on which threads notified others.
   * @param isLast whether nothing more will describe them
   */
  notify(threads: Threads, isLast: boolean): void {
    this.#notified = this.#notified.filter(({ address, notifier, woken }) => {
      if (!isLast && !threads.has(notifier)) return true;
      this.#holders.addNotified(address, notifier, nameOf(threads, notifier), woken);
      return false;
    });
  }

  /** A wait with the names of its threads, once; null where the event does not tell of it. */
  take(threads: Threads, thread: Key, from: number): MonitorWait | null {
    const key = `${thread} ${from}`;
    const told = this.#told.get(key);
    if (told === undefined) return null;
    this.#told.delete(key);
    return { ...told, thread, from, name: nameOf(threads, thread), ownerName: nameOf(threads, told.owner) };
  }
}

/** Class of a thread; null for one that is not described, or has no name. */
function nameOf(threads: Threads, thread: Key): string | null {
  return thread === 0 ? null : threads.className(thread) || null;
}
