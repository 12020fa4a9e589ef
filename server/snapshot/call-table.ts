// The distinct calls (caller, callee, line) of a tree, numbered as they come and ranked by how many nodes they have.
import { hash3 } from '../cct/shared-columns.ts';

const FIELDS = 4;

export class CallTable {
  readonly #methods: number;
  /** Records of (caller, callee, line, nodes). */
  #records = new Int32Array(FIELDS * 1024);
  /** Open addressing: call + 1, 0 is free. */
  #slots = new Int32Array(4096);
  #length = 0;

  constructor(methods: number) {
    this.#methods = methods;
  }

  /** The number of a call; counts one more node of it. */
  add(caller: number, callee: number, line: number): number {
    const records = this.#records;
    const mask = this.#slots.length - 1;
    let slot = hash3(caller, callee, line) & mask;
    for (;;) {
      const call = this.#slots[slot]! - 1;
      if (call < 0) break;
      const at = call * FIELDS;
      if (records[at] === caller && records[at + 1] === callee && records[at + 2] === line) {
        records[at + 3]!++;
        return call;
      }
      slot = (slot + 1) & mask;
    }
    return this.#append(slot, caller, callee, line);
  }

  #append(slot: number, caller: number, callee: number, line: number): number {
    const call = this.#length++;
    const at = call * FIELDS;
    if (at + FIELDS > this.#records.length) {
      const larger = new Int32Array(this.#records.length * 2);
      larger.set(this.#records);
      this.#records = larger;
    }
    this.#records[at] = caller;
    this.#records[at + 1] = callee;
    this.#records[at + 2] = line;
    this.#records[at + 3] = 1;
    this.#slots[slot] = call + 1;
    if (this.#length * 3 > this.#slots.length) this.#rehash();
    return call;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let call = 0; call < this.#length; call++) {
      const at = call * FIELDS;
      let slot = hash3(this.#records[at]!, this.#records[at + 1]!, this.#records[at + 2]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = call + 1;
    }
    this.#slots = slots;
  }

  callee(call: number): number {
    return this.#records[call * FIELDS + 1]!;
  }

  line(call: number): number {
    return this.#records[call * FIELDS + 2]!;
  }

  /** Calls grouped by caller, the most frequent first: caller m's are order[offsets[m]] … order[offsets[m+1]−1]; and each call's rank. */
  ranked(): { order: Int32Array; offsets: Int32Array; ranks: Int32Array } {
    const records = this.#records;
    const offsets = new Int32Array(this.#methods + 1);
    for (let call = 0; call < this.#length; call++) offsets[records[call * FIELDS]! + 1]!++;
    for (let m = 0; m < this.#methods; m++) offsets[m + 1]! += offsets[m]!;
    const order = new Int32Array(this.#length);
    const next = offsets.slice();
    for (let call = 0; call < this.#length; call++) order[next[records[call * FIELDS]!]!++] = call;
    const ranks = new Int32Array(this.#length);
    const compare = (x: number, y: number) => records[y * FIELDS + 3]! - records[x * FIELDS + 3]! || x - y;
    for (let m = 0; m < this.#methods; m++) {
      const from = offsets[m]!;
      const to = offsets[m + 1]!;
      if (to - from > 1) order.subarray(from, to).sort(compare);
      for (let i = from; i < to; i++) ranks[order[i]!] = i - from;
    }
    return { order, offsets, ranks };
  }
}
