// Numbers of which nearly each takes a single byte, such as a tree has one of for each node.
import { FormatFlaw } from './format.ts';

/** From here on a byte is not the last of its number. */
export const LONG = 0x80;

/** Varints below 2^31, as many as were said. Nearly all of them are single bytes, which the reader takes itself. */
export class SmallNumbers {
  readonly #section: string;
  readonly #count: number;
  /** The bytes left are always enough for the numbers that are left, so that single bytes can be taken without a look at its end. */
  readonly bytes: Uint8Array;
  /** Where the number after the one that `long` read begins. */
  at = 0;

  constructor(section: string, bytes: Uint8Array, count: number) {
    this.#section = section;
    this.#count = count;
    this.bytes = bytes;
    if (bytes.length < count) this.#tooShort();
  }

  /** The number of `row`, whose first byte is the one before `at`. */
  long(at: number, row: number): number {
    this.at = at;
    let value = this.bytes[at - 1]! & 0x7f;
    for (let shift = 7, byte = LONG; byte >= LONG; shift += 7) {
      byte = this.bytes[this.at++] ?? this.#tooShort();
      if (shift === 28 && byte > 7) throw new FormatFlaw(`section ${this.#section}, row ${row}`, 'is too large');
      value |= (byte & 0x7f) << shift;
    }
    if (this.bytes.length - this.at < this.#count - row - 1) this.#tooShort();
    return value;
  }

  /** To be called last: nothing may be left over. */
  end(at: number): void {
    const over = this.bytes.length - at;
    if (over > 0) throw new FormatFlaw(`section ${this.#section}`, `has ${over} bytes too many`);
  }

  #tooShort(): never {
    throw new FormatFlaw(`section ${this.#section}, row ${this.#count - 1}`, 'ends too early');
  }
}
