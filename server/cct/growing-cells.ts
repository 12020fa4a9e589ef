// Sparse values of one metric while they grow: (node, thread, line, window) → count, weight, sum of squared weights.

import { clamped, LARGEST_AMOUNT } from './limits.ts';
import type { Cells } from './profile.ts';
import { hash4, sharedFloat64, sharedInt32 } from './shared-columns.ts';

const KEYS = 4;
/** Most metrics of most windows have few cells, and a recorder may follow hundreds of JVMs. */
const FIRST_CAPACITY = 64;
/** Up to so many cells a column grows by more than it has, since each time all cells are placed anew. */
const FEW = 1024;

export type GrownCell = {
  readonly node: number;
  readonly thread: number;
  readonly line: number;
  readonly window: number;
  readonly count: number;
  readonly weight: number;
};

/** Grows the cells of one metric; `weighted` metrics keep weights apart from counts. */
export class GrowingCells {
  readonly #weighted: boolean;
  /** Records of (node, thread, line, window). */
  #keys = new Int32Array(KEYS * FIRST_CAPACITY);
  #counts = new Float64Array(FIRST_CAPACITY);
  #weights: Float64Array;
  #squares: Float64Array;
  #slots = new Int32Array(2 * FIRST_CAPACITY);
  #length = 0;
  /** Counts and weights that were clamped. */
  clampedAmounts = 0;

  constructor(weighted: boolean) {
    this.#weighted = weighted;
    this.#weights = new Float64Array(weighted ? FIRST_CAPACITY : 0);
    this.#squares = new Float64Array(weighted ? FIRST_CAPACITY : 0);
  }

  /** Sum of all counts so far. O(cells). */
  get count(): number {
    let count = 0;
    for (let cell = 0; cell < this.#length; cell++) count += this.#counts[cell]!;
    return count;
  }

  /** Number of cells so far. */
  get length(): number {
    return this.#length;
  }

  each(visit: (cell: GrownCell) => void): void {
    const keys = this.#keys;
    for (let cell = 0, at = 0; cell < this.#length; cell++, at += KEYS) {
      const count = this.#counts[cell]!;
      visit({
        ...{ node: keys[at]!, thread: keys[at + 1]!, line: keys[at + 2]!, window: keys[at + 3]!, count },
        weight: this.#weighted ? this.#weights[cell]! : count,
      });
    }
  }

  /** Adds to one cell; without weights only `count` matters. Amounts that no sum could hold are clamped. */
  add(
    node: number,
    thread: number,
    line: number,
    window: number,
    count: number,
    weight: number,
    squares: number,
  ): void {
    const keys = this.#keys;
    const mask = this.#slots.length - 1;
    let slot = hash4(node, line, thread, window) & mask;
    let cell: number;
    for (;;) {
      cell = this.#slots[slot]! - 1;
      if (cell < 0) {
        cell = this.#append(slot, node, thread, line, window);
        break;
      }
      const at = cell * KEYS;
      if (keys[at] === node && keys[at + 1] === thread && keys[at + 2] === line && keys[at + 3] === window) break;
      slot = (slot + 1) & mask;
    }
    const kept = clamped(count, LARGEST_AMOUNT);
    if (kept !== count) this.clampedAmounts++;
    this.#counts[cell]! += kept;
    if (this.#weighted) {
      const keptWeight = clamped(weight, LARGEST_AMOUNT);
      if (keptWeight !== weight) this.clampedAmounts++;
      this.#weights[cell]! += keptWeight;
      this.#squares[cell]! += clamped(squares, LARGEST_AMOUNT ** 2);
    }
  }

  #append(slot: number, node: number, thread: number, line: number, window: number): number {
    const cell = this.#length++;
    this.#slots[slot] = cell + 1;
    const isFull = cell === this.#counts.length;
    if (isFull) this.#grow();
    const at = cell * KEYS;
    const keys = this.#keys;
    keys[at] = node;
    keys[at + 1] = thread;
    keys[at + 2] = line;
    keys[at + 3] = window;
    if (isFull) this.#rehash();
    return cell;
  }

