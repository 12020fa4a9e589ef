// A calling context tree while it grows: interleaved records, short child lists, a hash only for nodes with many children.

import type { Cct } from './profile.ts';
import { hash3, treeColumns } from './shared-columns.ts';

// One record a node. Only the first LISTED children of a node are linked through `nextSibling`; later ones stand in the hash.
const STRIDE = 6;
const METHOD = 0;
const CALL_LINE = 1;
const PARENT = 2;
const FIRST_CHILD = 3;
const NEXT_SIBLING = 4;
const CHILD_COUNT = 5;
const LISTED = 4;
/** Trees of fewer nodes stay as they are. */
const LEAST_DROPPED = 1024;

/** The finished structure and where each growing node went: `rowOf[node]` is its row. */
type FinishedTree = { readonly tree: Cct; readonly rowOf: Int32Array };

/** Grows nodes told apart by (parent, method, call line). Node numbers are those of creation; parents are smaller than children. */
export class GrowingTree {
  #records = new Int32Array(STRIDE * 1024);
  #slots = new Int32Array(1024);
  #hashed = 0;
  #length = 1;

  constructor(rootMethod: number) {
    this.#records.set([rootMethod, 0, -1, -1, -1, 0], 0);
  }

  /** Number of nodes, the root included. */
  get length(): number {
    return this.#length;
  }

  /** The method of a node. */
  methodOf(node: number): number {
    return this.#records[node * STRIDE]!;
  }

  /** The node above another; −1 above the root. */
  parentOf(node: number): number {
    return this.#records[node * STRIDE + PARENT]!;
  }

  /** The line in the parent from which a node was called. */
  callLineOf(node: number): number {
    return this.#records[node * STRIDE + CALL_LINE]!;
  }

  /** The child of `node` for a call of `method` from `callLine`; made when it is new. */
  child(node: number, method: number, callLine: number): number {
    const records = this.#records;
    const base = node * STRIDE;
    let last = -1;
    for (let child = records[base + FIRST_CHILD]!; child >= 0; child = records[child * STRIDE + NEXT_SIBLING]!) {
      const at = child * STRIDE;
      if (records[at] === method && records[at + CALL_LINE] === callLine) return child;
      last = child;
    }
    const count = records[base + CHILD_COUNT]!;
    if (count < LISTED) {
      const child = this.#append(node, method, callLine);
      if (last < 0) this.#records[base + FIRST_CHILD] = child;
      else this.#records[last * STRIDE + NEXT_SIBLING] = child;
      return child;
    }
    return this.#hashedChild(node, method, callLine);
  }

  #hashedChild(node: number, method: number, callLine: number): number {
    const records = this.#records;
    const mask = this.#slots.length - 1;
    let slot = hash3(node, method, callLine) & mask;
    for (;;) {
      const child = this.#slots[slot]! - 1;
      if (child < 0) break;
      const at = child * STRIDE;
      if (records[at + PARENT] === node && records[at] === method && records[at + CALL_LINE] === callLine) return child;
      slot = (slot + 1) & mask;
    }
    const child = this.#append(node, method, callLine);
    this.#slots[slot] = child + 1;
    if (++this.#hashed * 2 > this.#slots.length) this.#rehash();
    return child;
  }

  #append(parent: number, method: number, callLine: number): number {
    const node = this.#length++;
    const at = node * STRIDE;
    if (at + STRIDE > this.#records.length) {
      const larger = new Int32Array(this.#records.length * 2);
      larger.set(this.#records);
      this.#records = larger;
    }
    const records = this.#records;
    records[at] = method;
    records[at + CALL_LINE] = callLine;
    records[at + PARENT] = parent;
    records[at + FIRST_CHILD] = -1;
    records[at + NEXT_SIBLING] = -1;
    records[at + CHILD_COUNT] = 0;
    records[parent * STRIDE + CHILD_COUNT]!++;
    return node;
  }

  #rehash(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const mask = slots.length - 1;
    const records = this.#records;
    for (const entry of old) {
      if (entry === 0) continue;
      const at = (entry - 1) * STRIDE;
      let slot = hash3(records[at + PARENT]!, records[at + METHOD]!, records[at + CALL_LINE]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry;
    }
    this.#slots = slots;
  }

  /**
   * Drops all nodes but `kept` and the nodes above them, when most can go; siblings keep their order.
   * @returns the new number of each node, −1 for a removed node; null when all nodes keep their numbers
   */
  retain(kept: Int32Array): Int32Array | null {
    const records = this.#records;
    const numbers = new Int32Array(this.#length).fill(-1);
    numbers[0] = 0;
    for (const node of kept) numbers[node] = 0;
    let count = 0;
    for (let node = this.#length - 1; node > 0; node--) {
      if (numbers[node]! < 0) continue;
      numbers[records[node * STRIDE + PARENT]!] = 0;
      count++;
    }
    if (this.#length < LEAST_DROPPED || 2 * count > this.#length) return null;
    const fresh = new GrowingTree(records[METHOD]!);
    for (let node = 1; node < this.#length; node++) {
      if (numbers[node]! < 0) continue;
      const at = node * STRIDE;
      numbers[node] = fresh.child(numbers[records[at + PARENT]!]!, records[at + METHOD]!, records[at + CALL_LINE]!);
    }
    this.#records = fresh.#records;
    this.#slots = fresh.#slots;
    this.#hashed = fresh.#hashed;
    this.#length = fresh.#length;
    return numbers;
  }

  /** Depth-first columns; siblings stand in order of creation. Linear in the number of nodes. */
  finish(): FinishedTree {
    const length = this.#length;
    const records = this.#records;
    const size = new Int32Array(length).fill(1);
    for (let node = length - 1; node > 0; node--) size[records[node * STRIDE + PARENT]!]! += size[node]!;
    const rowOf = new Int32Array(length);
    const nextRow = new Int32Array(length);
    const tree = treeColumns(length);
    for (let node = 0; node < length; node++) {
      const at = node * STRIDE;
      const parent = records[at + PARENT]!;
      const row = parent < 0 ? 0 : nextRow[parent]!;
      if (parent >= 0) nextRow[parent] = row + size[node]!;
      nextRow[node] = row + 1;
      rowOf[node] = row;
      const parentRow = parent < 0 ? -1 : rowOf[parent]!;
      tree.parent[row] = parentRow;
      tree.method[row] = records[at + METHOD]!;
      tree.callLine[row] = records[at + CALL_LINE]!;
      tree.subtreeEnd[row] = row + size[node]!;
      tree.depth[row] = parent < 0 ? 0 : tree.depth[parentRow]! + 1;
    }
    return { tree, rowOf };
  }
}
