// The amounts of a set of methods in a metric other than the analysed one: the tree and its selected part are the same.
import { noPause, type Pause } from '../base/pause.ts';
import { partialNode } from '../cct/tree-index.ts';
import type { Amount, Analysis, SelectedRows } from './analysis.ts';
import { effectiveSampleSize } from './interval.ts';
import { type MethodSet, nodesOfSet, visitFrames } from './node-walks.ts';
import { runsInScope, scopeOf } from './scope.ts';

/** Cells or nodes looked at in one step. */
const STEP = 1 << 15;

/** Everything that the selection holds of a metric, partial stacks left out, and how many equally weighted samples that is worth. */
export function wholeOfMetric(
  a: Analysis,
  metric: number,
  pause: Pause = noPause,
): Amount & { readonly samples: number } {
  const { node, weightSquares } = a.profile.cells[metric]!;
  const sum = new CellSum(a, metric, a.selection.path?.whole);
  for (let from = 0; from < node.length; from += STEP) {
    sum.add(from, Math.min(node.length, from + STEP), a.scope);
    pause();
  }
  const samples = weightSquares === null ? sum.count : effectiveSampleSize(sum.weight, sum.squares);
  return { weight: sum.weight, count: sum.count, samples };
}

/** M(set) in that metric: samples whose stack holds at least one of the methods, once. */
export function amountOfMetric(a: Analysis, metric: number, set: MethodSet, pause: Pause = noPause): Amount {
  const sum = new CellSum(a, metric);
  forEachRange(a, metric, set, pause, (from, to, scope) => sum.add(from, to, scope));
  return { weight: sum.weight, count: sum.count };
}

/** Samples by their innermost node; without a set, all samples of the selection. */
export function amountByInnermost(
  a: Analysis,
  metric: number,
  set: MethodSet | null,
  pause: Pause = noPause,
): ReadonlyMap<number, Amount> {
  const { node: nodeOfCell } = a.profile.cells[metric]!;
  const amounts = new Map<number, Amount>();
  const add = (from: number, to: number, scope: Uint8Array | null) => {
    for (let at = from; at < to; at++) {
      const before = amounts.get(nodeOfCell[at]!);
      const sum = new CellSum(a, metric);
      sum.add(at, at + 1, scope);
      if (sum.count === 0) continue;
      const [weight, count] = [sum.weight + (before?.weight ?? 0), sum.count + (before?.count ?? 0)];
      amounts.set(nodeOfCell[at]!, { weight, count });
    }
  };
  if (set === null) add(0, nodeOfCell.length, a.scope);
  else forEachRange(a, metric, set, pause, add);
  return amounts;
}

/** Visits ranges of the cells at or below the set, each cell once; with a scope, only cells of the scope's nodes. */
function forEachRange(
  a: Analysis,
  metric: number,
  set: MethodSet,
  pause: Pause,
  visit: (from: number, to: number, scope: Uint8Array | null) => void,
): void {
  const { subtreeEnd } = a.profile.tree;
  const { node: nodeOfCell } = a.profile.cells[metric]!;
  let [coveredUntil, at, visited] = [-1, 0, 0];
  for (const node of nodesOfSet(a, set, pause)) {
    if (node < coveredUntil) continue;
    coveredUntil = subtreeEnd[node]!;
    at = firstCellFrom(nodeOfCell, node, at);
    const end = firstCellFrom(nodeOfCell, coveredUntil, at);
    // Partial stacks stand below the root alone, so that nothing below a node in scope is out of it.
    const scope = node === 0 ? a.scope : null;
    while (at < end) {
      const to = Math.min(end, at + STEP);
      visit(at, to, scope);
      visited += to - at;
      at = to;
      if (visited >= STEP) {
        visited = 0;
        pause();
      }
    }
    if (++visited < STEP) continue;
    visited = 0;
    pause();
  }
}

/**
 * The samples of `amountOfMetric` that have a frame of the set on a line for which `lines` is true, each once.
 * Unknown lines are asked as 0.
 */
