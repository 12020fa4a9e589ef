// Analysis of a profile under one selection: dense self and total values of every node, from which all queries are answered.
import { assert } from '../base/assert.ts';
import { EMPTY_STACK_LINE } from '../cct/builder.ts';
import type { Cct, Cells, Profile } from '../cct/profile.ts';
import { partialNode, type TreeIndex } from '../cct/tree-index.ts';
import { forEachRun, isCalledInScope, partialRuns, type Runs, runsInScope, scopeOf } from './scope.ts';
import { firstCell, type Stretches, stretchesOf, stretchOf } from './stretches.ts';

/** The cells that a query by call paths counts: per metric, one byte a cell. */
export type PathFilter = {
  /** 1 where the cell satisfies the query. */
  readonly satisfied: readonly Uint8Array[];
  /** 1 where the cell belongs to the whole that shares are taken of. */
  readonly whole: readonly Uint8Array[];
};

/** The rows to look at: one metric, and optionally a subset of threads, windows, nodes and cells. */
export type SelectedRows = {
  /** Row in `profile.metrics`. */
  readonly metric: number;
  /** One byte a thread row, 1 = selected; all when absent. */
  readonly threads?: Uint8Array;
  /** One byte a window, 1 = selected; all when absent. */
  readonly windows?: Uint8Array;
  /** Outermost nodes of a focus, ascending; samples and stacks are cut to what lies at or below them. All when absent. */
  readonly focus?: Int32Array;
  /** Only samples that satisfy a query count, with their whole stacks; shares stay those of all samples. */
  readonly path?: PathFilter;
};

/** A sum over samples: their weights in the metric's unit, and how many they were. */
export type Amount = { readonly weight: number; readonly count: number };

/** Of code without samples. */
export const NO_AMOUNT: Amount = { weight: 0, count: 0 };

/** Values of one selection. Columns of weight and count are the same array where the metric's unit is `samples`. */
export type Analysis = {
  readonly profile: Profile;
  readonly index: TreeIndex;
  readonly selection: SelectedRows;
  /** Of the tree and the cells of the selection's metric; none is in scope with some of its nodes only. */
  readonly stretches: Stretches;
  /** Per stretch: samples at or below its nodes; 0 outside the scope. */
  readonly totalWeight: Float64Array;
  readonly totalCount: Float64Array;
  /** Nodes that count: inside the focus, and in no partial stack. */
  readonly runs: Runs;
  /** The same as one byte a node, 1 where it counts; null when every node does. */
  readonly scope: Uint8Array | null;
  /** Σ w(S), the denominator of all shares: what the selection holds, partial stacks left out. A path filter leaves it as it is. */
  readonly whole: Amount;
  /** Samples that satisfy the path filter; null without one. */
  readonly onPath: Amount | null;
  /** Selected samples in unmerged partial stacks: part of no share. */
  readonly incomplete: Amount;
  /** Selected samples that came without any stack (a stack without frames is one); part of `whole`. */
  readonly withoutStack: Amount;
};

/**
 * Computes dense values of `selection` over `profile`. O(nodes + cells of the metric).
 * A metric row outside the table is a bug of the caller and throws.
 */
export function analyse(profile: Profile, index: TreeIndex, selection: SelectedRows): Analysis {
  const metric = profile.metrics[selection.metric];
  assert(metric !== undefined, `metric row ${selection.metric} of ${profile.metrics.length}`);
  const { tree } = profile;
  const partial = partialNode(tree);
  const runs = runsInScope(tree, partial, selection.focus);
  const scope = scopeOf(tree, runs);
  const stretches = stretchesOfSelection(profile, index, selection);
  const { weight, count } = sumSelf(profile, selection, stretches, runs);
  const { incomplete, withoutStack } = sumLosses(profile, selection, stretches, partial);
  addUpwards(tree, stretches, count, scope, runs);
  if (weight !== count) addUpwards(tree, stretches, weight, scope, runs);
  const counted = {
    weight: sumOutermost(tree, stretches, weight, scope, runs),
    count: sumOutermost(tree, stretches, count, scope, runs),
  };
  const { path } = selection;
  const whole =
    path === undefined ? counted : amountOfCells(profile.cells[selection.metric]!, path.whole[selection.metric]!);
  return {
    profile,
    index,
    selection,
    stretches,
    totalWeight: weight,
    totalCount: count,
    runs,
    scope,
    whole,
    onPath: path === undefined ? null : counted,
    incomplete,
    withoutStack,
  };
}

/** Stretches end before the nodes of a focus, and the root stands alone: the nodes below it may be a partial stack. */
function stretchesOfSelection({ tree, cells }: Profile, { ends }: TreeIndex, selection: SelectedRows): Stretches {
  const { metric, focus = new Int32Array(0) } = selection;
  const own = cells[metric]!;
  const before = focus.map(node => Math.max(0, node - 1));
  return stretchesOf(tree.length, [ends, own.node, Int32Array.of(0), before], own);
}

/** Samples of the chosen cells: one byte a cell, 1 = chosen. */
export function amountOfCells({ weight, count }: Cells, chosen: Uint8Array): Amount {
  const sum = { weight: 0, count: 0 };
  for (let cell = 0; cell < chosen.length; cell++) {
    if (chosen[cell] === 0) continue;
    sum.weight += weight[cell]!;
    sum.count += count[cell]!;
  }
  return sum;
}

