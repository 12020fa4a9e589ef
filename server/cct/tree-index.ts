// The index of a tree: which nodes a method has, and which of them recur below one of the same method.

import { PARTIAL_METHOD, type Profile } from './profile.ts';
import { sharedInt32, sharedUint8 } from './shared-columns.ts';

/** Derived once a tree. Nodes of method m are list[offsets[m]] … list[offsets[m+1]−1], ascending, thus in depth-first order. */
export type TreeIndex = {
  readonly offsets: Int32Array;
  readonly list: Int32Array;
  /** One byte a node: 1 when the node's method also occurs among its ancestors. */
  readonly recursive: Uint8Array;
  /** Nodes that have not exactly one child, ascending: each node between two of them is called by the one before alone. */
  readonly ends: Int32Array;
};

/** Builds the index of the profile's tree. O(nodes + methods). */
export function indexTree({ tree, methods }: Pick<Profile, 'tree' | 'methods'>): TreeIndex {
  const { length, method, subtreeEnd } = tree;
  const offsets = sharedInt32(methods.length + 1);
  for (let i = 0; i < length; i++) offsets[method[i]! + 1]!++;
  for (let m = 0; m < methods.length; m++) offsets[m + 1]! += offsets[m]!;

  const list = sharedInt32(length);
  const recursive = sharedUint8(length);
  const next = offsets.slice();
  // In depth-first order a node lies below the method's latest outermost node exactly while that one's subtree lasts.
  const coveredUntil = new Int32Array(methods.length);
  for (let i = 0; i < length; i++) {
    const m = method[i]!;
    list[next[m]!++] = i;
    if (i < coveredUntil[m]!) recursive[i] = 1;
    else coveredUntil[m] = subtreeEnd[i]!;
  }
  return { offsets, list, recursive, ends: endsOf(tree) };
}

/** Nodes looked at before the list of ends may have to grow. */
const NODES_A_ROUND = 1 << 12;

function endsOf({ length, subtreeEnd }: Profile['tree']): Int32Array {
  let ends = new Int32Array(2 * NODES_A_ROUND);
  let found = 0;
  let end = length;
  for (let from = 0; from < length; from += NODES_A_ROUND) {
    if (found + NODES_A_ROUND > ends.length) {
      const larger = new Int32Array(2 * ends.length);
      larger.set(ends);
      ends = larger;
    }
    const to = Math.min(length - 1, from + NODES_A_ROUND);
    for (let i = from; i < to; i++) {
      // The next node is of the same subtree unless this one is a leaf, and ends with it when it is the only child.
      const next = subtreeEnd[i + 1]!;
      ends[found] = i;
      found += end === next ? 0 : 1;
      end = next;
    }
  }
  ends[found++] = length - 1;
  const shared = sharedInt32(found);
  shared.set(ends.subarray(0, found));
  return shared;
}

/** Row of the node above all stacks that were cut off at the root end, or −1 where there are none. */
export function partialNode({ subtreeEnd, method, length }: Profile['tree']): number {
  for (let c = 1; c < length; c = subtreeEnd[c]!) if (method[c] === PARTIAL_METHOD) return c;
  return -1;
}

/** Nodes of one method row, ascending; a view, not a copy. */
export function nodesOfMethod(index: TreeIndex, method: number): Int32Array {
  return index.list.subarray(index.offsets[method]!, index.offsets[method + 1]!);
}
