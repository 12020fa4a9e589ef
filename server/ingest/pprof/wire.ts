// The bytes of protocol buffers: fields one after the other, from a source of any size, checked at every step.
import type { ByteSource } from '../byte-source.ts';

/** Bytes that break the rules of the wire format. */
export class WireError extends Error {
  /** Byte in the source. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Walks over the fields of one message. */
export class Fields {
  readonly bytes: Uint8Array;
  /** The message is `bytes` from here to `to`. */
  readonly from: number;
  readonly to: number;
  /** Where `bytes` begins in the source. */
  readonly #base: number;
  #pos: number;
  #low = 0;
  #high = 0;
  /** Number of the current field. */
  field = 0;
  /** Whether the current field is a run of bytes: a text, a message or packed numbers; else it is a number. */
  isBytes = false;
  /** Where the current run begins and ends in `bytes`. */
  start = 0;
  end = 0;

  constructor(bytes: Uint8Array, start: number, end: number, base: number) {
    this.bytes = bytes;
    this.from = start;
    this.to = end;
    this.#pos = start;
    this.#base = base;
  }

  /** Goes to the next field; false at the end. */
  next(): boolean {
    if (this.#pos >= this.to) return false;
    this.#varint();
    const tag = this.#low;
    this.field = tag >>> 3;
    if (this.#high !== 0 || this.field === 0) throw this.#error('a field has no valid number');
    this.isBytes = (tag & 7) === BYTES;
    if (this.isBytes) this.#run();
    else if ((tag & 7) === VARINT) this.#varint();
    else if ((tag & 7) === FIXED64 || (tag & 7) === FIXED32) this.#fixed((tag & 7) === FIXED64 ? 8 : 4);
    else throw this.#error('a field has no valid type');
    return true;
  }

  /** The current number as a signed 64-bit one; rounded beyond 2^53. */
  get int(): number {
    return (this.#high | 0) * 2 ** 32 + this.#low;
  }

  /** The current number as a key: exact for all 64 bits. */
  get id(): number | bigint {
    if (this.#high < 2 ** 21) return this.#high * 2 ** 32 + this.#low;
    return (BigInt(this.#high) << 32n) | BigInt(this.#low);
  }

  /** The current run of bytes as a message. */
  message(): Fields {
    return new Fields(this.bytes, this.start, this.end, this.#base);
  }

  /** Calls `visit` for the numbers of a repeated field, packed or not, with `int` and `id` set. */
  eachNumber(visit: () => void): void {
    if (!this.isBytes) {
      visit();
      return;
    }
    this.#pos = this.start;
    while (this.#pos < this.end) {
      this.#varint();
      if (this.#pos > this.end) throw this.#error('a number goes beyond its list');
      visit();
    }
  }

  #run(): void {
    this.#varint();
    const length = this.#high * 2 ** 32 + this.#low;
    this.start = this.#pos;
    this.end = this.#pos + length;
    if (this.end > this.to) throw this.#error(`a field of ${length} bytes goes beyond its message`);
    this.#pos = this.end;
  }

  #fixed(size: 4 | 8): void {
    if (this.#pos + size > this.to) throw this.#error('a number goes beyond its message');
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.#pos, size);
    this.#low = view.getUint32(0, true);
    this.#high = size === 8 ? view.getUint32(4, true) : 0;
    this.#pos += size;
  }

  #varint(): void {
    const { bytes } = this;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#pos >= this.to) throw this.#error('a number goes beyond its message');
      const byte = bytes[this.#pos++]!;
      const bits = byte & 0x7f;
      if (shift < 28) {
        low |= bits << shift;
      } else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.#low = low >>> 0;
        this.#high = high >>> 0;
        return;
      }
    }
    throw this.#error('a number has more than ten bytes');
  }

  #error(message: string): WireError {
    return new WireError(message, this.#base + this.#pos);
  }
}

const BLOCK_SIZE = 1 << 20;
const MAX_MESSAGE = 64 << 20;

/** A field of the outermost message: where it is, and a run of bytes in memory or a number. */
type TopField = {
  readonly field: number;
  readonly position: number;
  /** The inside of a message or text; null for a number. */
  readonly content: Fields | null;
  readonly int: number;
};

/** The outermost message of a source, in blocks: its fields are read one after the other. */
export class TopFields {
  readonly #source: ByteSource;
  #block = new Uint8Array(0);
  #start = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The field at `position` and where the next one begins; null at the end of the source. */
  at(position: number): { readonly field: TopField; readonly next: number } | null {
    if (position >= this.#source.size) return null;
    // Tag and length or number: at most twenty bytes.
    const head = this.#view(position, Math.min(20, this.#source.size - position));
    const tag = new Tag(head, position);
    if (tag.length === null) {
      const field = { field: tag.field, position, content: null, int: tag.int };
      return { field, next: position + tag.size };
    }
    const start = position + tag.size;
    const next = start + tag.length;
    if (next > this.#source.size)
      throw new WireError(`a field of ${tag.length} bytes goes beyond the end of the file`, position);
    if (tag.length > MAX_MESSAGE) throw new WireError(`a field of ${tag.length} bytes is too large`, position);
    const bytes = this.#view(start, tag.length);
    return { field: { field: tag.field, position, content: new Fields(bytes, 0, tag.length, start), int: 0 }, next };
  }

  #view(position: number, length: number): Uint8Array {
    const from = position - this.#start;
    if (from >= 0 && from + length <= this.#block.length) return this.#block.subarray(from, from + length);
    const block = new Uint8Array(Math.min(Math.max(BLOCK_SIZE, length), this.#source.size - position));
    this.#block = block.subarray(0, this.#source.read(position, block));
    this.#start = position;
    if (this.#block.length < length) throw new WireError('the file became shorter while it was read', position);
    return this.#block.subarray(0, length);
  }
}

/** The start of a field whose content may lie outside the bytes at hand. */
class Tag {
  readonly field: number;
  /** Length of the run of bytes that follows; null for a number. */
  readonly length: number | null;
  readonly size: number;
  readonly int: number;

  constructor(head: Uint8Array, position: number) {
    let end = 0;
    while (end < head.length && end < 10 && head[end]! >= 0x80) end++;
    const tagSize = end + 1;
    const type = head[0]! & 7;
    let last = tagSize;
    if (type === BYTES || type === VARINT) {
      while (last < head.length && last < tagSize + 10 && head[last]! >= 0x80) last++;
      last++;
    } else last += type === FIXED64 ? 8 : 4;
    // A run is read as a number by changing its type: only its length is at hand.
    const copy = Uint8Array.from(head.subarray(0, Math.min(last, head.length)));
    if (type === BYTES) copy[0]! &= ~7;
    const fields = new Fields(copy, 0, copy.length, position);
    fields.next();
    this.field = fields.field;
    this.int = fields.int;
    this.length = type === BYTES ? Number(fields.id) : null;
    this.size = last;
  }
}
