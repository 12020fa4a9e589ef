// Maps the bytes of texts to rows of a table, so that a text that comes again, in this chunk or a later one, is not decoded again.
import type { Cursor } from './cursor.ts';
import { ENCODING, readString, skipString } from './strings.ts';

/** Odd and drawn anew in each process, so that no file can hold texts that collide wherever they are read. */
const FACTOR = (Math.random() * 2 ** 32) | 1;

/** By how many bytes of a word belong to a text: the bits of those. */
const FIRST_BYTES = Int32Array.of(0, 0xff, 0xffff, 0xff_ffff);

/** Differences in the high bytes of words are in the high bits of a hash alone. */
function slotOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), FACTOR);
  return mixed ^ (mixed >>> 16);
}

/** One for a whole file. Equal texts in other encodings are decoded once each. */
export class InternedTexts {
  readonly #rowOf: (text: string) => number;
  /** All texts so far as they were encoded, one after the other; four bytes behind them are there to be read. */
  #bytes = new Uint8Array(1 << 15);
  #view = new DataView(this.#bytes.buffer);
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

  /** How many bytes the texts so far have. */
  get bytes(): number {
    return this.#used;
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
    const { view } = cursor;
    let hash = end - pos;
    let at = pos;
    for (; at + 4 <= end; at += 4) hash = (Math.imul(hash, FACTOR) + view.getInt32(at, true)) | 0;
    hash = (Math.imul(hash, FACTOR) + (view.getInt32(at, true) & FIRST_BYTES[end - at]!)) | 0;
    const mask = this.#slots.length - 1;
    let slot = slotOf(hash) & mask;
    for (;;) {
      const text = this.#slots[slot]! - 1;
      if (text < 0) break;
      if (this.#hashes[text] === hash && this.#equals(text, view, pos, end)) return this.#rows[text]!;
      slot = (slot + 1) & mask;
    }
    cursor.pos = pos;
    const row = this.#rowOf(readString(cursor));
    this.#append(slot, hash, bytes.subarray(pos, end), row);
    return row;
  }

  #equals(text: number, view: DataView, from: number, to: number): boolean {
    const start = this.#starts[text]!;
    const end = text + 1 < this.#length ? this.#starts[text + 1]! : this.#used;
    if (end - start !== to - from) return false;
    const own = this.#view;
    let i = from;
    let at = start;
    for (; i + 4 <= to; i += 4, at += 4) if (view.getInt32(i, true) !== own.getInt32(at, true)) return false;
    return ((view.getInt32(i, true) ^ own.getInt32(at, true)) & FIRST_BYTES[to - i]!) === 0;
  }

  #append(slot: number, hash: number, encoded: Uint8Array, row: number): void {
    if (this.#used + encoded.length + 4 > this.#bytes.length) {
      const larger = new Uint8Array((this.#used + encoded.length + 4) * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
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
      let slot = slotOf(this.#hashes[text]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = text + 1;
    }
    this.#slots = slots;
  }
}
