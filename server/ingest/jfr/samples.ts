// The wanted events of one chunk as columns, before their stacks and threads are decoded.
import type { Key } from './cursor.ts';
import { KeyTable } from './key-table.ts';

/** Number of the stack or the thread where an event has none. */
export const NONE = -1;

/** Growing columns, one row an event. Cleared and used again for the next chunk. */
export class Samples {
  length = 0;
  rule = new Uint16Array(1024);
  /** Number of the stack, or NONE. */
  stack = new Int32Array(1024);
  /** Number of the thread, or NONE. */
  thread = new Int32Array(1024);
  ticks = new Float64Array(1024);
  weight = new Float64Array(1024);
  count = new Float64Array(1024);
  /** Key of the thread's state where the rule asks for it and the key is small, else 0. */
  state = new Int32Array(1024);
  /** Rows of events that name a method to be the leaf, ascending, and that method's key. */
  readonly leafRows: number[] = [];
  readonly leafKeys: Key[] = [];
  /** Events whose stack the sampler could not walk. */
  failed = 0;
  /** Keys of stacks and threads that samples refer to, numbered in order of appearance. */
  readonly stackNumbers = new KeyTable();
  readonly threadNumbers = new KeyTable();

  /** How many rows there is room for. */
  get capacity(): number {
    return this.rule.length;
  }

  clear(): void {
    this.length = 0;
    this.failed = 0;
    this.leafRows.length = 0;
    this.leafKeys.length = 0;
    this.stackNumbers.clear();
    this.threadNumbers.clear();
  }

  /** Forgets all rows but some, ascending; numbers of stacks and threads stay. */
  retain(rows: readonly number[]): void {
    const { leafRows, leafKeys } = this;
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
      while (leafRows[leaf]! < from) leaf++;
      if (leafRows[leaf] !== from) continue;
      leafKeys[leaves] = leafKeys[leaf++]!;
      leafRows[leaves++] = row;
    }
    this.length = rows.length;
    this.failed = 0;
    leafRows.length = leaves;
    leafKeys.length = leaves;
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

  /** Says that the event pushed last is about a method that belongs below its stack. */
  leaf(key: Key): void {
    this.leafRows.push(this.length - 1);
    this.leafKeys.push(key);
  }

  #grow(): void {
    const capacity = this.rule.length * 2;
    const larger = <T extends Uint16Array | Int32Array | Float64Array>(column: T, empty: T): T => {
      empty.set(column);
      return empty;
    };
    this.rule = larger(this.rule, new Uint16Array(capacity));
    this.stack = larger(this.stack, new Int32Array(capacity));
    this.thread = larger(this.thread, new Int32Array(capacity));
    this.ticks = larger(this.ticks, new Float64Array(capacity));
    this.weight = larger(this.weight, new Float64Array(capacity));
    this.count = larger(this.count, new Float64Array(capacity));
    this.state = larger(this.state, new Int32Array(capacity));
  }
}
