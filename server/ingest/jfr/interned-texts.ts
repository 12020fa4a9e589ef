// Maps the bytes of texts to rows of a table, so that a text that comes again, in this chunk or a later one, is not decoded again.
import type { Cursor } from './cursor.ts';
import { ENCODING, readString, skipString } from './strings.ts';

/** Odd and drawn anew in each process, so that no file can hold texts that collide wherever they are read. */
const FACTOR = (Math.random() * 2 ** 32) | 1;

/** By how many bytes of a word belong to a text: the bits of those. */
const FIRST_BYTES = Int32Array.of(0, 0xff, 0xffff, 0xff_ffff);

/** How many numbers are kept of each text, side by side. */
const RECORD = 4;
const START = 1;
const SIZE = 2;
const ROW = 3;

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
  #length = 0;
  /** Open addressing, records of a text's hash, where it starts in `#bytes`, how many bytes it has (0 is free) and its row. */
  #slots = new Int32Array(RECORD * 1024);

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
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (slotOf(hash) * RECORD) & mask;
    while (slots[slot + SIZE] !== 0) {
      const isSame = slots[slot] === hash && slots[slot + SIZE] === end - pos;
      if (isSame && this.#equals(slots[slot + START]!, view, pos, end)) return slots[slot + ROW]!;
      slot = (slot + RECORD) & mask;
    }
    cursor.pos = pos;
    const row = this.#rowOf(readString(cursor));
    this.#append(slot, hash, bytes.subarray(pos, end), row);
    return row;
  }

  /** Whether the bytes of a text that starts at `start` are those between `from` and `to`, as many. */
  #equals(start: number, view: DataView, from: number, to: number): boolean {
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
    this.#bytes.set(encoded, this.#used);
    this.#slots.set([hash, this.#used, encoded.length, row], slot);
    this.#used += encoded.length;
    if (++this.#length * 2 * RECORD > this.#slots.length) this.#rehash();
  }

  #rehash(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += RECORD) {
      if (old[from + SIZE] === 0) continue;
      let slot = (slotOf(old[from]!) * RECORD) & mask;
      while (slots[slot + SIZE] !== 0) slot = (slot + RECORD) & mask;
      for (let i = 0; i < RECORD; i++) slots[slot + i] = old[from + i]!;
    }
    this.#slots = slots;
  }
}
