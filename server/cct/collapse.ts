// Folding: takes transparent methods (bridges, accessors, reflection hops) out of a tree as if no stack had ever held them.
import { EMPTY_STACK_LINE } from './builder.ts';
import { type Cct, type Cells, PARTIAL_METHOD, type Profile } from './profile.ts';
import { regroup } from './regroup.ts';
import { sharedInt32 } from './shared-columns.ts';
import { sortCells } from './sort-cells.ts';

/**
 * Removes all nodes of transparent methods. A child takes the removed node's call line, cells of a removed node become cells of the
 * nearest kept ancestor at that call line (those of stacks without any frame left: EMPTY_STACK_LINE), and siblings that become identical merge. Tables stay as they are, so rows stay valid.
 * Gives `profile` itself back when no node is transparent. O(nodes + cells).
 * @param transparent one byte a method row, 1 = remove; the root and the partial node are never removed
 */
export function collapse(profile: Profile, transparent: Uint8Array): Profile {
  const marks = markNodes(profile.tree, transparent);
  if (marks === null) return profile;
  const { tree, rows } = regroup(profile.tree, profile.methods.length, { ...marks, guests: null });
  return { ...profile, tree, cells: profile.cells.map(cells => foldCells(cells, rows, marks, tree)) };
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

function foldCells(cells: Cells, rows: Int32Array, { removed, line }: Marks, tree: Cct): Cells {
  const movedNode = sharedInt32(cells.length);
  const movedLine = sharedInt32(cells.length);
  for (let i = 0; i < cells.length; i++) {
    const node = cells.node[i]!;
    const row = rows[node]!;
    movedNode[i] = row;
    if (removed[node] === 0) movedLine[i] = cells.line[i]!;
    else movedLine[i] = tree.method[row]! <= PARTIAL_METHOD ? EMPTY_STACK_LINE : line[node]!;
  }
  return sortCells({ ...cells, node: movedNode, line: movedLine }, tree.length);
}
