// Grafts stacks that were cut off at the root end to the place in the tree where they belong, as far as that is certain.
import { sharedInt32 } from './columns.ts';
import type { Cct, Cells, Profile } from './profile.ts';
import { type Guests, regroup } from './regroup.ts';
import { sortCells } from './sort-cells.ts';
import { indexTree, nodesOfMethod, partialNode, type TreeIndex } from './tree-index.ts';

/** Frames that must match before a single remaining place is believed: more than this many. */
export const GRAFT_THRESHOLD = 3;

/**
 * Maximal common merging. Each partial path is decided alone and by methods only: all complete nodes of its first method are
 * candidates, and both walk down in step. Once a single candidate is left after more than `threshold` frames, the rest of the path
 * belongs below it. A path that runs out of candidates is tried again in the next round; one that runs out of frames before is
 * ambiguous. A round decides against the tree as it stood and is then applied as a whole, so that the order of paths does not
 * matter; rounds go on until nothing is grafted. What cannot be decided stays below the partial node.
 */
export function graftPartialStacks(
  profile: Profile,
  threshold = GRAFT_THRESHOLD,
): { profile: Profile; rounds: number } {
  let current = profile;
  for (let rounds = 0; ; rounds++) {
    const partial = partialNode(current.tree);
    if (partial < 0) return { profile: current, rounds };
    const hosts = decideRound(current, partial, threshold);
    if (hosts === null) return { profile: current, rounds };
    current = applyRound(current, partial, hosts);
  }
}

/** Per partial node: the complete node that it is, −1 where undecided; null when nothing was decided. */
function decideRound(profile: Profile, partial: number, threshold: number): Int32Array | null {
  const { tree } = profile;
  const { method, subtreeEnd, depth } = tree;
  const partialEnd = subtreeEnd[partial]!;
  const hosts = new Int32Array(tree.length).fill(-1);
  const candidates = new Candidates(tree, indexTree(profile), profile.methods.length, partial);
  let decided = false;
  // Partial nodes whose candidates are known, with those; the next to be looked at is the last. First methods one by one, since the
  // candidates of all together are as many as the tree has nodes.
  const pending: { node: number; places: readonly number[] }[] = [];
  for (let first = partial + 1; first < partialEnd || pending.length > 0; ) {
    if (pending.length === 0) {
      pending.push({ node: first, places: candidates.ofMethod(method[first]!) });
      first = subtreeEnd[first]!;
    }
    const { node, places } = pending.pop()!;
    if (places.length === 0) continue;
    if (places.length === 1 && depth[node]! - 1 > threshold) {
      hosts[node] = places[0]!;
      decided = true;
      continue;
    }
    if (subtreeEnd[node] === node + 1) continue;
    const below = candidates.below(places, node);
    for (let c = node + 1; c < subtreeEnd[node]!; c = subtreeEnd[c]!) {
      const next = below.get(method[c]!);
      if (next !== undefined) pending.push({ node: c, places: next });
    }
  }
  return decided ? hosts : null;
}

/** Finds places in the complete part of a tree. */
class Candidates {
  readonly #tree: Cct;
  readonly #index: TreeIndex;
  readonly #partial: number;
  /** Per method: the partial node one of whose children has it, in the walk at hand. */
  readonly #wantedBy: Int32Array;

  constructor(tree: Cct, index: TreeIndex, methods: number, partial: number) {
    this.#tree = tree;
    this.#index = index;
    this.#partial = partial;
    this.#wantedBy = new Int32Array(methods).fill(-1);
  }

  /** All complete nodes of a method. */
  ofMethod(method: number): readonly number[] {
    const end = this.#tree.subtreeEnd[this.#partial]!;
    const nodes: number[] = [];
    for (const node of nodesOfMethod(this.#index, method)) if (node < this.#partial || node >= end) nodes.push(node);
    return nodes;
  }

  /** Children of the places by method, for the methods that children of the partial node have. */
  below(places: readonly number[], node: number): Map<number, number[]> {
    const { method, subtreeEnd } = this.#tree;
    for (let c = node + 1; c < subtreeEnd[node]!; c = subtreeEnd[c]!) this.#wantedBy[method[c]!] = node;
    const found = new Map<number, number[]>();
    for (const place of places) {
      const end = subtreeEnd[place]!;
      for (let c = place + 1; c < end; c = subtreeEnd[c]!) {
        const m = method[c]!;
        if (this.#wantedBy[m] !== node) continue;
        const list = found.get(m);
        if (list === undefined) found.set(m, [c]);
        else list.push(c);
      }
    }
    return found;
  }
}

function applyRound(profile: Profile, partial: number, hosts: Int32Array): Profile {
  const { tree } = profile;
  const guests = guestsOf(profile, partial, hosts);
  const dirty = new Uint8Array(tree.length);
  for (let i = 0; i < tree.length; i++) if (guests.first[i] !== -1 || guests.gone[i] === 1) dirty[i] = 1;
  for (let i = tree.length - 1; i > 0; i--) dirty[tree.parent[i]!]! |= dirty[i]!;
  const removed = new Uint8Array(tree.length);
  const changed = regroup(tree, profile.methods.length, { removed, dirty, line: tree.callLine, guests });
  const cells = profile.cells.map((own): Cells => {
    const node = sharedInt32(own.length);
    for (let i = 0; i < own.length; i++) node[i] = changed.rows[own.node[i]!]!;
    return sortCells({ ...own, node }, changed.tree.length);
  });
  return { ...profile, tree: changed.tree, cells };
}

/** Guests by host; what is left of the partial tree are nodes with cells of their own that are no guests, and what is above those. */
function guestsOf({ tree, cells }: Profile, partial: number, hosts: Int32Array): Guests {
  const { length, parent, subtreeEnd } = tree;
  const first = new Int32Array(length).fill(-1);
  const next = new Int32Array(length).fill(-1);
  const end = subtreeEnd[partial]!;
  const stays = new Uint8Array(length);
  for (const { node } of cells) for (let i = 0; i < node.length; i++) stays[node[i]!] = 1;
  for (let i = end - 1; i >= partial; i--) {
    const host = hosts[i]!;
    if (host !== -1) {
      next[i] = first[host]!;
      first[host] = i;
      stays[i] = 0;
    } else if (stays[i] === 1 && i > partial) {
      stays[parent[i]!] = 1;
    }
  }
  const gone = new Uint8Array(length);
  for (let i = partial; i < end; i++) if (stays[i] === 0) gone[i] = 1;
  // Below a guest everything goes along with it.
  for (let i = partial; i < end; i++) {
    if (hosts[i] === -1) continue;
    gone.fill(0, i + 1, subtreeEnd[i]!);
    i = subtreeEnd[i]! - 1;
  }
  return { first, next, gone };
}
