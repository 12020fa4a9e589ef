// Grows the table of threads: rows of (group, name, virtual) with names normalised so that pools and runs merge.

import { shortened } from './limits.ts';
import type { ThreadTable } from './profile.ts';
import { sharedUint8 } from './shared-columns.ts';

const MAX_RAW_NAMES = 1000;

/** A thread name with every run of digits as `#`: `pool-3-thread-17` becomes `pool-#-thread-#`. */
function normaliseThreadName(name: string): string {
  return name.replace(/\d+/g, '#');
}

/** Interns threads. With `names: 'raw'` every distinct name keeps a row of its own, for exports. */
export class ThreadTableBuilder {
  readonly #names: 'raw' | 'normalised';
  readonly #rows = new Map<string, number>();
  readonly #group: string[] = [];
  readonly #name: string[] = [];
  readonly #virtual: boolean[] = [];
  readonly #rawNames: Set<string>[] = [];
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
    const name = this.#names === 'raw' ? rawName : normaliseThreadName(rawName);
    const key = `${virtual ? 1 : 0}${group}\0${name}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = this.#name.push(name) - 1;
      this.#group.push(group);
      this.#virtual.push(virtual);
      this.#rawNames.push(new Set());
      this.#rows.set(key, row);
    }
    const raw = this.#rawNames[row]!;
    if (rawName !== '' && this.#rawCount < MAX_RAW_NAMES && !raw.has(rawName)) {
      raw.add(rawName);
      this.#rawCount++;
    }
    return row;
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
