// Which threads had the monitors that other threads began to wait for.

import type { Threads } from './chunk-threads.ts';
import type { Key } from './cursor.ts';
import { NotedEvents } from './noted-events.ts';
import type { ChunkContext } from './texts.ts';

/** The owners of one chunk. Made before the scan. */
export class MonitorOwners {
  readonly #entered: NotedEvents;
  /** By the waiting thread and the moment at which its wait began. */
  readonly #owners = new Map<string, Key>();

  constructor(context: ChunkContext, noted: Map<Key, number[]>) {
    const fields = ['eventThread', 'startTime', 'previousOwner'];
    this.#entered = new NotedEvents(context, noted, 'jdk.JavaMonitorEnter', fields);
  }

  /** Reads the events that the scan has noted. */
  read(): void {
    this.#entered.each(event => {
      const owner = event.key(2);
      if (owner !== 0) this.#owners.set(`${event.key(0)} ${event.number(1)}`, owner);
    });
  }

  /** Class of the threads that had the monitor, for one wait once; null where the event does not tell. */
  take(threads: Threads, waiting: Key, ticks: number): string | null {
    const wait = `${waiting} ${ticks}`;
    const owner = this.#owners.get(wait);
    if (owner === undefined) return null;
    this.#owners.delete(wait);
    return threads.className(owner);
  }
}
