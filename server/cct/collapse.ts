// Folding: takes transparent methods (bridges, accessors, reflection hops) out of a tree as if no stack had ever held them.
import { sharedInt32 } from './columns.ts';
import { type Cct, type Cells, PARTIAL_METHOD, type Profile } from './profile.ts';
import { sortCells } from './sort-cells.ts';

/**
 * Removes all nodes of transparent methods. A child takes the removed node's call line, cells of a removed node become cells of the
 * nearest kept ancestor at that call line, and siblings that become identical merge. Tables stay as they are, so rows stay valid.
 * Gives `profile` itself back when no node is transparent. O(nodes + cells).
 * @param transparent one byte a method row, 1 = remove; the root and the partial node are never removed
 */
export function collapse(profile: Profile, transparent: Uint8Array): Profile {
  const marks = markNodes(profile.tree, transparent);
  if (marks === null) return profile;
  const { tree, rows } = new Folding(profile.tree, profile.methods.length, marks).run();
  return { ...profile, tree, cells: profile.cells.map(cells => foldCells(cells, rows, marks, tree.length)) };
}

type Marks = {
  /** Per node: 1 = to be removed. */
  readonly removed: Uint8Array;
  /** Per node: 1 = some node in its subtree, itself included, is to be removed. */
  readonly dirty: Uint8Array;
  /** Per node: its line in the nearest kept ancestor. */
  readonly line: Int32Array;
};

function markNodes(tree: Cct, transparent: Uint8Array): Marks | null {
  const { length, method, parent, callLine } = tree;
  const removed = new Uint8Array(length);
  let any = 0;
  for (let i = 0; i < length; i++) {
    const m = method[i]!;
    if (m > PARTIAL_METHOD && transparent[m] === 1) any = removed[i] = 1;
  }
  if (any === 0) return null;
  const dirty = removed.slice();
  for (let i = length - 1; i > 0; i--) dirty[parent[i]!]! |= dirty[i]!;
  const line = callLine.slice();
  for (let i = 1; i < length; i++) {
    const p = parent[i]!;
    if (removed[p] === 1) line[i] = line[p]!;
  }
  return { removed, dirty, line };
}

function foldCells(cells: Cells, rows: Int32Array, { removed, line }: Marks, nodes: number): Cells {
  const movedNode = sharedInt32(cells.length);
  const movedLine = sharedInt32(cells.length);
  for (let i = 0; i < cells.length; i++) {
    const node = cells.node[i]!;
    movedNode[i] = rows[node]!;
    movedLine[i] = removed[node] === 1 ? line[node]! : cells.line[i]!;
  }
  return sortCells({ ...cells, node: movedNode, line: movedLine }, nodes);
}

/**
 * Writes the folded tree in depth-first order. A new node stands for a group of old nodes: the kept ones that became identical.
 * Groups are lists through `next`, named by their first node. Each old node is looked at once.
 */
class Folding {
  readonly #old: Cct;
  readonly #marks: Marks;
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

  constructor(old: Cct, methods: number, marks: Marks) {
    this.#old = old;
    this.#marks = marks;
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
    const { removed, dirty } = this.#marks;
    // Pending groups with the rows of their parents; the next to be written is the last.
    const groups: number[] = [0];
    const parents: number[] = [-1];
    const children: number[] = [];
    while (groups.length > 0) {
      const first = groups.pop()!;
      const parent = parents.pop()!;
      if (dirty[first] === 0 && this.#next[first] === -1) {
        this.#copySubtree(first, parent);
        continue;
      }
      const row = this.#write(first, parent);
      children.length = 0;
      for (let node = first; node !== -1; node = this.#next[node]!) this.#gatherChildren(node, row, children);
      for (let i = children.length - 1; i >= 0; i--) {
        groups.push(children[i]!);
        parents.push(row);
      }
    }
    for (let i = 1; i < removed.length; i++) {
      if (removed[i] === 1) this.#rows[i] = this.#rows[this.#old.parent[i]!]!;
    }
    return { tree: this.#finish(), rows: this.#rows };
  }

  /** Adds the kept children of an old node, those below removed ones included, to the groups of new row `row`. */
  #gatherChildren(node: number, row: number, groups: number[]): void {
    const { method, subtreeEnd } = this.#old;
    const { removed, line } = this.#marks;
    const end = subtreeEnd[node]!;
    for (let c = node + 1; c < end; ) {
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
    out.callLine[row] = this.#marks.line[first]!;
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
      out.callLine[row] = this.#marks.line[node]!;
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