/** (Σw)²/Σw² over the chosen cells: how many equally weighted samples carry the same sampling error. */
export function effectiveSize({ weight, count, weightSquares, length }: Cells, chosen: Uint8Array): number {
  let [sum, squares] = [0, 0];
  for (let cell = 0; cell < length; cell++) {
    if (chosen[cell] === 0) continue;
    sum += weight[cell]!;
    squares += weightSquares === null ? count[cell]! : weightSquares[cell]!;
  }
  return squares === 0 ? 0 : (sum * sum) / squares;
}

type SelfSums = { readonly [value in keyof Amount]: Float64Array };

/** Adds the selected cells of the runs up by stretch. */
function sumSelf({ cells }: Profile, selection: SelectedRows, stretches: Stretches, runs: Runs): SelfSums {
  const own = cells[selection.metric]!;
  const count = new Float64Array(stretches.length);
  const weight = own.weightSquares === null ? count : new Float64Array(stretches.length);
  forEachRun(runs, (from, to) => addToStretches({ weight, count }, own, selection, stretches, from, to));
  return { weight, count };
}

/** Selected samples that no share is made of, or that no frame is known of. */
function sumLosses(
  { tree, cells: all }: Profile,
  selection: SelectedRows,
  stretches: Stretches,
  partial: number,
): Pick<Analysis, 'incomplete' | 'withoutStack'> {
  const { metric, focus } = selection;
  const cells = all[metric]!;
  const incomplete = { weight: 0, count: 0 };
  const withoutStack = { weight: 0, count: 0 };
  const partialStacks = partialRuns(tree, partial, focus);
  forEachSelected(cells, selection, stretches, partialStacks, cell => add(incomplete, cells, cell));
  // The root calls what a focus may begin with, and is part of none.
  const root = Int32Array.from(focus === undefined ? [0, 1] : []);
  forEachSelected(cells, selection, stretches, root, cell => {
    if (cells.line[cell] !== EMPTY_STACK_LINE) add(withoutStack, cells, cell);
  });
  return { incomplete, withoutStack };
}

/** Of nodes from … to−1. A function of its own, of which all variables fit into registers. */
function addToStretches(
  { weight, count }: SelfSums,
  cells: Cells,
  { threads, windows, path, metric }: SelectedRows,
  stretches: Stretches,
  from: number,
  to: number,
): void {
  const satisfied = path?.satisfied[metric];
  const { ends } = stretches;
  const end = firstCell(stretches, to);
  for (let cell = firstCell(stretches, from), at = stretchOf(stretches, from); cell < end; cell++) {
    if (threads !== undefined && threads[cells.thread[cell]!] !== 1) continue;
    if (windows !== undefined && windows[cells.window[cell]!] !== 1) continue;
    if (satisfied !== undefined && satisfied[cell] !== 1) continue;
    while (ends[at]! < cells.node[cell]!) at++;
    count[at]! += cells.count[cell]!;
    if (weight !== count) weight[at]! += cells.weight[cell]!;
  }
}

/** Calls `visit` with the rows of selected cells of the runs' nodes. */
function forEachSelected(
  cells: Cells,
  { threads, windows }: SelectedRows,
  stretches: Stretches,
  runs: Runs,
  visit: (cell: number) => void,
): void {
  forEachRun(runs, (from, to) => {
    const end = firstCell(stretches, to);
    for (let cell = firstCell(stretches, from); cell < end; cell++) {
      if (threads !== undefined && threads[cells.thread[cell]!] !== 1) continue;
      if (windows === undefined || windows[cells.window[cell]!] === 1) visit(cell);
    }
  });
}

function add(sum: { weight: number; count: number }, cells: Cells, cell: number): void {
  sum.weight += cells.weight[cell]!;
  sum.count += cells.count[cell]!;
}

/** Adds every stretch's sum to that of its caller, as far as that is in scope: self values become totals. */
function addUpwards(tree: Cct, stretches: Stretches, sum: Float64Array, scope: Uint8Array | null, runs: Runs): void {
  for (let run = runs.length - 2; run >= 0; run -= 2) {
    const isCalled = isCalledInScope(tree, scope, runs[run]!);
    addRunUpwards(tree, stretches, sum, runs[run]! + (isCalled ? 0 : 1), runs[run + 1]!);
  }
}

/** Of stretches that begin among nodes from … to−1, which all have a caller in scope. A function of its own, as above. */
function addRunUpwards({ parent }: Cct, stretches: Stretches, sum: Float64Array, from: number, to: number): void {
  const { ends } = stretches;
  for (let i = stretchOf(stretches, to - 1); i > 0; i--) {
    const start = ends[i - 1]! + 1;
    if (start < from) return;
    if (sum[i] !== 0) sum[stretchOf(stretches, parent[start]!)]! += sum[i]!;
  }
}

/** Sum of totals over the outermost nodes in scope. */
function sumOutermost(
  tree: Cct,
  stretches: Stretches,
  total: Float64Array,
  scope: Uint8Array | null,
  runs: Runs,
): number {
  let sum = 0;
  forEachRun(runs, from => {
    if (!isCalledInScope(tree, scope, from)) sum += total[stretchOf(stretches, from)]!;
  });
  return sum;
}
