// Grows the table of threads: rows of (group, name, virtual).

import { shortened } from './limits.ts';
import type { ThreadTable } from './profile.ts';
import { sharedUint8 } from './shared-columns.ts';
import { threadGroupName } from './thread-groups.ts';

const MAX_RAW_NAMES = 1000;

/** Rows of one group while it grows: the threads beyond these have the group's row. It is decided in the end which groups keep their names. */
const MOST_GROWING = 1024;

/** Interns threads. With `names: 'raw'` every distinct name keeps a row of its own, for exports; else of each group only so many. */
export class ThreadTableBuilder {
  readonly #names: 'raw' | 'normalised';
  readonly #rows = new Map<string, number>();
  readonly #group: string[] = [];
  readonly #name: string[] = [];
  readonly #virtual: boolean[] = [];
  readonly #rawNames: Set<string>[] = [];
  /** How many threads of a group have a row, by the group's key. */
  readonly #singles = new Map<string, number>();
  #rawCount = 0;
  /** How often a name was too long to be kept whole. */
  shortenedTexts = 0;

  constructor(names: 'raw' | 'normalised') {
    this.#names = names;
  }

  /** Number of thread rows so far. */
  get length(): number {
    return this.#name.length;
  }

  /** The row of a thread; `fullName` as the recorder gave it, empty where it had none. Names that are too long are shortened. */
  thread(fullGroup: string, fullName: string, virtual: boolean): number {
    const group = shortened(fullGroup);
    const rawName = shortened(fullName);
    if (group !== fullGroup || rawName !== fullName) this.shortenedTexts++;
    const known = this.#rows.get(keyOf(group, rawName, virtual));
    if (known !== undefined) return known;
    const name = this.#names === 'raw' ? rawName : this.#kept(group, rawName, virtual);
    const key = keyOf(group, name, virtual);
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = this.#name.push(name) - 1;
      this.#group.push(group);
      this.#virtual.push(virtual);
      this.#rawNames.push(new Set());
      this.#rows.set(key, row);
    }
    const raw = this.#rawNames[row]!;
    if (rawName !== name && this.#rawCount < MAX_RAW_NAMES && !raw.has(rawName)) {
      raw.add(rawName);
      this.#rawCount++;
    }
    return row;
  }

  /** The name of the thread's row: its own as long as its group has room, else the group's. */
  #kept(group: string, name: string, virtual: boolean): string {
    const ofGroup = threadGroupName(name);
    if (ofGroup === name) return name;
    const key = keyOf(group, ofGroup, virtual);
    const singles = this.#singles.get(key) ?? 0;
    if (singles >= MOST_GROWING) return ofGroup;
    this.#singles.set(key, singles + 1);
    return name;
  }

  /** The table as columns; the builder may go on growing afterwards. */
  finish(): ThreadTable {
    const virtual = sharedUint8(this.length);
    for (let row = 0; row < this.length; row++) virtual[row] = this.#virtual[row] ? 1 : 0;
    return {
      length: this.length,
      group: this.#group.slice(),
      name: this.#name.slice(),
      virtual,
      rawNames: this.#rawNames.map(names => [...names]),
    };
  }
}

function keyOf(group: string, name: string, virtual: boolean): string {
  return `${virtual ? 1 : 0}${group}\0${name}`;
}
