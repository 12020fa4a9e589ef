// Reads fields of an unpacked header: every value has the type it should have, or the flaw names the field.
import { isMoment } from '../cct/limits.ts';
import { FormatFlaw } from './format.ts';

/** A value somewhere in the header, with its place for messages. */
export class Field {
  readonly #value: unknown;
  readonly #place: string;

  constructor(value: unknown, place: string) {
    this.#value = value;
    this.#place = place;
  }

  fail(message: string): never {
    throw new FormatFlaw(this.#place, message);
  }

  /** A field of an object; reads as absent where there is none. */
  at(name: string): Field {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail('is no object');
    const own = Object.getOwnPropertyDescriptor(value, name);
    return new Field(own?.value, `${this.#place}.${name}`);
  }

  get isAbsent(): boolean {
    return this.#value === undefined;
  }

  items(): Field[] {
    if (!Array.isArray(this.#value)) this.fail('is no list');
    return this.#value.map((item, i) => new Field(item, `${this.#place}[${i}]`));
  }

  text(): string {
    if (typeof this.#value !== 'string') this.fail('is no text');
    return this.#value;
  }

  optionalText(): string | undefined {
    return this.#value === undefined || this.#value === null ? undefined : this.text();
  }

  oneOf<T extends string>(values: readonly T[]): T {
    const known = values.find(value => value === this.#value);
    return known ?? this.fail(`is none of ${values.join(', ')}`);
  }

  flag(): boolean {
    if (typeof this.#value !== 'boolean') this.fail('is neither true nor false');
    return this.#value;
  }

  optionalFlag(): boolean | undefined {
    return this.#value === undefined ? undefined : this.flag();
  }

  flagOrNull(): boolean | null {
    return this.#value === null ? null : this.flag();
  }

  /** A finite number of at least `least`. */
  number(least = Number.NEGATIVE_INFINITY): number {
    const value = this.#value;
    if (typeof value !== 'number' || !Number.isFinite(value) || value < least) this.fail('is no number in range');
    return value;
  }

  /** A moment in milliseconds since the epoch. */
  moment(): number {
    const value = this.number();
    if (!isMoment(value)) this.fail(`${value} is no time`);
    return value;
  }

  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number {
    const value = this.number();
    if (!Number.isInteger(value) || value < least || value > most)
      this.fail(`is ${value}, not within ${least} … ${most}`);
    return value;
  }
}
