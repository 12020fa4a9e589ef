// Numbers 64-bit keys in order of appearance; cleared and used again from chunk to chunk, so that nothing is allocated for most.
import type { Key } from './cursor.ts';

const TWO_32 = 2 ** 32;
/** Odd and drawn anew in each process, so that no file can hold keys that collide wherever they are read. */
const [LOW_FACTOR, HIGH_FACTOR] = [oddNumber(), oddNumber()];
/** No key. */
const FREE = -1;
const FIRST_BITS = 7;

function oddNumber(): number {
  return (Math.random() * TWO_32) | 1;
}

/** Numbers from 0 on for distinct keys. */
export class KeyTable {
  /** Number of keys so far. */
  length = 0;
  /** NaN for keys beyond 2^53, which stand in `#large`. */
  #keys = new Float64Array(1 << (FIRST_BITS - 1));
  /** Open addressing: the key in each slot and its number. Twice as many slots as there may be keys, at least. */
  #slotKeys = new Float64Array(1 << FIRST_BITS).fill(FREE);
  #slotNumbers = new Int32Array(1 << FIRST_BITS);
  /** How far hashes are shifted so that what is left is a slot. */
  #shift = 32 - FIRST_BITS;
  readonly #large = new Map<bigint, number>();

  /** Forgets all keys. */
  clear(): void {
    if (this.length > 0) this.#slotKeys.fill(FREE);
    if (this.#large.size > 0) this.#large.clear();
    this.length = 0;
  }

  /** The number of a key; −1 when it was never added. */
  find(key: Key): number {
    if (typeof key === 'bigint') return this.#large.get(key) ?? -1;
    const slotKeys = this.#slotKeys;
    const mask = slotKeys.length - 1;
    for (let slot = hashed(key) >>> this.#shift; ; slot = (slot + 1) & mask) {
      const other = slotKeys[slot]!;
      if (other === key) return this.#slotNumbers[slot]!;
      if (other === FREE) return -1;
    }
  }

  /** The number of a key; a new one when it was never added. */
  add(key: Key): number {
    if (typeof key === 'bigint') return this.#large.get(key) ?? this.#addLarge(key);
    const slotKeys = this.#slotKeys;
    const mask = slotKeys.length - 1;
    let slot = hashed(key) >>> this.#shift;
    for (;;) {
      const other = slotKeys[slot]!;
      if (other === key) return this.#slotNumbers[slot]!;
      if (other === FREE) break;
      slot = (slot + 1) & mask;
    }
    slotKeys[slot] = key;
    this.#slotNumbers[slot] = this.length;
    const number = this.#append(key);
    if (this.length * 2 > slotKeys.length) this.#rehash();
    return number;
  }

  /** All keys by their numbers. */
  keys(): Key[] {
    const keys: Key[] = [...this.#keys.subarray(0, this.length)];
    for (const [key, number] of this.#large) keys[number] = key;
    return keys;
  }

  #addLarge(key: bigint): number {
    const number = this.#append(Number.NaN);
    this.#large.set(key, number);
    return number;
  }

  #append(key: number): number {
    const number = this.length++;
    if (number === this.#keys.length) {
      const larger = new Float64Array(number * 2);
      larger.set(this.#keys);
      this.#keys = larger;
    }
    this.#keys[number] = key;
    return number;
  }

  #rehash(): void {
    this.#shift -= 2;
    const slotKeys = new Float64Array(this.#slotKeys.length * 4).fill(FREE);
    const slotNumbers = new Int32Array(slotKeys.length);
    const mask = slotKeys.length - 1;
    for (let number = 0; number < this.length; number++) {
      const key = this.#keys[number]!;
      if (Number.isNaN(key)) continue;
      let slot = hashed(key) >>> this.#shift;
      while (slotKeys[slot] !== FREE) slot = (slot + 1) & mask;
      slotKeys[slot] = key;
      slotNumbers[slot] = number;
    }
    this.#slotKeys = slotKeys;
    this.#slotNumbers = slotNumbers;
  }
}

/** Multiplicative hashing: the high bits are the ones to use. */
function hashed(key: number): number {
  const low = Math.imul(key | 0, LOW_FACTOR);
  return key < TWO_32 ? low : low + Math.imul((key / TWO_32) | 0, HIGH_FACTOR);
}
