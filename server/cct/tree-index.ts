// The index of a tree: which nodes a method has, and which of them recur below one of the same method.
import type { Profile } from './profile.ts';

/** Derived once a tree. Nodes of method m are list[offsets[m]] … list[offsets[m+1]−1], ascending, thus in depth-first order. */
export type TreeIndex = {
  readonly offsets: Int32Array;
  readonly list: Int32Array;
  /** One byte a node: 1 when the node's method also occurs among its ancestors. */
  readonly recursive: Uint8Array;
};

/** Builds the index of the profile's tree. O(nodes + methods). */
export function indexTree(profile: Pick<Profile, 'tree' | 'methods'>): TreeIndex {
  throw new Error(`not yet: ${profile.tree.length}`);
}

/** Nodes of one method row, ascending; a view, not a copy. */
export function nodesOfMethod(index: TreeIndex, method: number): Int32Array {
  return index.list.subarray(index.offsets[method]!, index.offsets[method + 1]!);
}
