// Analysis of a profile under one selection: dense self and total values of every node, from which all queries are answered.
import { assert } from '../base/assert.ts';
import { EMPTY_STACK_LINE } from '../cct/builder.ts';
import { passingFloat64 } from '../cct/columns.ts';
import type { Cct, Cells, Profile } from '../cct/profile.ts';
import { partialNode, type TreeIndex } from '../cct/tree-index.ts';
import { isCalledInScope, scopeOf } from './scope.ts';
import { type Stretches, stretchesOf, stretchOf } from './stretches.ts';

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

/** Values of one selection. Columns of weight and count are the same array where the metric's unit is `samples`. */
export type Analysis = {
  readonly profile: Profile;
  readonly index: TreeIndex;
  readonly selection: Selection;
  /** Of the tree and the cells of the selection's metric; none is in scope with some of its nodes only. */
  readonly stretches: Stretches;
  /** Per stretch: samples at or below its nodes; 0 outside the scope. */
  readonly totalWeight: Float64Array;
  readonly totalCount: Float64Array;
  /** One byte a node: 1 where it counts (inside the focus and no partial stack); null when every node counts. */
  readonly scope: Uint8Array | null;
  /** Σ w(S), the denominator of all shares: what the selection holds, partial stacks left out. */
  readonly whole: Amount;
  /** Selected samples in unmerged partial stacks: part of no share. */
  readonly incomplete: Amount;
  /** Selected samples that came without any stack (a stack without frames is one); part of `whole`. */
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
  const partial = partialNode(tree);
  const scope = scopeOf(tree, partial, selection.focus);
  const stretches = stretchesOfSelection(profile, index, selection);
  const { incomplete, withoutStack, weight, count } = sumSelf(profile, selection, stretches, partial, scope);
  addUpwards(tree, stretches, count, scope);
  if (weight !== count) addUpwards(tree, stretches, weight, scope);
  const whole = {
    weight: sumOutermost(tree, stretches, weight, scope),
    count: sumOutermost(tree, stretches, count, scope),
  };
  return {
    profile,
    index,
    selection,
    stretches,
    totalWeight: weight,
    totalCount: count,
    scope,
    whole,
    incomplete,
    withoutStack,
  };
}

const stretchesOfCells = new WeakMap<Cells, Stretches>();

/** Made once a table of cells; of a focus, anew. */
function stretchesOfSelection({ tree, cells }: Profile, { ends }: TreeIndex, { metric, focus }: Selection): Stretches {
  const own = cells[metric]!;
  let all = stretchesOfCells.get(own);
  if (all === undefined) {
    // The root stands alone: what is below it may be a partial stack.
    all = stretchesOf(tree.length, [ends, own.node, Int32Array.of(0)], own);
    stretchesOfCells.set(own, all);
  }
  if (focus === undefined) return all;
  const before = focus.map(node => Math.max(0, node - 1));
  return stretchesOf(tree.length, [all.ends, before], own);
}

/** Per node: selected samples with this node innermost; 0 outside the scope. */
export function selfColumns({ profile, selection, scope, stretches }: Analysis): Record<keyof Amount, Float64Array> {
  const sums = sumSelf(profile, selection, stretches, partialNode(profile.tree), scope);
  const dense = (sum: Float64Array) => {
    const column = new Float64Array(profile.tree.length);
    for (let i = 0; i < stretches.length; i++) column[stretches.ends[i]!] = sum[i]!;
    return column;
  };
  return { weight: dense(sums.weight), count: dense(sums.count) };
}

type SelfSums = { incomplete: Amount; withoutStack: Amount; weight: Float64Array; count: Float64Array };

/** Adds the selected cells up by stretch; those in partial stacks (of the focus, if any) go to `incomplete`. */
function sumSelf(
  profile: Profile,
  selection: Selection,
  { ends, length }: Stretches,
  partial: number,
  scope: Uint8Array | null,
): SelfSums {
  const cells = profile.cells[selection.metric]!;
  const { subtreeEnd } = profile.tree;
  const { threads, windows } = selection;
  const count = passingFloat64(length);
  const weight = cells.weightSquares === null ? count : passingFloat64(length);
  const partialEnd = partial < 0 ? -1 : subtreeEnd[partial]!;
  const focused = focusTest(profile.tree, selection.focus);
  const incomplete = { weight: 0, count: 0 };
  const withoutStack = { weight: 0, count: 0 };
  for (let i = 0, at = 0; i < cells.length; i++) {
    if (threads !== undefined && threads[cells.thread[i]!] !== 1) continue;
    if (windows !== undefined && windows[cells.window[i]!] !== 1) continue;
    const node = cells.node[i]!;
    if (scope === null || scope[node] === 1) {
      while (ends[at]! < node) at++;
      count[at]! += cells.count[i]!;
      if (weight !== count) weight[at]! += cells.weight[i]!;
      if (node > 0 || cells.line[i] === EMPTY_STACK_LINE) continue;
      withoutStack.weight += cells.weight[i]!;
      withoutStack.count += cells.count[i]!;
    } else if (node >= partial && node < partialEnd && focused(node)) {
      incomplete.weight += cells.weight[i]!;
      incomplete.count += cells.count[i]!;
    }
  }
  return { incomplete, withoutStack, weight, count };
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

/** Adds every stretch's sum to that of its caller, as far as that is in scope: self values become totals. */
function addUpwards(tree: Cct, stretches: Stretches, sum: Float64Array, scope: Uint8Array | null): void {
  const { parent } = tree;
  const { ends, length } = stretches;
  for (let i = length - 1; i > 0; i--) {
    const start = ends[i - 1]! + 1;
    if (sum[i] !== 0 && isCalledInScope(tree, scope, start)) sum[stretchOf(stretches, parent[start]!)]! += sum[i]!;
  }
}

/** Sum of totals over the outermost nodes in scope. */
function sumOutermost(
  { subtreeEnd, length }: Cct,
  stretches: Stretches,
  total: Float64Array,
  scope: Uint8Array | null,
): number {
  if (scope === null || scope[0] === 1) return total[0]!;
  let sum = 0;
  for (let i = 0; i < length; ) {
    const stretch = stretchOf(stretches, i);
    sum += total[stretch]!;
    i = scope[i] === 1 ? subtreeEnd[i]! : stretches.ends[stretch]! + 1;
  }
  return sum;
}
