// Finds the distinct calls of a tree: which nodes were called by the same caller, from the same line, and are of the same callee.

import { type KnownCalls, takeKnownCalls } from '../cct/known-calls.ts';
import type { Cct } from '../cct/profile.ts';
import { hash3, sharedInt32 } from '../cct/shared-columns.ts';

/** Distinct triples. */
export type Sites = {
  readonly length: number;
  readonly caller: Int32Array;
  readonly line: Int32Array;
  readonly callee: Int32Array;
};

type FoundSites = {
  readonly found: Sites;
  /** Per node: a number that says which site it was called from. */
  readonly numberOfNode: Int32Array;
  /** The site of each number; of numbers that no node has, any. */
  readonly siteOfNumber: Int32Array;
};

/** O(nodes + methods). */
export function findSites(tree: Cct, methods: number): FoundSites {
  const known = takeKnownCalls(tree);
  return (known === null ? null : knownSites(tree, known)) ?? sitesOfNodes(tree, methods, known?.callOfNode ?? null);
}

/** The calls that have nodes; null where they are not the sites, for unknown lines are one. */
function knownSites({ length }: Cct, { offsets, sites, callOfNode }: KnownCalls): FoundSites | null {
  const most = sites.length / 2;
  const isUsed = new Uint8Array(most);
  for (let node = 1; node < length; node++) isUsed[callOfNode[node]!] = 1;
  const siteOfNumber = new Int32Array(most);
  const [caller, line, callee] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  let site = 0;
  for (let m = 0; m + 1 < offsets.length; m++) {
    for (let call = offsets[m]!; call < offsets[m + 1]!; call++) {
      if (isUsed[call] === 0) continue;
      if (sites[2 * call + 1]! < 0) return null;
      caller[site] = m;
      callee[site] = sites[2 * call]!;
      line[site] = sites[2 * call + 1]!;
      siteOfNumber[call] = site++;
    }
  }
  return { found: { length: site, caller, line, callee }, numberOfNode: callOfNode, siteOfNumber };
}

/** Looks each node's call up; `column` is written to where it is given. */
function sitesOfNodes(tree: Cct, methods: number, column: Int32Array | null): FoundSites {
  const numberOfNode = column ?? sharedInt32(tree.length);
  const numbers = new SiteNumbers(methods);
  for (let node = 1; node < tree.length; node += NODES_A_ROUND)
    numbers.write(numberOfNode, tree, node, Math.min(tree.length, node + NODES_A_ROUND));
  return { numberOfNode, ...numbers.list() };
}

/** So many calls of each caller stand side by side; most methods make no more. */
const SIDE_BY_SIDE = 4;
/** Nodes that are looked at before the calls are looked up that were not found side by side. */
const NODES_A_ROUND = 1 << 12;

/**
 * Numbers calls as they come. What a caller calls first, thus mostly, is found in one place by comparing with all that is there:
 * in a table of all calls most of the time would go into waiting for memory, and into branches that were guessed wrongly.
 */
class SiteNumbers {
  readonly #methods: number;
  /** Line and callee as one number above 0, `SIDE_BY_SIDE` of each caller; 0 is free. */
  readonly #keys: Int32Array;
  /** From this line on a key would not be positive. */
  readonly #linesEnd: number;
  readonly #others = new SiteSet();
  readonly #missed = new Int32Array(NODES_A_ROUND);

  constructor(methods: number) {
    this.#methods = methods;
    this.#keys = new Int32Array(SIDE_BY_SIDE * methods);
    this.#linesEnd = Math.floor(2 ** 31 / methods);
  }

