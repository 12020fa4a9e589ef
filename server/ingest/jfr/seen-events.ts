// Which events a recording has: told where none of them becomes a sample.
import { firstNames } from '../../base/printable.ts';
import type { Cursor } from './cursor.ts';
import { fieldOf, type Types } from './metadata.ts';

/** More types than these are only counted. */
const MOST_NAMED = 12;
/** Ids of the events that hold metadata and checkpoints. */
const LAST_STRUCTURE = 1;

/** How many events there are of each type, by name. */
export class SeenEvents {
  readonly #types = new Map<string, { readonly hasStack: boolean; count: number }>();

  /** Counts the events of a chunk from `from` on, as far as their sizes lead. */
  add(cursor: Cursor, types: Types, from: number): void {
    for (let pos = from; pos < cursor.end; ) {
      cursor.pos = pos;
      const size = cursor.int();
      const id = cursor.key();
      if (size <= 0 || size > cursor.end - pos) break;
      pos += size;
      const type = id > LAST_STRUCTURE ? types.byId.get(id) : undefined;
      if (type === undefined) continue;
      const seen = this.#types.get(type.name);
      if (seen === undefined)
        this.#types.set(type.name, { hasStack: fieldOf(type, 'stackTrace') !== undefined, count: 1 });
      else seen.count++;
    }
  }

  /** `jdk.ExecutionSample, jdk.CPULoad and 3 more`: event types that can have a stack first, then the most frequent; empty where there are none. */
  text(): string {
    const names = Array.from(this.#types, ([name, seen]) => ({ name, ...seen }))
      .sort((a, b) => Number(b.hasStack) - Number(a.hasStack) || b.count - a.count || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name);
    return firstNames(names, MOST_NAMED);
  }
}
