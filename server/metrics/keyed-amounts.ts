// Amounts by key, where what lies below something already counted for the same key does not count again.
import { hash3 } from '../cct/shared-columns.ts';
import type { Amount } from './analysis.ts';

/** Sums for keys of two small integers. `coveredUntil` makes each sample count once a key when nodes come in depth-first order. */
export class KeyedAmounts {
  /** Open addressing: entry + 1, 0 is free. */
  #slots = new Int32Array(64);
  #first = new Int32Array(32);
  #second = new Int32Array(32);
  #coveredUntil = new Int32Array(32);
  #weight = new Float64Array(32);
  #count = new Float64Array(32);
  #length = 0;

  /** Number of distinct keys. */
  get length(): number {
    return this.#length;
  }

  /** The entry of a key, made when new. */
  entry(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash3(first, second, 0) & mask;
    for (;;) {
      const entry = this.#slots[slot]! - 1;
      if (entry < 0) break;
      if (this.#first[entry] === first && this.#second[entry] === second) return entry;
      slot = (slot + 1) & mask;
    }
    return this.#append(slot, first, second);
  }

  #append(slot: number, first: number, second: number): number {
    const entry = this.#length++;
    if (entry >= this.#first.length) this.#grow();
    this.#slots[slot] = entry + 1;
    this.#first[entry] = first;
    this.#second[entry] = second;
    if (this.#length * 2 > this.#slots.length) this.#rehash();
    return entry;
  }

  #grow(): void {
    const capacity = this.#first.length * 2;
    const ints = (old: Int32Array) => {
      const column = new Int32Array(capacity);
      column.set(old);
      return column;
    };
    const floats = (old: Float64Array) => {
      const column = new Float64Array(capacity);
      column.set(old);
      return column;
    };
    this.#first = ints(this.#first);
    this.#second = ints(this.#second);
    this.#coveredUntil = ints(this.#coveredUntil);
    this.#weight = floats(this.#weight);
    this.#count = floats(this.#count);
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.#length; entry++) {
      let slot = hash3(this.#first[entry]!, this.#second[entry]!, 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.#slots = slots;
  }

  /** Adds a subtree to an entry unless it lies below one that was added before. */
  addSubtree(entry: number, node: number, subtreeEnd: number, weight: number, count: number): void {
    if (node < this.#coveredUntil[entry]!) return;
    this.#coveredUntil[entry] = subtreeEnd;
    this.#weight[entry]! += weight;
    this.#count[entry]! += count;
  }

  /** Adds samples of one node alone, unless the node lies below a subtree that was added before. */
  addSelf(entry: number, node: number, weight: number, count: number): void {
    if (node < this.#coveredUntil[entry]!) return;
    this.#weight[entry]! += weight;
    this.#count[entry]! += count;
  }

  /** Every key with its sum, in the order in which the keys came. Keys without any sample are left out. */
  list<T>(make: (first: number, second: number, amount: Amount) => T): T[] {
    const out: T[] = [];
    for (let entry = 0; entry < this.#length; entry++) {
      const amount = { weight: this.#weight[entry]!, count: this.#count[entry]! };
      if (amount.weight === 0 && amount.count === 0) continue;
      out.push(make(this.#first[entry]!, this.#second[entry]!, amount));
    }
    return out;
  }
}

/** Orders by weight, then count, both descending. */
export function heaviestFirst(a: { amount: Amount }, b: { amount: Amount }): number {
  return b.amount.weight - a.amount.weight || b.amount.count - a.amount.count;
}
