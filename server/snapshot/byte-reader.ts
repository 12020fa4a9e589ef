// Reads what ByteWriter wrote, never past the end; every flaw names the section.
import { FormatFlaw } from './format.ts';

export class ByteReader {
  readonly #section: string;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(section: string, bytes: Uint8Array) {
    this.#section = section;
    this.#bytes = bytes;
  }

  fail(message: string): never {
    throw new FormatFlaw(`section ${this.#section}, byte ${this.#at}`, message);
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  /** A whole number from 0 to 2^53 − 1. */
  varint(): number {
    const first = this.#bytes[this.#at++];
    if (first === undefined) this.fail('ends too early');
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let factor = 128; ; factor *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) this.fail('ends too early');
      value += (byte & 0x7f) * factor;
      if (value > Number.MAX_SAFE_INTEGER) this.fail('has a number over 2^53');
      if (byte < 0x80) return value;
      if (factor > 2 ** 49) this.fail('has a number of too many bytes');
    }
  }

  /** A varint from 0 to `limit` − 1, for rows of a table. */
  row(limit: number, what: string): number {
    const value = this.varint();
    if (value >= limit) this.fail(`${what} ${value} is outside its table of ${limit}`);
    return value;
  }

  /** A number written by `signed`, refused when it is no 32-bit integer. */
  int32(what: string): number {
    const value = this.signed();
    if (value !== (value | 0)) this.fail(`${what} ${value} has more than 32 bits`);
    return value;
  }

  /** A whole number from −2^52 to 2^52. */
  signed(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) this.fail('ends too early');
    return value;
  }

  float64(): number {
    if (this.remaining < 8) this.fail('ends too early');
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, 8);
    this.#at += 8;
    return view.getFloat64(0, true);
  }

  /** The next bytes; a view. */
  bytes(length: number): Uint8Array {
    if (length > this.remaining) this.fail(`ends ${length - this.remaining} bytes too early`);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** To be called last: nothing may be left over. */
  end(): void {
    if (this.remaining > 0) this.fail(`has ${this.remaining} bytes too many`);
  }
}
