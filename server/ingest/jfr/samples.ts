// The wanted events of one chunk as columns, before their stacks and threads are decoded.
import type { Key } from './cursor.ts';
import { KeyTable } from './key-table.ts';

/** Number of the stack, the thread or the object's class where an event has none. */
export const NONE = -1;

const FIRST_CAPACITY = 1024;
/** Columns of usual recordings are no longer than this; what more needed is not kept for others. */
const MOST_KEPT = 1 << 15;
/** Columns that hold so few rows while nothing is read are short ones. */
const FEW = 64;

type Columns = {
  readonly rule: Uint16Array;
  readonly stack: Int32Array;
  readonly thread: Int32Array;
  readonly ticks: Float64Array;
  readonly weight: Float64Array;
  readonly count: Float64Array;
  readonly state: Int32Array;
  readonly object: Int32Array;
  readonly owner: Int32Array;
};

function newColumns(capacity: number): Columns {
  return {
    rule: new Uint16Array(capacity),
    stack: new Int32Array(capacity),
    thread: new Int32Array(capacity),
    ticks: new Float64Array(capacity),
    weight: new Float64Array(capacity),
    count: new Float64Array(capacity),
    state: new Int32Array(capacity),
    object: new Int32Array(capacity),
    owner: new Int32Array(capacity),
  };
}

const NO_COLUMNS = newColumns(0);

/** Columns that are not in use: of all the chunks that grow at a time, one is read. */
let spare: Columns = NO_COLUMNS;

/** Growing columns, one row an event. Cleared and used again for the next chunk. */
export class Samples implements Columns {
  length = 0;
  rule = NO_COLUMNS.rule;
  /** Number of the stack, or NONE. */
  stack = NO_COLUMNS.stack;
  /** Number of the thread, or NONE. */
  thread = NO_COLUMNS.thread;
  ticks = NO_COLUMNS.ticks;
  weight = NO_COLUMNS.weight;
  count = NO_COLUMNS.count;
  /** Key of the thread's state where the rule asks for it and the key is small, else 0. */
  state = NO_COLUMNS.state;
  /** Number of the class of the object that the event is about, or NONE. */
  object = NO_COLUMNS.object;
  /** Number of the thread that had the object last before, or NONE. */
  owner = NO_COLUMNS.owner;
  /** Rows of events that name a method to be the leaf, ascending, and that method's key. */
  readonly leafRows: number[] = [];
  readonly leafKeys: Key[] = [];
  /** Their weights as they were recorded. */
  readonly leafWeights: number[] = [];
  /** Events whose stack the sampler could not walk. */
  failed = 0;
  /** Keys of stacks, threads, classes of objects and their owners that samples refer to, numbered in order of appearance. */
  readonly stackNumbers = new KeyTable();
  readonly threadNumbers = new KeyTable();
  readonly objectNumbers = new KeyTable();
  readonly ownerNumbers = new KeyTable();

  /** How many rows there is room for. */
  get capacity(): number {
    return this.rule.length;
  }

  clear(): void {
    this.length = 0;
    this.#giveBack();
    this.failed = 0;
    this.leafRows.length = 0;
    this.leafKeys.length = 0;
    this.leafWeights.length = 0;
    this.stackNumbers.clear();
    this.threadNumbers.clear();
    this.objectNumbers.clear();
    this.ownerNumbers.clear();
  }

  /** Forgets all rows but some, ascending; numbers of keys stay. */
  retain(rows: readonly number[]): void {
    const { leafRows, leafKeys, leafWeights } = this;
    let leaf = 0;
    let leaves = 0;
    for (const [row, from] of rows.entries()) {
      this.rule[row] = this.rule[from]!;
      this.stack[row] = this.stack[from]!;
      this.thread[row] = this.thread[from]!;
      this.ticks[row] = this.ticks[from]!;
      this.weight[row] = this.weight[from]!;
      this.count[row] = this.count[from]!;
      this.state[row] = this.state[from]!;
      this.object[row] = this.object[from]!;
      this.owner[row] = this.owner[from]!;
      while (leafRows[leaf]! < from) leaf++;
      if (leafRows[leaf] !== from) continue;
      leafKeys[leaves] = leafKeys[leaf]!;
      leafWeights[leaves] = leafWeights[leaf++]!;
      leafRows[leaves++] = row;
    }
    this.length = rows.length;
    this.#giveBack();
    this.failed = 0;
    leafRows.length = leaves;
    leafKeys.length = leaves;
    leafWeights.length = leaves;
  }

  /** Drops the first rows, which another reading has taken. */
  dropFirst(count: number): void {
    const { failed } = this;
    this.retain(Array.from({ length: Math.max(0, this.length - count) }, (_, row) => row + count));
    this.failed = failed;
  }

  push(rule: number, stack: Key, thread: Key, ticks: number, weight: number, count: number, state: number): void {
    const row = this.newRow();
    this.rule[row] = rule;
    this.stack[row] = this.stackNumber(stack);
    this.thread[row] = this.threadNumber(thread);
    this.ticks[row] = ticks;
    this.weight[row] = weight;
    this.count[row] = count;
    this.state[row] = state;
    this.object[row] = NONE;
    this.owner[row] = NONE;
  }

  /** A row whose columns are to be written. */
  newRow(): number {
    const row = this.length++;
    if (row === this.rule.length) this.#grow();
    return row;
  }

  /** The number of a stack by its key. */
  stackNumber(key: Key): number {
    return key === 0 ? NONE : this.stackNumbers.add(key);
  }

  /** The number of a thread by its key. */
  threadNumber(key: Key): number {
    return key === 0 ? NONE : this.threadNumbers.add(key);
  }

  /** Says which class the object has that the row added last is about, and which thread had it last before; 0 for none. */
  about(object: Key, owner: Key): void {
    const row = this.length - 1;
    this.object[row] = object === 0 ? NONE : this.objectNumbers.add(object);
    this.owner[row] = owner === 0 ? NONE : this.ownerNumbers.add(owner);
  }

  /** Says that the event pushed last is about a method that belongs below its stack. */
  leaf(key: Key): void {
    this.leafRows.push(this.length - 1);
    this.leafKeys.push(key);
    this.leafWeights.push(this.weight[this.length - 1]!);
  }

  #grow(): void {
    const capacity = Math.max(FIRST_CAPACITY, this.capacity * 2);
    const found = spare.rule.length >= capacity ? spare : newColumns(capacity);
    if (found === spare) spare = NO_COLUMNS;
    this.#moveTo(found);
  }

  /** Leaves columns that are longer than the rows need to the next reader. */
  #giveBack(): void {
    if (this.length > FEW || this.capacity <= FEW) return;
    this.#moveTo(this.length === 0 ? NO_COLUMNS : newColumns(FEW));
  }

  #moveTo(columns: Columns): void {
    const { length, rule, stack, thread, ticks, weight, count, state, object, owner } = this;
    const before: Columns = { rule, stack, thread, ticks, weight, count, state, object, owner };
    columns.rule.set(rule.subarray(0, length));
    columns.stack.set(stack.subarray(0, length));
    columns.thread.set(thread.subarray(0, length));
    columns.ticks.set(ticks.subarray(0, length));
    columns.weight.set(weight.subarray(0, length));
    columns.count.set(count.subarray(0, length));
    columns.state.set(state.subarray(0, length));
    columns.object.set(object.subarray(0, length));
    columns.owner.set(owner.subarray(0, length));
    Object.assign(this, columns);
    const isLonger = rule.length > spare.rule.length && rule.length <= MOST_KEPT;
    if (isLonger) spare = before;
  }
}
