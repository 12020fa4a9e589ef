// Grafts stacks that were cut off at the root end to the place in the tree where they belong, as far as that is certain.

import { PathAutomaton } from './path-automaton.ts';
import type { Cct, Cells, Profile } from './profile.ts';
import { type Guests, regroup } from './regroup.ts';
import { sharedInt32 } from './shared-columns.ts';
import { sortCells } from './sort-cells.ts';
import { partialNode } from './tree-index.ts';

/** Frames that must match before a single remaining place is believed: more than this many. */
const GRAFT_THRESHOLD = 3;

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
  const partial = partialNode(profile.tree);
  if (partial < 0) return { profile, rounds: 0 };
  const search = new PlaceSearch(profile, partial);
  let current = profile;
  let cutOff = partial;
  for (let rounds = 0; ; rounds++) {
    const hosts = search.hosts(current.tree, cutOff, threshold);
    if (hosts === null) return { profile: current, rounds };
    const changed = applyRound(current, cutOff, hosts);
    const left = partialNode(changed.profile.tree);
    if (left < 0) return { profile: changed.profile, rounds: rounds + 1 };
    search.renew(changed.rows, current.tree, cutOff, changed.profile.tree, left);
    current = changed.profile;
    cutOff = left;
  }
}

/** Finds where partial paths belong. The complete nodes that were there before are not looked at again when the tree has grown. */
class PlaceSearch {
  readonly #automaton: PathAutomaton;
  /** Per node its state: of a partial one that of its path, of a complete one the longest path that ends there. */
  #states: Int32Array;

  constructor({ tree, methods }: Profile, partial: number) {
    const { length, method, parent, subtreeEnd } = tree;
    const end = subtreeEnd[partial]!;
    const automaton = new PathAutomaton(methods.length, end - partial);
    const states = new Int32Array(length);
    for (let i = partial + 1; i < end; i++) states[i] = automaton.add(states[parent[i]!]!, method[i]!);
    automaton.link();
    for (let i = 1; i < length; i++) {
      if (i === partial) i = end;
      if (i >= length) break;
      const state = automaton.read(states[parent[i]!]!, method[i]!);
      states[i] = state;
      automaton.note(state, i);
    }
    automaton.spread();
    this.#automaton = automaton;
    this.#states = states;
  }

  /** Per partial node: the complete node that it is, −1 where undecided; null when nothing was decided. */
  hosts({ length, depth, subtreeEnd }: Cct, partial: number, threshold: number): Int32Array | null {
    const { count, place } = this.#automaton;
    const hosts = new Int32Array(length).fill(-1);
    let decided = false;
    for (let i = partial + 1; i < subtreeEnd[partial]!; ) {
      const state = this.#states[i]!;
      const places = count[state]!;
      if (places === 1 && depth[i]! - 1 > threshold) {
        hosts[i] = place[state]!;
        decided = true;
        i = subtreeEnd[i]!;
      } else {
        i = places === 0 ? subtreeEnd[i]! : i + 1;
      }
    }
    return decided ? hosts : null;
  }

  /** Goes on to a changed tree: `rows` tells where each old node went, `left` is what the partial node became. */
  renew(rows: Int32Array, old: Cct, partial: number, tree: Cct, left: number): void {
    const automaton = this.#automaton;
    const { length, method, parent, subtreeEnd } = tree;
    const [end, leftEnd] = [old.subtreeEnd[partial]!, subtreeEnd[left]!];
    const states = new Int32Array(length).fill(-1);
    automaton.rename(rows);
    for (let i = 0; i < old.length; i++) {
      const row = rows[i]!;
      const wasPartial = i >= partial && i < end;
      const isPartial = row >= left && row < leftEnd;
      if (wasPartial === isPartial) states[row] = this.#states[i]!;
    }
    for (let i = 1; i < length; i++) {
      if (states[i] !== -1) continue;
      const state = automaton.read(states[parent[i]!]!, method[i]!);
      states[i] = state;
      automaton.noteAll(state, i);
    }
    this.#states = states;
  }
}

function applyRound(profile: Profile, partial: number, hosts: Int32Array): { profile: Profile; rows: Int32Array } {
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
  return { profile: { ...profile, tree: changed.tree, cells }, rows: changed.rows };
}

/** Guests by host; of the partial tree, nodes with cells of their own that are no guests stay, and the nodes above those. */
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
