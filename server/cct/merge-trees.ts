// Merges two trees over one table of methods into one, by walking both in step and copying what only one of them has.

import type { Cct } from './profile.ts';
import { sharedInt32 } from './shared-columns.ts';

type MergedTrees = {
  readonly tree: Cct;
  /** Row in the merged tree for every row of the first tree; ascending. */
  readonly rowsA: Int32Array;
  /** The same for the second tree; not ascending. */
  readonly rowsB: Int32Array;
};

/**
 * Both trees' nodes; two nodes of the same call path are one. Children keep the order of `a`; children that only `b` has follow.
 * O(nodes of a + nodes of b).
 * @param methods number of rows in the method table that both trees refer to
 */
export function mergeTrees(a: Cct, b: Cct, methods: number): MergedTrees {
  const partners = pairNodes(a, b, methods);
  return new Layout(a, b, partners).run();
}

type Partners = {
  /** Per node of a: the node of b with the same call path, or −1. */
  readonly ofA: Int32Array;
  /** Per node of b: 1 when a has its call path. */
  readonly shared: Uint8Array;
  readonly count: number;
};

function pairNodes(a: Cct, b: Cct, methods: number): Partners {
  const ofA = new Int32Array(a.length).fill(-1);
  const shared = new Uint8Array(b.length);
  // Children of the node of a in hand, by method; valid where `markedFor` is that node. Several of one method hang together.
  const markedFor = new Int32Array(methods).fill(-1);
  const child = new Int32Array(methods);
  const sameMethod = new Int32Array(a.length);
  ofA[0] = 0;
  shared[0] = 1;
  let count = 1;
  const pending: number[] = [0];
  while (pending.length > 0) {
    const x = pending.pop()!;
    const y = ofA[x]!;
    const endX = a.subtreeEnd[x]!;
    const endY = b.subtreeEnd[y]!;
    if (y + 1 >= endY) continue;
    for (let c = x + 1; c < endX; c = a.subtreeEnd[c]!) {
      const m = a.method[c]!;
      sameMethod[c] = markedFor[m] === x ? child[m]! : -1;
      markedFor[m] = x;
      child[m] = c;
    }
    for (let d = y + 1; d < endY; d = b.subtreeEnd[d]!) {
      const m = b.method[d]!;
      let c = markedFor[m] === x ? child[m]! : -1;
      while (c !== -1 && a.callLine[c] !== b.callLine[d]) c = sameMethod[c]!;
      if (c === -1) continue;
      ofA[c] = d;
      shared[d] = 1;
      count++;
      pending.push(c);
    }
  }
  return { ofA, shared, count };
}

/** Writes the merged tree in depth-first order: rows of a in their order, rows that only b has where their parent ends. */
class Layout {
  readonly #a: Cct;
  readonly #b: Cct;
  readonly #partners: Partners;
  readonly #tree: Cct;
  readonly #rowsA: Int32Array;
  readonly #rowsB: Int32Array;
  #length = 0;

  constructor(a: Cct, b: Cct, partners: Partners) {
    this.#a = a;
    this.#b = b;
    this.#partners = partners;
    const length = a.length + b.length - partners.count;
    const column = () => sharedInt32(length);
    this.#tree = {
      length,
      parent: column(),
      method: column(),
      callLine: column(),
      subtreeEnd: column(),
      depth: column(),
    };
    this.#rowsA = new Int32Array(a.length);
    this.#rowsB = new Int32Array(b.length);
  }

  run(): MergedTrees {
    const { ofA } = this.#partners;
    const { subtreeEnd } = this.#a;
    // Shared nodes whose subtrees are being written: their rows in a.
    const open: number[] = [];
    let parent = -1;
    for (let x = 0; ; ) {
      while (open.length > 0 && subtreeEnd[open[open.length - 1]!] === x) {
        const closed = open.pop()!;
        this.#appendOwnOfB(ofA[closed]!);
        this.#tree.subtreeEnd[this.#rowsA[closed]!] = this.#length;
        parent = open.length === 0 ? -1 : this.#rowsA[open[open.length - 1]!]!;
      }
      if (x >= this.#a.length) break;
      const y = ofA[x]!;
      if (y === -1) {
        this.#copy(this.#a, x, parent, this.#rowsA);
        x = subtreeEnd[x]!;
        continue;
      }
      const row = this.#length;
      this.#copyNode(x, row, parent);
      this.#rowsB[y] = row;
      open.push(x);
      parent = row;
      x++;
    }
    return { tree: this.#tree, rowsA: this.#rowsA, rowsB: this.#rowsB };
  }

  #copyNode(x: number, row: number, parent: number): void {
    const tree = this.#tree;
    tree.parent[row] = parent;
    tree.method[row] = this.#a.method[x]!;
    tree.callLine[row] = this.#a.callLine[x]!;
    tree.depth[row] = this.#a.depth[x]!;
    this.#rowsA[x] = row;
    this.#length = row + 1;
  }

  /** Appends the subtrees of y's children that a has not. */
  #appendOwnOfB(y: number): void {
    const { subtreeEnd } = this.#b;
    const end = subtreeEnd[y]!;
    const parent = this.#rowsB[y]!;
    for (let d = y + 1; d < end; d = subtreeEnd[d]!) {
      if (this.#partners.shared[d] === 0) this.#copy(this.#b, d, parent, this.#rowsB);
    }
  }

  /** Appends the whole subtree of `node` below row `parent`. */
  #copy(from: Cct, node: number, parent: number, rows: Int32Array): void {
    const tree = this.#tree;
    const end = from.subtreeEnd[node]!;
    const shift = this.#length - node;
    for (let i = node; i < end; i++) {
      const row = i + shift;
      tree.parent[row] = from.parent[i]! + shift;
      tree.method[row] = from.method[i]!;
      tree.callLine[row] = from.callLine[i]!;
      tree.subtreeEnd[row] = from.subtreeEnd[i]! + shift;
      tree.depth[row] = from.depth[i]!;
      rows[i] = row;
    }
    tree.parent[node + shift] = parent;
    this.#length = end + shift;
  }
}
