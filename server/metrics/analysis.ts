// Analysis of a profile under one selection: dense self and total values of every node, from which all queries are answered.
import { assert } from '../base/assert.ts';
import { sharedFloat64 } from '../cct/columns.ts';
import { type Cct, type Cells, PARTIAL_METHOD, type Profile } from '../cct/profile.ts';
import type { TreeIndex } from '../cct/tree-index.ts';

/** What is looked at: one metric, and optionally a subset of threads, windows and nodes. */
export type Selection = {
  /** Row in `profile.metrics`. */
  readonly metric: number;
  /** One byte a thread row, 1 = selected; all when absent. */
  readonly threads?: Uint8Array;
  /** One byte a window, 1 = selected; all when absent. */
  readonly windows?: Uint8Array;
  /** Outermost nodes of a focus, ascending; samples and stacks are cut to what lies at or below them. All when absent. */
  readonly focus?: Int32Array;
};

/** A sum over samples: their weights in the metric's unit, and how many they were. */
export type Amount = { readonly weight: number; readonly count: number };

/** Dense values of one selection. Columns of weight and count are the same array where the metric's unit is `samples`. */
export type Analysis = {
  readonly profile: Profile;
  readonly index: TreeIndex;
  readonly selection: Selection;
  /** Per node: samples with this node innermost; 0 outside the scope. */
  readonly selfWeight: Float64Array;
  readonly selfCount: Float64Array;
  /** Per node: samples at or below this node; 0 outside the scope. */
  readonly totalWeight: Float64Array;
  readonly totalCount: Float64Array;
  /** Cells of node i in the selection's metric are the rows cellOffsets[i] … cellOffsets[i+1]−1. */
  readonly cellOffsets: Int32Array;
  /** One byte a node: 1 where it counts (inside the focus and no partial stack); null when every node counts. */
  readonly scope: Uint8Array | null;
  /** Σ w(S), the denominator of all shares: what the selection holds, partial stacks left out. */
  readonly whole: Amount;
  /** Selected samples in unmerged partial stacks: part of no share. */
  readonly incomplete: Amount;
  /** incomplete / (whole + incomplete) by weight, 0 when both are 0. */
  readonly incompleteShare: number;
  /** Selected samples that came without any stack; part of `whole`. */
  readonly withoutStack: Amount;
};

/**
 * Computes dense values of `selection` over `profile`. O(nodes + cells of the metric).
 * A metric row outside the table is a bug of the caller and throws.
 */
export function analyse(profile: Profile, index: TreeIndex, selection: Selection): Analysis {
  const metric = profile.metrics[selection.metric];
  assert(metric !== undefined, `metric row ${selection.metric} of ${profile.metrics.length}`);
  const { tree } = profile;
  const cells = profile.cells[selection.metric]!;
  const partial = partialNode(tree);
  const scope = scopeOf(tree, partial, selection.focus);
  const { incomplete, selfWeight, selfCount } = sumSelf(profile, selection, partial, scope);
  const totalCount = sumTotals(tree, selfCount, scope);
  const totalWeight = selfWeight === selfCount ? totalCount : sumTotals(tree, selfWeight, scope);
  const whole = { weight: sumOutermost(tree, totalWeight, scope), count: sumOutermost(tree, totalCount, scope) };
  const all = whole.weight + incomplete.weight;
  return {
    profile,
    index,
    selection,
    selfWeight,
    selfCount,
    totalWeight,
    totalCount,
    cellOffsets: offsetsOfCells(cells, tree.length),
    scope,
    whole,
    incomplete,
    incompleteShare: all > 0 ? incomplete.weight / all : 0,
    withoutStack: { weight: selfWeight[0]!, count: selfCount[0]! },
  };
}

/** Row of the node above all partial stacks, or −1. */
function partialNode({ subtreeEnd, method, length }: Cct): number {
  for (let c = 1; c < length; c = subtreeEnd[c]!) if (method[c] === PARTIAL_METHOD) return c;
  return -1;
}