  /** Numbers the calls of the nodes from … to−1, at most `NODES_A_ROUND`. */
  write(numberOfNode: Int32Array, { parent, method, callLine }: Cct, from: number, to: number): void {
    const missed = this.#missed;
    const keys = this.#keys;
    const methods = this.#methods;
    const linesEnd = this.#linesEnd;
    let misses = 0;
    // No branch depends on what is found. Differences of keys are not negative, so that less 1 only those of 0 have the sign bit.
    for (let node = from; node < to; node++) {
      const at = SIDE_BY_SIDE * method[parent[node]!]!;
      const line = Math.max(0, callLine[node]!);
      const key = (Math.imul(line, methods) + method[node]!) | 0;
      const isFirst = ((keys[at]! ^ key) - 1) >>> 31;
      const isSecond = ((keys[at + 1]! ^ key) - 1) >>> 31;
      const isThird = ((keys[at + 2]! ^ key) - 1) >>> 31;
      const isFourth = ((keys[at + 3]! ^ key) - 1) >>> 31;
      numberOfNode[node] = at + isSecond + 2 * isThird + 3 * isFourth;
      missed[misses] = node;
      misses += 1 - ((isFirst | isSecond | isThird | isFourth) & ((line - linesEnd) >>> 31));
    }
    for (let i = 0; i < misses; i++) {
      const node = missed[i]!;
      numberOfNode[node] = this.#number(method[parent[node]!]!, Math.max(0, callLine[node]!), method[node]!);
    }
  }

  /** The number of any call, made when new. */
  #number(caller: number, line: number, callee: number): number {
    const keys = this.#keys;
    const key = line * this.#methods + callee;
    const from = SIDE_BY_SIDE * caller;
    for (let at = from; line < this.#linesEnd && at < from + SIDE_BY_SIDE; at++) {
      if (keys[at] === 0) keys[at] = key;
      if (keys[at] === key) return at;
    }
    return keys.length + this.#others.row(caller, line, callee);
  }

  list(): Pick<FoundSites, 'found' | 'siteOfNumber'> {
    const keys = this.#keys;
    const methods = this.#methods;
    const others = this.#others;
    const siteOfNumber = new Int32Array(keys.length + others.length);
    let length = others.length;
    for (let number = 0; number < keys.length; number++) if (keys[number] !== 0) length++;
    const [caller, line, callee] = [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
    let site = 0;
    for (let number = 0; number < keys.length; number++) {
      const key = keys[number]!;
      if (key === 0) continue;
      caller[site] = Math.floor(number / SIDE_BY_SIDE);
      line[site] = Math.floor(key / methods);
      callee[site] = key % methods;
      siteOfNumber[number] = site++;
    }
    caller.set(others.caller.subarray(0, others.length), site);
    line.set(others.line.subarray(0, others.length), site);
    callee.set(others.callee.subarray(0, others.length), site);
    for (let row = 0; row < others.length; row++) siteOfNumber[keys.length + row] = site++;
    return { found: { length, caller, line, callee }, siteOfNumber };
  }
}

/** Distinct triples in the order in which they came; open addressing over columns. */
class SiteSet {
  length = 0;
  caller = new Int32Array(1 << 12);
  line = new Int32Array(1 << 12);
  callee = new Int32Array(1 << 12);
  /** Row + 1, 0 is free. Always at least twice as many slots as rows. */
  #slots = new Int32Array(1 << 13);

  /** Row of a triple, made when new. */
  row(caller: number, line: number, callee: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash3(caller, line, callee) & mask;
    for (;;) {
      const row = this.#slots[slot]! - 1;
      if (row < 0) break;
      if (this.callee[row] === callee && this.line[row] === line && this.caller[row] === caller) return row;
      slot = (slot + 1) & mask;
    }
    if (this.length === this.caller.length) {
      this.#grow();
      return this.row(caller, line, callee);
    }
    this.#slots[slot] = this.length + 1;
    this.caller[this.length] = caller;
    this.line[this.length] = line;
    this.callee[this.length] = callee;
    return this.length++;
  }

  #grow(): void {
    const twice = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const column = new Int32Array(old.length * 2);
      column.set(old);
      return column;
    };
    this.caller = twice(this.caller);
    this.line = twice(this.line);
    this.callee = twice(this.callee);
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let row = 0; row < this.length; row++) {
      let slot = hash3(this.caller[row]!, this.line[row]!, this.callee[row]!) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = row + 1;
    }
  }
}
