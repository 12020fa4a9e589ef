// Analysis of a profile under one selection: dense self and total values of every node, from which all queries are answered.
import { assert } from '../base/assert.ts';
import { EMPTY_STACK_LINE } from '../cct/builder.ts';
import { passingFloat64, passingInt32, sharedInt32 } from '../cct/columns.ts';
import type { Cct, Cells, Profile } from '../cct/profile.ts';
import { partialNode, type TreeIndex } from '../cct/tree-index.ts';
import { isCalledInScope, runsInScope, scopeOf } from './scope.ts';

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

/** One sum a node: whole numbers of 32 bits where all samples' counts together are one, which takes half the memory. */
export type NodeSums = Float64Array | Int32Array;

/** Dense values of one selection. What a node has of its own is the sum of its cells (selfColumns makes it dense). Columns of weight and count are the same array where the metric's unit is `samples`. */
export type Analysis = {
  readonly profile: Profile;
  readonly index: TreeIndex;
  readonly selection: Selection;
  /** Per node: samples at or below this node; 0 outside the scope. */
  readonly totalWeight: NodeSums;
  readonly totalCount: NodeSums;
  /** Cells of node i in the selection's metric are the rows cellOffsets[i] … cellOffsets[i+1]−1. */
  readonly cellOffsets: Int32Array;
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
  const cells = profile.cells[selection.metric]!;
  const partial = partialNode(tree);
  const scope = scopeOf(tree, partial, selection.focus);
  const { incomplete, withoutStack, weight, count } = sumSelf(profile, selection, partial, scope);
  const runs = runsInScope(tree, partial, selection.focus);
  addUpwards(tree, count, weight === count ? null : weight, scope, runs);
  const whole = { weight: sumOutermost(tree, weight, scope), count: sumOutermost(tree, count, scope) };
  return {
    profile,
    index,
    selection,
    totalWeight: weight,
    totalCount: count,
    cellOffsets: factsOfCells(cells, tree.length).offsets,
    scope,
    whole,
    incomplete,
    withoutStack,
  };
}

/** Per node: selected samples with this node innermost; 0 outside the scope. For walks over the whole tree; made anew each time. */
export function selfColumns({ profile, selection, scope }: Analysis): { weight: NodeSums; count: NodeSums } {
  return sumSelf(profile, selection, partialNode(profile.tree), scope);
}

type SelfSums = { incomplete: Amount; withoutStack: Amount; weight: NodeSums; count: NodeSums };

/** Adds the selected cells up by node; those in partial stacks (of the focus, if any) go to `incomplete`. */
function sumSelf(profile: Profile, selection: Selection, partial: number, scope: Uint8Array | null): SelfSums {
  const cells = profile.cells[selection.metric]!;
  const { subtreeEnd, length } = profile.tree;
  const { threads, windows } = selection;
  const count = factsOfCells(cells, length).areCountsSmall ? passingInt32(length) : passingFloat64(length);
  const weight = cells.weightSquares === null ? count : passingFloat64(length);
  const partialEnd = partial < 0 ? -1 : subtreeEnd[partial]!;
  const focused = focusTest(profile.tree, selection.focus);
  const incomplete = { weight: 0, count: 0 };
  const withoutStack = { weight: 0, count: 0 };
  for (let i = 0; i < cells.length; i++) {
    if (threads !== undefined && threads[cells.thread[i]!] !== 1) continue;
    if (windows !== undefined && windows[cells.window[i]!] !== 1) continue;
    const node = cells.node[i]!;
    if (scope === null || scope[node] === 1) {
      count[node]! += cells.count[i]!;
      if (weight !== count) weight[node]! += cells.weight[i]!;
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

/** Adds every node's values to its parent's, as far as that is in scope: self values become totals. */
function addUpwards(
  tree: Cct,
  count: NodeSums,
  weight: NodeSums | null,
  scope: Uint8Array | null,
  runs: readonly number[],
): void {
  const { parent } = tree;
  for (let at = runs.length - 2; at >= 0; at -= 2) {
    const from = runs[at]!;
    // Most nodes stand right behind the one that calls them, to which sums are carried without going through memory.
    let counted = 0;
    let weighed = 0;
    for (let i = runs[at + 1]! - 1; i >= from; i--) {
      counted += count[i]!;
      count[i] = counted;
      if (weight !== null) {
        weighed += weight[i]!;
        weight[i] = weighed;
      }
      const caller = parent[i]!;
      if (caller === i - 1 && i > from) continue;
      if (i > from || isCalledInScope(tree, scope, i)) {
        count[caller]! += counted;
        if (weight !== null) weight[caller]! += weighed;
      }
      counted = 0;
      weighed = 0;
    }
  }
}

/** Sum of totals over the outermost nodes in scope. */
function sumOutermost({ subtreeEnd, length }: Cct, total: NodeSums, scope: Uint8Array | null): number {
  if (scope === null || scope[0] === 1) return total[0]!;
  let sum = 0;
  for (let i = 0; i < length; ) {
    sum += total[i]!;
    i = scope[i] === 1 ? subtreeEnd[i]! : i + 1;
  }
  return sum;
}

type CellFacts = {
  /** Where each node's cells begin. */
  readonly offsets: Int32Array;
  /** Whether any sum of their counts is a whole number of 32 bits. */
  readonly areCountsSmall: boolean;
};

const knownFacts = new WeakMap<Cells, CellFacts>();

/** Made once a table of cells. */
function factsOfCells(cells: Cells, nodes: number): CellFacts {
  const known = knownFacts.get(cells);
  if (known !== undefined) return known;
  const { length, node, count } = cells;
  // Shared, so that sending one analysis to another thread does not take it away from the next.
  const offsets = sharedInt32(nodes + 1);
  let sum = 0;
  let areWhole = true;
  for (let i = 0; i < length; i++) {
    offsets[node[i]! + 1]!++;
    sum += count[i]!;
    areWhole &&= Number.isInteger(count[i]);
  }
  for (let n = 0; n < nodes; n++) offsets[n + 1]! += offsets[n]!;
  const facts = { offsets, areCountsSmall: areWhole && sum < 2 ** 31 };
  knownFacts.set(cells, facts);
  return facts;
}