function scopeOf(tree: Cct, partial: number, focus: Int32Array | undefined): Uint8Array | null {
  if (partial < 0 && focus === undefined) return null;
  const scope = new Uint8Array(tree.length);
  if (focus === undefined) scope.fill(1);
  else for (const node of focus) scope.fill(1, node, tree.subtreeEnd[node]!);
  if (partial >= 0) scope.fill(0, partial, tree.subtreeEnd[partial]!);
  return scope;
}

type SelfSums = { incomplete: Amount; selfWeight: Float64Array; selfCount: Float64Array };

/** Adds the selected cells up by node; those in partial stacks (of the focus, if any) go to `incomplete`. */
function sumSelf(profile: Profile, selection: Selection, partial: number, scope: Uint8Array | null): SelfSums {
  const cells = profile.cells[selection.metric]!;
  const { subtreeEnd, length } = profile.tree;
  const { node, thread, window, count, weight, weightSquares } = cells;
  const { threads, windows } = selection;
  const selfCount = sharedFloat64(length);
  const selfWeight = weightSquares === null ? selfCount : sharedFloat64(length);
  const partialEnd = partial < 0 ? -1 : subtreeEnd[partial]!;
  const focused = focusTest(profile.tree, selection.focus);
  const incomplete = { weight: 0, count: 0 };
  for (let i = 0; i < cells.length; i++) {
    if (threads !== undefined && threads[thread[i]!] !== 1) continue;
    if (windows !== undefined && windows[window[i]!] !== 1) continue;
    const n = node[i]!;
    if (scope === null || scope[n] === 1) {
      selfCount[n]! += count[i]!;
      if (weightSquares !== null) selfWeight[n]! += weight[i]!;
    } else if (n >= partial && n < partialEnd && focused(n)) {
      incomplete.weight += weight[i]!;
      incomplete.count += count[i]!;
    }
  }
  return { incomplete, selfWeight, selfCount };
}

/** Whether a node lies at or below a node of the focus; asked with ascending nodes. */
function focusTest({ subtreeEnd }: Cct, focus: Int32Array | undefined): (node: number) => boolean {
  if (focus === undefined) return () => true;
  let at = 0;
  return node => {
    while (at < focus.length && subtreeEnd[focus[at]!]! <= node) at++;
    return at < focus.length && focus[at]! <= node;
  };
}

/** Self values plus those of all descendants in scope. */
function sumTotals({ parent, length }: Cct, self: Float64Array, scope: Uint8Array | null): Float64Array {
  const total = sharedFloat64(length);
  total.set(self);
  if (scope === null) for (let i = length - 1; i > 0; i--) total[parent[i]!]! += total[i]!;
  else for (let i = length - 1; i > 0; i--) if (scope[parent[i]!] === 1) total[parent[i]!]! += total[i]!;
  return total;
}

/** Sum of totals over the outermost nodes in scope. */
function sumOutermost({ subtreeEnd, length }: Cct, total: Float64Array, scope: Uint8Array | null): number {
  if (scope === null || scope[0] === 1) return total[0]!;
  let sum = 0;
  for (let i = 0; i < length; ) {
    sum += total[i]!;
    i = scope[i] === 1 ? subtreeEnd[i]! : i + 1;
  }
  return sum;
}

const offsetsByCells = new WeakMap<Cells, Int32Array>();

/** Where each node's cells begin; made once a table of cells. */
function offsetsOfCells(cells: Cells, nodes: number): Int32Array {
  const known = offsetsByCells.get(cells);
  if (known !== undefined) return known;
  const offsets = new Int32Array(nodes + 1);
  for (let i = 0; i < cells.length; i++) offsets[cells.node[i]! + 1]!++;
  for (let n = 0; n < nodes; n++) offsets[n + 1]! += offsets[n]!;
  offsetsByCells.set(cells, offsets);
  return offsets;
}
