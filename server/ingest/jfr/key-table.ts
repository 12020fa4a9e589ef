// Numbers 64-bit keys in order of appearance; cleared and used again from chunk to chunk, so that nothing is allocated for most.
import { hash3 } from '../../cct/columns.ts';
import type { Key } from './cursor.ts';

const TWO_32 = 2 ** 32;

/** Numbers from 0 on for distinct keys. */
export class KeyTable {
  /** Number of keys so far. */
  length = 0;
  /** NaN for keys beyond 2^53, which stand in `#large`. */
  #keys = new Float64Array(64);
  /** Open addressing: number + 1, 0 is free. */
  #slots = new Int32Array(128);
  readonly #large = new Map<bigint, number>();

  /** Forgets all keys. */
  clear(): void {
    if (this.length > 0) this.#slots.fill(0);
    if (this.#large.size > 0) this.#large.clear();
    this.length = 0;
  }

  /** The number of a key; −1 when it was never added. */
  find(key: Key): number {
    if (typeof key === 'bigint') return this.#large.get(key) ?? -1;
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    for (let slot = slotOf(key) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      if (number < 0 || keys[number] === key) return number;
    }
  }

  /** The number of a key; a new one when it was never added. */
  add(key: Key): number {
    if (typeof key === 'bigint') return this.#large.get(key) ?? this.#addLarge(key);
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    let slot = slotOf(key) & mask;
    for (;;) {
      const number = slots[slot]! - 1;
      if (number < 0) break;
      if (keys[number] === key) return number;
      slot = (slot + 1) & mask;
    }
    const number = this.#append(key);
    this.#slots[slot] = number + 1;
    if (this.length * 2 > this.#slots.length) this.#rehash();
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
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let number = 0; number < this.length; number++) {
      const key = this.#keys[number]!;
      if (Number.isNaN(key)) continue;
      let slot = slotOf(key) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

function slotOf(key: number): number {
  return key < TWO_32 ? hash3(key | 0, 0, 0) : hash3(key | 0, (key / TWO_32) | 0, 0);
}
