// Reads the primitive values of a JFR chunk: LEB128 or fixed-width integers, raw bytes, 64-bit keys.
import { Buffer } from 'node:buffer';
import { FormatError } from './format-error.ts';

/** A 64-bit key, as a number while it is exact (below 2^53), else as a bigint; unsigned. Equal keys are equal Map keys. */
export type Key = number | bigint;

/** Zero bytes that must follow the end of a chunk in memory, so that a primitive at the end never leaves the buffer. */
export const PADDING = 64;

const TWO_28 = 2 ** 28;
const TWO_32 = 2 ** 32;
const TWO_56 = 2 ** 56;
const BITS_28 = TWO_28 - 1;

/**
 * A position in a chunk. `bytes` holds the chunk from offset 0 and at least PADDING zero bytes behind `end`;
 * reading a value may run past `end` into the padding, so callers check `pos` against their own bound after each value
 * or after a bounded group of values.
 *
 * Loops that go over much keep positions in locals and those to 32 bits (`| 0`): what comes from a field or an argument may be any
 * number, and the compiler would carry it along as one.
 */
export class Cursor {
  declare bytes: Uint8Array;
  declare view: DataView;
  /** The same memory again, for decoding strings. */
  declare buffer: Buffer;
  readonly compressed: boolean;
  declare end: number;
  pos = 0;

  constructor(bytes: Uint8Array, end: number, compressed: boolean) {
    this.attach(bytes, end);
    this.compressed = compressed;
  }

  /** Goes on in other memory: that of a chunk that grows. */
  attach(bytes: Uint8Array, end: number): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.end = end;
  }

  /** Raises a FormatError when the position is past `end`. */
  check(what: string, end = this.end): void {
    if (this.pos > end) throw new FormatError(`${what} runs past its end`, this.pos);
  }

  /** An `int`, `short` or `char` wider on the wire than wanted: the low 32 bits, signed. */
  int(): number {
    if (!this.compressed) {
      const value = this.view.getInt32(this.pos);
      this.pos += 4;
      return value;
    }
    const bytes = this.bytes;
    let pos = this.pos;
    let byte = bytes[pos++]!;
    if (byte < 0x80) {
      this.pos = pos;
      return byte;
    }
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 56; shift += 7) {
      byte = bytes[pos++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
    }
    if (byte >= 0x80) pos++;
    this.pos = pos;
    return value;
  }

  /** A count of things that take at least `least` bytes each; refused when the rest of the chunk cannot hold as many. */
  count(what: string, least = 1): number {
    const at = this.pos;
    const count = this.int();
    if (count < 0 || count * least > this.end - this.pos)
      throw new FormatError(`${what} count ${count} is impossible`, at);
    return count;
  }

  /** A signed 64-bit integer, as a double: exact within ±2^53. */
  long(): number {
    if (!this.compressed) {
      const key = this.key();
      return typeof key === 'number' ? key : Number(BigInt.asIntN(64, key));
    }
    const bytes = this.bytes;
    let pos = this.pos;
    let byte = 0x80;
    let low = 0;
    for (let shift = 0; byte >= 0x80 && shift < 28; shift += 7) {
      byte = bytes[pos++]!;
      low |= (byte & 0x7f) << shift;
    }
    let middle = 0;
    for (let shift = 0; byte >= 0x80 && shift < 28; shift += 7) {
      byte = bytes[pos++]!;
      middle |= (byte & 0x7f) << shift;
    }
    const top = byte >= 0x80 ? bytes[pos++]! : 0;
    this.pos = pos;
    if (top < 0x80) return top * TWO_56 + middle * TWO_28 + low;
    // The bits of a negative number, turned over, are one less than what it is without its sign.
    return -((~top & 0xff) * TWO_56 + (~middle & BITS_28) * TWO_28 + (~low & BITS_28) + 1);
  }

  /** A 64-bit integer as an unsigned key, exact. */
  key(): Key {
    if (!this.compressed) {
      const pos = this.pos;
      this.pos += 8;
      const high = this.view.getUint32(pos);
      return high < 0x20_0000 ? high * TWO_32 + this.view.getUint32(pos + 4) : this.view.getBigUint64(pos);
    }
    const bytes = this.bytes;
    let pos = this.pos;
    let byte = bytes[pos++]!;
    if (byte < 0x80) {
      this.pos = pos;
      return byte;
    }
    let low = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
      byte = bytes[pos++]!;
      low |= (byte & 0x7f) << shift;
    }
    this.pos = pos;
    return byte < 0x80 ? low : this.#longKey(low);
  }

  /** The rest of a key whose first four bytes gave `low`. */
  #longKey(low: number): Key {
    const bytes = this.bytes;
    let pos = this.pos;
    let byte = 0x80;
    let middle = 0;
    for (let shift = 0; byte >= 0x80 && shift < 28; shift += 7) {
      byte = bytes[pos++]!;
      middle |= (byte & 0x7f) << shift;
    }
    const top = byte >= 0x80 ? bytes[pos++]! : 0;
    this.pos = pos;
    if (top === 0 && middle < 0x200_0000) return middle * TWO_28 + low;
    return (BigInt(top) << 56n) | (BigInt(middle) << 28n) | BigInt(low);
  }

  /** Steps over one LEB128 integer. */
  skip(): void {
    const bytes = this.bytes;
    let pos = this.pos;
    const last = pos + 8;
    while (pos < last && bytes[pos]! >= 0x80) pos++;
    this.pos = pos + 1;
  }

  /** One raw byte. */
  byte(): number {
    return this.bytes[this.pos++]!;
  }
}

/** The low seven bits of each byte of a word, put together. */
export function sevenBits(word: number): number {
  return (word & 0x7f) | ((word >>> 1) & (0x7f << 7)) | ((word >>> 2) & (0x7f << 14)) | ((word >>> 3) & (0x7f << 21));
}
