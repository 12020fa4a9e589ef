// Writes a tree anew when nodes are taken out of it or joined: children of joined nodes that become identical are joined too.

import type { Cct } from './profile.ts';
import { sharedInt32 } from './shared-columns.ts';

/** The changes to make. All columns have a row for each node of the old tree. */
type Changes = {
  /** 1 = take the node out; its children move up to its parent. */
  readonly removed: Uint8Array;
  /** 1 = something changes in the node's subtree or at the node itself; all others are copied as they are. */
  readonly dirty: Uint8Array;
  /** Line in the nearest node above that is not removed. */
  readonly line: Int32Array;
  /** Nodes that move onto others, with their subtrees; null when there are none, as it must be when nodes are removed. */
  readonly guests: Guests | null;
};

/** Lists of nodes that become one with another node, their host. Hosts are no guests and lie below none. */
export type Guests = {
  /** Per node: its first guest, or −1. */
  readonly first: Int32Array;
  /** Per guest: the next guest of the same host, or −1. */
  readonly next: Int32Array;
  /** Per node: 1 = not to be seen where it stands: it is a guest, or nothing of its subtree is left there. */
  readonly gone: Uint8Array;
};

/** The changed tree, and the new row of each old node; a removed one has the row of its nearest kept ancestor. O(nodes). */
export function regroup(old: Cct, methods: number, changes: Changes): { tree: Cct; rows: Int32Array } {
  return new Regrouping(old, methods, changes).run();
}

/**
 * Writes the changed tree in depth-first order. A new node stands for a group of old nodes: nodes that became identical, and guests.
 * Groups are lists through `next`, named by their first node. Each old node is looked at once.
 */
class Regrouping {
  readonly #old: Cct;
  readonly #changes: Changes;
  readonly #next: Int32Array;
  readonly #last: Int32Array;
  /** Per old node: its row in the new tree, removed ones the row of their nearest kept ancestor. */
  readonly #rows: Int32Array;
  readonly #out: { parent: Int32Array; method: Int32Array; callLine: Int32Array; depth: Int32Array };
  #length = 0;
  /** Per method: the group of that method among the siblings being gathered, valid where `#markedFor` is their parent's row. */
  readonly #markedFor: Int32Array;
  readonly #group: Int32Array;
  /** Per first node of a group: another group of the same method and parent. */
  readonly #sameMethod: Int32Array;

  constructor(old: Cct, methods: number, changes: Changes) {
    this.#old = old;
    this.#changes = changes;
    this.#next = new Int32Array(old.length).fill(-1);
    this.#last = new Int32Array(old.length);
    this.#sameMethod = new Int32Array(old.length).fill(-1);
    this.#rows = new Int32Array(old.length);
    this.#markedFor = new Int32Array(methods).fill(-1);
    this.#group = new Int32Array(methods);
    const column = () => new Int32Array(old.length);
    this.#out = { parent: column(), method: column(), callLine: column(), depth: column() };
  }