export function amountOfMetricAtLines(
  a: Analysis,
  metric: number,
  set: MethodSet,
  lines: (line: number) => boolean,
  pause: Pause = noPause,
): Amount {
  const { subtreeEnd, callLine } = a.profile.tree;
  const { node: nodeOfCell, line: lineOfCell } = a.profile.cells[metric]!;
  const sum = new CellSum(a, metric);
  let [coveredUntil, at] = [-1, 0];
  visitFrames(
    a,
    nodesOfSet(a, set, pause),
    node => {
      if (node < coveredUntil) return;
      at = firstCellFrom(nodeOfCell, node, at);
      for (let cell = at; cell < nodeOfCell.length && nodeOfCell[cell] === node; cell++)
        if (lines(Math.max(0, lineOfCell[cell]!))) sum.add(cell, cell + 1, null);
    },
    child => {
      if (child < coveredUntil || !lines(Math.max(0, callLine[child]!))) return;
      coveredUntil = subtreeEnd[child]!;
      at = firstCellFrom(nodeOfCell, child, at);
      sum.add(at, firstCellFrom(nodeOfCell, coveredUntil, at), null);
    },
    pause,
  );
  return { weight: sum.weight, count: sum.count };
}

/**
 * The amounts of a set of methods by the kind of the first frame at or below it that has one: `kindOf` per method row, 0 for none. Nodes
 * of the set below such a frame do not count. @returns amounts by kind, amounts without a kind under 0.
 */
export function amountByKind(
  a: Analysis,
  metric: number,
  set: MethodSet,
  kindOf: Uint8Array,
  pause: Pause = noPause,
): ReadonlyMap<number, Amount> {
  const { subtreeEnd, parent, method } = a.profile.tree;
  const kinds = new Uint8Array(parent.length);
  for (let node = 1; node < kinds.length; node++) kinds[node] = kinds[parent[node]!]! || kindOf[method[node]!]!;
  pause();
  const { node: nodeOfCell } = a.profile.cells[metric]!;
  const sums = new Map<number, CellSum>();
  let [coveredUntil, at] = [-1, 0];
  for (const node of nodesOfSet(a, set, pause)) {
    if (node < coveredUntil || kinds[node] !== 0) continue;
    coveredUntil = subtreeEnd[node]!;
    at = firstCellFrom(nodeOfCell, node, at);
    for (; at < nodeOfCell.length && nodeOfCell[at]! < coveredUntil; at++) {
      const kind = kinds[nodeOfCell[at]!]!;
      const sum = sums.get(kind) ?? new CellSum(a, metric);
      sums.set(kind, sum);
      sum.add(at, at + 1, node === 0 ? a.scope : null);
    }
    pause();
  }
  return new Map([...sums].map(([kind, { weight, count }]) => [kind, { weight, count }]));
}

/** The analysis as far as walks over nodes and cells need it, under another selection without a focus; it has no totals of that. */
export function withSelection(a: Analysis, selection: Omit<SelectedRows, 'focus'>): Analysis {
  const { tree } = a.profile;
  const runs = runsInScope(tree, partialNode(tree), undefined);
  return { ...a, selection, runs, scope: scopeOf(tree, runs) };
}

/** Sums up selected cells of one metric. */
class CellSum {
  weight = 0;
  count = 0;
  squares = 0;
  readonly #analysis: Analysis;
  readonly #metric: number;
  readonly #counts: Uint8Array | undefined;

  /** @param counts per metric, 1 where a cell counts; all when undefined */
  constructor(analysis: Analysis, metric: number, counts = analysis.selection.path?.satisfied) {
    this.#analysis = analysis;
    this.#metric = metric;
    this.#counts = counts?.[metric];
  }

  /** Adds rows from … to−1; with a scope, those of its nodes only. */
  add(from: number, to: number, scope: Uint8Array | null): void {
    const { profile, selection } = this.#analysis;
    const { threads, windows } = selection;
    const counts = this.#counts;
    const { node, thread, window, weight, count, weightSquares } = profile.cells[this.#metric]!;
    for (let i = from; i < to; i++) {
      if (scope !== null && scope[node[i]!] !== 1) continue;
      if (threads !== undefined && threads[thread[i]!] !== 1) continue;
      if (windows !== undefined && windows[window[i]!] !== 1) continue;
      if (counts !== undefined && counts[i] !== 1) continue;
      this.weight += weight[i]!;
      this.count += count[i]!;
      if (weightSquares !== null) this.squares += weightSquares[i]!;
    }
  }
}

/** Row of the first cell at or behind `from` whose node is at least `node`. */
function firstCellFrom(nodeOfCell: Int32Array, node: number, from: number): number {
  // The next one is near most of the time.
  let step = 1;
  let low = from;
  while (low + step < nodeOfCell.length && nodeOfCell[low + step]! < node) {
    low += step;
    step *= 2;
  }
  let high = Math.min(nodeOfCell.length, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (nodeOfCell[middle]! < node) low = middle + 1;
    else high = middle;
  }
  return low;
}
