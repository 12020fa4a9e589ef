// Numbers 64-bit keys in order of appearance; cleared and used again from chunk to chunk, so that nothing is allocated for most.
import type { Key } from './cursor.ts';

const TWO_32 = 2 ** 32;
/** Odd and drawn anew in each process, so that no file can hold keys that collide wherever they are read. */
const [LOW_FACTOR, HIGH_FACTOR] = [oddNumber(), oddNumber()];
/** No key. */
const FREE = -1;
const FIRST_BITS = 7;
/** A table of so many slots for each key that it had is made smaller when it is cleared. */
const MOST_SLOTS = 32;

function oddNumber(): number {
  return (Math.random() * TWO_32) | 1;
}

/** Numbers from 0 on for distinct keys. */
export class KeyTable {
  /** Number of keys so far. */
  length = 0;
  /** Open addressing: the key in each slot and its number. Twice as many slots as there may be keys, at least. */
  #slotKeys = new Float64Array(1 << FIRST_BITS).fill(FREE);
  #slotNumbers = new Int32Array(1 << FIRST_BITS);
  /** How far hashes are shifted so that what is left is a slot. */
  #shift = 32 - FIRST_BITS;
  /** Keys beyond 2^53. */
  readonly #large = new Map<bigint, number>();

  /** How many slots there are. */
  get capacity(): number {
    return this.#slotKeys.length;
  }

  /** Forgets all keys, and gives up room that so few do not need. */
  clear(): void {
    if (this.length === 0) return;
    if (this.capacity > Math.max(1 << FIRST_BITS, MOST_SLOTS * this.length)) this.#resize(FIRST_BITS);
    else this.#slotKeys.fill(FREE);
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
    const number = this.length++;
    this.#slotNumbers[slot] = number;
    if (this.length * 2 > slotKeys.length) this.#rehash();
    return number;
  }

  /** All keys by their numbers. */
  keys(): Key[] {
    const keys = new Array<Key>(this.length);
    const slotKeys = this.#slotKeys;
    for (let slot = 0; slot < slotKeys.length; slot++) {
      if (slotKeys[slot] !== FREE) keys[this.#slotNumbers[slot]!] = slotKeys[slot]!;
    }
    for (const [key, number] of this.#large) keys[number] = key;
    return keys;
  }

  #addLarge(key: bigint): number {
    const number = this.length++;
    this.#large.set(key, number);
    return number;
  }

  #rehash(): void {
    const [oldKeys, oldNumbers] = [this.#slotKeys, this.#slotNumbers];
    this.#resize(33 - this.#shift);
    const [slotKeys, slotNumbers] = [this.#slotKeys, this.#slotNumbers];
    const mask = slotKeys.length - 1;
    for (let old = 0; old < oldKeys.length; old++) {
      const key = oldKeys[old]!;
      if (key === FREE) continue;
      let slot = hashed(key) >>> this.#shift;
      while (slotKeys[slot] !== FREE) slot = (slot + 1) & mask;
      slotKeys[slot] = key;
      slotNumbers[slot] = oldNumbers[old]!;
    }
  }

  /** Makes 2^`bits` free slots. */
  #resize(bits: number): void {
    this.#shift = 32 - bits;
    this.#slotKeys = new Float64Array(1 << bits).fill(FREE);
    this.#slotNumbers = new Int32Array(1 << bits);
  }
}

/** Multiplicative hashing: the high bits are the ones to use. */
function hashed(key: number): number {
  const low = Math.imul(key | 0, LOW_FACTOR);
  return key < TWO_32 ? low : low + Math.imul((key / TWO_32) | 0, HIGH_FACTOR);
}
