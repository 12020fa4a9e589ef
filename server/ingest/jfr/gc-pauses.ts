// How long the garbage collections of a chunk stopped all threads.

import type { ProfileBuilder } from '../../cct/builder.ts';
import { addCollection, type Collection } from '../../cct/gc-pauses.ts';
import type { Key } from './cursor.ts';
import { divisorOf } from './event-plan.ts';
import { fieldOf } from './metadata.ts';
import { NotedEvents } from './noted-events.ts';
import type { ChunkContext } from './texts.ts';
import type { ChunkWindows } from './windows.ts';

const COLLECTION = 'jdk.GarbageCollection';

/** The collections of one chunk. Made before the scan. */
export class ChunkGcPauses {
  readonly #events: NotedEvents;
  /** The divisor that turns the unit of pauses into nanoseconds. */
  readonly #divisor: number;
  #found: (Collection & { readonly ticks: number })[] = [];

  constructor(context: ChunkContext, noted: Map<Key, number[]>, ticksPerSecond: number) {
    this.#events = new NotedEvents(context, noted, COLLECTION, ['startTime', 'sumOfPauses', 'name', 'cause']);
    const unit = fieldOf(context.types.event(COLLECTION), 'sumOfPauses')?.unit ?? '';
    this.#divisor = divisorOf(unit, ticksPerSecond);
  }

  /** Leaves out the collections that stand before a place: they were imported before. */
  leaveOut(before: number): void {
    this.#events.leaveOut(before);
  }

  /** Reads the events that the scan has noted. */
  read(): void {
    this.#events.each(event => {
      const nanos = event.number(1) / this.#divisor;
      this.#found.push({ ticks: event.number(0), nanos, collector: event.text(2), cause: event.text(3) });
    });
  }

  /** Takes over the collections that the reader of the chunk's earlier part has read and not added. */
  goOn(before: ChunkGcPauses): void {
    this.#found = before.#found;
  }

  /** Adds the collections that were read since the last time; `windows` is null where they were added before. */
  fold(builder: ProfileBuilder, windows: ChunkWindows | null): void {
    if (windows !== null) for (const each of this.#found) addCollection(builder, windows.at(each.ticks), each);
    this.#found = [];
  }
}