  run(): { tree: Cct; rows: Int32Array } {
    const { removed, dirty } = this.#changes;
    // Pending groups with the rows of their parents; the next to be written is the last.
    const groups: number[] = [0];
    const parents: number[] = [-1];
    while (groups.length > 0) {
      const first = groups.pop()!;
      const parent = parents.pop()!;
      if (dirty[first] === 0 && this.#next[first] === -1) {
        this.#copySubtree(first, parent);
        continue;
      }
      this.#admitGuests(first);
      const row = this.#write(first, parent);
      const pending = groups.length;
      for (let node = first; node !== -1; node = this.#next[node]!) this.#gatherChildren(node, row, groups);
      // A list of their own, emptied for each node, would cost more than all else that is done for it.
      reverse(groups, pending);
      while (parents.length < groups.length) parents.push(row);
    }
    for (let i = 1; i < removed.length; i++) {
      if (removed[i] === 1) this.#rows[i] = this.#rows[this.#old.parent[i]!]!;
    }
    return { tree: this.#finish(), rows: this.#rows };
  }

  /** Adds its guests to a group. Only its first node can be a host: the others are guests themselves, or stand below one. */
  #admitGuests(first: number): void {
    const { guests } = this.#changes;
    if (guests === null) return;
    for (let guest = guests.first[first]!; guest !== -1; guest = guests.next[guest]!) {
      this.#next[this.#last[first]!] = guest;
      this.#last[first] = guest;
    }
  }

  /** Adds the kept children of an old node, children below removed ones included, to the groups of new row `row`. */
  #gatherChildren(node: number, row: number, groups: number[]): void {
    const { method, subtreeEnd } = this.#old;
    const { removed, line, guests } = this.#changes;
    const end = subtreeEnd[node]!;
    for (let c = node + 1; c < end; ) {
      if (guests !== null && guests.gone[c] === 1) {
        c = subtreeEnd[c]!;
        continue;
      }
      if (removed[c] === 1) {
        c++;
        continue;
      }
      const m = method[c]!;
      const known = this.#markedFor[m] === row ? this.#group[m]! : -1;
      let group = known;
      while (group !== -1 && line[group] !== line[c]) group = this.#sameMethod[group]!;
      if (group === -1) {
        this.#sameMethod[c] = known;
        this.#markedFor[m] = row;
        this.#group[m] = c;
        this.#last[c] = c;
        groups.push(c);
      } else {
        this.#next[this.#last[group]!] = c;
        this.#last[group] = c;
      }
      c = subtreeEnd[c]!;
    }
  }

  /** Appends the new node of a group. */
  #write(first: number, parent: number): number {
    const row = this.#length++;
    const out = this.#out;
    out.parent[row] = parent;
    out.method[row] = this.#old.method[first]!;
    out.callLine[row] = this.#changes.line[first]!;
    out.depth[row] = parent < 0 ? 0 : out.depth[parent]! + 1;
    for (let node = first; node !== -1; node = this.#next[node]!) this.#rows[node] = row;
    return row;
  }

  /** Appends a subtree in which nothing changes. */
  #copySubtree(first: number, parent: number): void {
    const start = this.#length;
    const end = this.#old.subtreeEnd[first]!;
    this.#write(first, parent);
    const shift = start - first;
    const out = this.#out;
    const deeper = out.depth[start]! - this.#old.depth[first]!;
    for (let node = first + 1; node < end; node++) {
      const row = node + shift;
      out.parent[row] = this.#old.parent[node]! + shift;
      out.method[row] = this.#old.method[node]!;
      out.callLine[row] = this.#changes.line[node]!;
      out.depth[row] = this.#old.depth[node]! + deeper;
      this.#rows[node] = row;
    }
    this.#length = end + shift;
  }

  #finish(): Cct {
    const length = this.#length;
    const shared = (column: Int32Array) => {
      const copy = sharedInt32(length);
      copy.set(column.subarray(0, length));
      return copy;
    };
    const { parent, method, callLine, depth } = this.#out;
    const subtreeEnd = sharedInt32(length);
    for (let i = length - 1; i >= 0; i--) {
      if (subtreeEnd[i] === 0) subtreeEnd[i] = i + 1;
      const p = parent[i]!;
      if (p >= 0 && subtreeEnd[p]! < subtreeEnd[i]!) subtreeEnd[p] = subtreeEnd[i]!;
    }
    return {
      length,
      parent: shared(parent),
      method: shared(method),
      callLine: shared(callLine),
      subtreeEnd,
      depth: shared(depth),
    };
  }
}

/** Turns the end of a list round, from a row on. */
function reverse(list: number[], from: number): void {
  for (let [low, high] = [from, list.length - 1]; low < high; low++, high--) {
    const value = list[low]!;
    list[low] = list[high]!;
    list[high] = value;
  }
}