  #grow(): void {
    const before = this.#counts.length;
    const capacity = before * (before < FEW ? 4 : 2);
    const keys = new Int32Array(capacity * KEYS);
    keys.set(this.#keys);
    this.#keys = keys;
    const larger = (old: Float64Array) => {
      const column = new Float64Array(capacity);
      column.set(old);
      return column;
    };
    this.#counts = larger(this.#counts);
    if (!this.#weighted) return;
    this.#weights = larger(this.#weights);
    this.#squares = larger(this.#squares);
  }

  #rehash(): void {
    const slots = new Int32Array(2 * this.#counts.length);
    const mask = slots.length - 1;
    const keys = this.#keys;
    for (let cell = 0; cell < this.#length; cell++) {
      const at = cell * KEYS;
      let slot = hash4(keys[at]!, keys[at + 2]!, keys[at + 1]!, keys[at + 3]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = cell + 1;
    }
    this.#slots = slots;
  }

  /** Columns sorted by (row, thread, line, window), where `rowOf` maps growing nodes to rows of a tree with as many. */
  finish(rowOf: Int32Array): Cells {
    const length = this.#length;
    const order = this.#sorted(rowOf);
    const [node, thread] = [sharedInt32(length), sharedInt32(length)];
    const [line, window] = [sharedInt32(length), sharedInt32(length)];
    const keys = this.#keys;
    for (let i = 0; i < length; i++) {
      const at = order[i]! * KEYS;
      node[i] = rowOf[keys[at]!]!;
      thread[i] = keys[at + 1]!;
      line[i] = keys[at + 2]!;
      window[i] = keys[at + 3]!;
    }
    const ordered = (values: Float64Array) => {
      const column = sharedFloat64(length);
      for (let i = 0; i < length; i++) column[i] = values[order[i]!]!;
      return column;
    };
    const count = ordered(this.#counts);
    return {
      length,
      node,
      thread,
      line,
      window,
      count,
      weight: this.#weighted ? ordered(this.#weights) : count,
      weightSquares: this.#weighted ? ordered(this.#squares) : null,
    };
  }

  /** Cell numbers in final order: a counting sort by row, then small comparisons inside each row. */
  #sorted(rowOf: Int32Array): Int32Array {
    const keys = this.#keys;
    const length = this.#length;
    /** Where the cells of each row begin; while they are placed, where the next one goes. */
    const next = new Int32Array(rowOf.length + 1);
    for (let cell = 0; cell < length; cell++) next[rowOf[keys[cell * KEYS]!]! + 1]!++;
    for (let row = 0; row < rowOf.length; row++) next[row + 1]! += next[row]!;
    const order = new Int32Array(length);
    for (let cell = 0; cell < length; cell++) {
      const row = rowOf[keys[cell * KEYS]!]!;
      order[next[row]!++] = cell;
    }
    for (let row = 0, from = 0; row < rowOf.length; row++) {
      const to = next[row]!;
      if (to - from > 1) sortPart(order, from, to, keys);
      from = to;
    }
    return order;
  }
}

/** Up to so many cells are put in order by moving each to its place. */
const SHORT = 128;

/** Sorts the cells that `order` has from … to − 1 by thread, line and window; nearly all parts have a handful. */
function sortPart(order: Int32Array, from: number, to: number, keys: Int32Array): void {
  if (to - from > SHORT) {
    order.subarray(from, to).sort((a, b) => compared(keys, a, b));
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const moved = order[i]!;
    let at = i;
    for (; at > from && compared(keys, order[at - 1]!, moved) > 0; at--) order[at] = order[at - 1]!;
    order[at] = moved;
  }
}

/** How two cells of one node compare. */
function compared(keys: Int32Array, a: number, b: number): number {
  const [left, right] = [a * KEYS, b * KEYS];
  return keys[left + 1]! - keys[right + 1]! || keys[left + 2]! - keys[right + 2]! || keys[left + 3]! - keys[right + 3]!;
}
