// Grows the table of methods that a tree refers to: strings and (class, name, descriptor) rows, each kept once.

import { LONGEST_TEXT, shortened } from './limits.ts';
import type { MethodTable } from './profile.ts';
import { hash3, sharedInt32 } from './shared-columns.ts';

const FIELDS = 4;

/** Interns strings and methods. Rows 0 and 1 are ROOT_METHOD and PARTIAL_METHOD from the start. */
export class MethodTableBuilder {
  readonly #strings: string[] = [];
  readonly #rowOfString = new Map<string, number>();
  /** How many strings are in the map: it follows when it is needed. */
  #mapped = 0;
  /** Records of (class, name, descriptor, flags). */
  #records = new Int32Array(FIELDS * 1024);
  /** Open addressing: method row + 1, 0 is free. */
  #slots = new Int32Array(2048);
  #length = 0;
  /** How often a text was too long to be kept whole. */
  shortenedTexts = 0;

  constructor() {
    this.method('', '[root]', null, 0);
    this.method('', '[truncated]', null, 0);
  }

  /** Number of method rows so far. */
  get length(): number {
    return this.#length;
  }

  /** The row of a string in the table's strings; one that is too long is kept shortened. */
  string(text: string): number {
    if (text.length > LONGEST_TEXT) {
      this.shortenedTexts++;
      return this.string(shortened(text));
    }
    const strings = this.#strings;
    for (; this.#mapped < strings.length; this.#mapped++) this.#rowOfString.set(strings[this.#mapped]!, this.#mapped);
    const known = this.#rowOfString.get(text);
    if (known !== undefined) return known;
    const row = strings.push(text) - 1;
    this.#rowOfString.set(text, row);
    this.#mapped++;
    return row;
  }

  /** As `string`, for callers who know that the table does not have the text yet. */
  newString(text: string): number {
    // A shortened text may be equal to this one.
    if (text.length > LONGEST_TEXT || this.shortenedTexts > 0) return this.string(text);
    return this.#strings.push(text) - 1;
  }

  /** All strings so far, by their rows. */
  get strings(): readonly string[] {
    return this.#strings;
  }

  /** The texts that tell the method of a row from others. */
  texts(row: number): readonly [className: string, name: string, descriptor: string | null] {
    const [className, name, descriptor] = this.#records.subarray(row * FIELDS);
    return [this.#strings[className!]!, this.#strings[name!]!, this.#strings[descriptor!] ?? null];
  }

  /**
   * The row of a method, told apart by class, name and descriptor.
   * `className` has dots and is empty for frames without a class; `descriptor` is null where the format has none;
   * `flags` are bits of METHOD_FLAG. Seen again with other flags, the bits are united.
   */
  method(className: string, name: string, descriptor: string | null, flags: number): number {
    const descriptorRow = descriptor === null ? -1 : this.string(descriptor);
    return this.methodOfRows(this.string(className), this.string(name), descriptorRow, flags);
  }

  /** As `method`, for callers that hold rows of `string()` already; `descriptor` −1 is none. */
  methodOfRows(className: number, name: number, descriptor: number, flags: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash3(className, name, descriptor) & mask;
    for (;;) {
      const row = this.#slots[slot]! - 1;
      if (row < 0) break;
      const at = row * FIELDS;
      const records = this.#records;
      if (records[at] === className && records[at + 1] === name && records[at + 2] === descriptor) {
        records[at + 3]! |= flags;
        return row;
      }
      slot = (slot + 1) & mask;
    }
    return this.#append(slot, className, name, descriptor, flags);
  }

  #append(slot: number, className: number, name: number, descriptor: number, flags: number): number {
    const row = this.#length++;
    this.#slots[slot] = row + 1;
    const at = row * FIELDS;
    if (at + FIELDS > this.#records.length) {
      const larger = new Int32Array(this.#records.length * 2);
      larger.set(this.#records);
      this.#records = larger;
    }
    const records = this.#records;
    records[at] = className;
    records[at + 1] = name;
    records[at + 2] = descriptor;
    records[at + 3] = flags;
    if (this.#length * 2 > this.#slots.length) this.#rehash();
    return row;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let row = 0; row < this.#length; row++) {
      const at = row * FIELDS;
      let slot = hash3(this.#records[at]!, this.#records[at + 1]!, this.#records[at + 2]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row + 1;
    }
    this.#slots = slots;
  }

  /** The table as columns; the builder may go on growing afterwards. */
  finish(): MethodTable {
    const length = this.#length;
    const columns = [0, 1, 2, 3].map(field => {
      const column = sharedInt32(length);
      for (let row = 0; row < length; row++) column[row] = this.#records[row * FIELDS + field]!;
      return column;
    });
    return {
      length,
      strings: this.#strings.slice(),
      className: columns[0]!,
      name: columns[1]!,
      descriptor: columns[2]!,
      flags: columns[3]!,
    };
  }
}
