// Maps the bytes of texts to rows of a table, so that a text that comes again, in this chunk or a later one, is not decoded again.
import type { Cursor } from './cursor.ts';
import { ENCODING, readString, skipString } from './strings.ts';

/** Odd and drawn anew in each process, so that no file can hold texts that collide wherever they are read. */
const FACTOR = (Math.random() * 2 ** 32) | 1;

/** One for a whole file. Equal texts in other encodings are decoded once each. */
export class InternedTexts {
  readonly #rowOf: (text: string) => number;
  /** All texts so far as they were encoded, one after the other. */
  #bytes = new Uint8Array(1 << 15);
  #used = 0;
  /** Where text i starts in `#bytes`; it ends where the next one starts. */
  #starts = new Int32Array(512);
  #rows = new Int32Array(512);
  #hashes = new Int32Array(512);
  #length = 0;
  /** Open addressing: number of the text + 1, 0 is free. */
  #slots = new Int32Array(1024);

  /** `rowOf` gives the row of a text that was not met before. */
  constructor(rowOf: (text: string) => number) {
    this.#rowOf = rowOf;
  }

  /** The row of the string that stands at `pos` in place; may move the cursor. Raises a FormatError when it is broken. */
  row(cursor: Cursor, pos: number): number {
    const bytes = cursor.bytes;
    const length = bytes[pos + 1]!;
    let end = pos + 2 + length;
    // Nearly all texts are bytes behind a length of one byte.
    const short = cursor.compressed && length < 0x80 && end <= cursor.end;
    if (!short || (bytes[pos] !== ENCODING.utf8 && bytes[pos] !== ENCODING.latin1)) {
      cursor.pos = pos;
      skipString(cursor);
      cursor.check('string');
      end = cursor.pos;
    }
    let hash = end - pos;
    for (let i = pos; i < end; i++) hash = (Math.imul(hash, FACTOR) + bytes[i]!) | 0;
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const text = this.#slots[slot]! - 1;
      if (text < 0) break;
      if (this.#hashes[text] === hash && this.#equals(text, bytes, pos, end)) return this.#rows[text]!;
      slot = (slot + 1) & mask;
    }
    cursor.pos = pos;
    const row = this.#rowOf(readString(cursor));
    this.#append(slot, hash, bytes.subarray(pos, end), row);
    return row;
  }

  #equals(text: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[text]!;
    const end = text + 1 < this.#length ? this.#starts[text + 1]! : this.#used;
    if (end - start !== to - from) return false;
    const own = this.#bytes;
    for (let i = from, at = start; i < to; i++, at++) if (bytes[i] !== own[at]) return false;
    return true;
  }

  #append(slot: number, hash: number, encoded: Uint8Array, row: number): void {
    if (this.#used + encoded.length > this.#bytes.length) {
      const larger = new Uint8Array((this.#used + encoded.length) * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (this.#length === this.#rows.length) {
      const larger = (column: Int32Array) => {
        const copy = new Int32Array(column.length * 2);
        copy.set(column);
        return copy;
      };
      [this.#starts, this.#rows, this.#hashes] = [larger(this.#starts), larger(this.#rows), larger(this.#hashes)];
    }
    const text = this.#length++;
    this.#bytes.set(encoded, this.#used);
    this.#starts[text] = this.#used;
    this.#used += encoded.length;
    this.#rows[text] = row;
    this.#hashes[text] = hash;
    this.#slots[slot] = text + 1;
    if (this.#length * 2 > this.#slots.length) this.#rehash();
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let text = 0; text < this.#length; text++) {
      const hash = this.#hashes[text]!;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = text + 1;
    }
    this.#slots = slots;
  }
}
