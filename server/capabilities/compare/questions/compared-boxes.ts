// The question for contexts of two compared trees: what lies below one of them, or the way on which most differs.
import { assert } from '../../../base/assert.ts';
import type { Pause } from '../../../base/pause.ts';
import type { Verdict } from '../../../model/verdict.ts';
import { bestFirst } from '../best-first.ts';
import { countedExecutions, executionsDifference } from '../counted-executions.ts';
import type { ComparedData, ComparingQuestion, ComparisonWish } from '../kept-comparison.ts';
import { recorderLabels } from '../recorder.ts';
import { deltaHotPath, mostChanged, wholesOf } from '../responsible.ts';
import { type Heights, heightsOf, type Scale } from '../scaling.ts';
import type { ContextAmounts, ContextState, TreeComparison } from '../tree-comparison.ts';

type ComparedBoxesWish = ComparisonWish & {
  /** Row of the box, as an answer about the same comparison told it; 0 is the root. */
  readonly box: number;
  /**
   * `children`: the boxes below it. `below`: everything below it, level by level. `path`: the box and the delta hot path below
   * it. `way`: from the root to the box. `through`: the same, and on along the delta hot path, then best first: `bestFirst`. `method`: from the root to the box of `label` that differs most, nothing without such a box.
   * `widest`: everything that the second tree has from 0.1 % on, level by level; more where that is too much.
   */
  readonly show: 'children' | 'below' | 'path' | 'way' | 'through' | 'method' | 'widest';
  /** Shown method row, or the number of shown methods and a row of the baseline; −1 for none. */
  readonly label: number;
  /** Which of them, and how many at most. */
  readonly from: number;
  readonly most: number;
};

/** A context of two compared trees. */
export type ComparedBox = Heights &
  Pick<ContextAmounts, 'total'> & {
    readonly row: number;
    readonly state: ContextState;
    /** Shown method row; −1 where the method is not among them. */
    readonly method: number;
    /** Method row of the baseline where no shown method is it; else −1. */
    readonly methodThen: number;
    /** Amounts of the context itself, baseline first. */
    readonly selfAmounts: ContextAmounts['self'];
    /** How many boxes stand below it. */
    readonly below: number;
  };

/** With its place and its executions. */
type PlacedBox = ComparedBox & {
  /** Row of the box above; −1 for the root. */
  readonly parent: number;
  /** Baseline first; null where they are not counted, and for the root. */
  readonly executions: {
    readonly counts: readonly [first: number, second: number];
    readonly difference: number;
  } | null;
  /** The test of H over JVMs; of an added or removed context, of its part in the difference. null where it is not tested. */
  readonly tested: { readonly verdict: Verdict; readonly p: number } | null;
};

type ComparedBoxes = {
  readonly scale: Scale;
  /** Scaled amounts of both trees. */
  readonly wholes: readonly [first: number, second: number];
  /** Whether executions are counted on both sides. */
  readonly counted: boolean;
  /** Siblings follow each other, the box that differs most first; a box comes after the one above. */
  readonly boxes: readonly PlacedBox[];
};

export const comparedBoxes: ComparingQuestion<ComparedBoxesWish, ComparedBoxes> = (data, wish, pause, baseline) => {
  assert(baseline !== null, 'two trees are compared with a baseline');
  const { comparison, scale } = data.answers.comparison.of(data, baseline, wish, pause);
  const { box } = wish;
  assert(box >= 0 && box < comparison.length && comparison.stateOf(box) !== null, 'a box is a row of the comparison');
  const executions = countedExecutions(comparison, [baseline.analysis, data.analysis]);
  const tests = data.answers.comparison.contexts(data, baseline, wish, pause)?.contexts(pause);
  return {
    scale,
    wholes: wholesOf(comparison, scale),
    counted: executions !== null,
    boxes: rowsWanted(comparison, scale, recorderLabels(data, baseline), wish, pause).map(row => {
      const of = tests?.get(row);
      const { verdict, p } = of?.total ?? of?.own ?? {};
      const placed = {
        ...comparedBox(data, comparison, scale, row),
        parent: comparison.parentOf(row),
        tested: verdict === undefined || p === undefined ? null : { verdict, p },
      };
      if (executions === null || row === 0) return { ...placed, executions: null };
      const counts = executions(row);
      const difference = executionsDifference(placed.state, counts, executions(placed.parent));
      return { ...placed, executions: { counts, difference } };
    }),
  };
};

function rowsWanted(
  comparison: TreeComparison,
  scale: Scale,
  recorder: Uint8Array,
  wish: ComparedBoxesWish,
  pause: Pause,
): number[] {
  const { show, box, label, from, most } = wish;
  if (show === 'children') return childrenByHeight(comparison, scale, box).slice(from, from + most);
  if (show === 'below') return rowsBelow(comparison, scale, box, most, pause);
  if (show === 'widest') return widestRows(comparison, most, pause);
  if (show === 'path') return deltaHotPath(comparison, scale, recorder, box);
  const end = show === 'method' ? mostChanged(comparison, scale, label, pause) : box;
  const way: number[] = [];
  for (let row = end ?? -1; row >= 0; row = comparison.parentOf(row)) way.push(row);
  way.reverse();
  if (show !== 'through') return way;
  // From the root on no context is named: what differs most there is what to look at.
  const begun = box === 0 ? way : [...way, ...deltaHotPath(comparison, scale, recorder, box).slice(1)];
  return bestFirst(comparison, scale, recorder, begun, pause);
}

function childrenByHeight(comparison: TreeComparison, scale: Scale, row: number): number[] {
  return comparison
    .childrenOf(row)
    .map(child => ({ child, height: heightOf(comparison, scale, child) }))
    .sort((a, b) => b.height - a.height || a.child - b.child)
    .map(({ child }) => child);
}

function heightOf(comparison: TreeComparison, scale: Scale, row: number): number {
  return Math.abs(heightsOf(comparison.amountsOf(row), scale).height);
}

/** Level by level, so that each box comes with the one above, and the children of one follow each other. */
function rowsBelow(comparison: TreeComparison, scale: Scale, top: number, most: number, pause: Pause): number[] {
  const found: number[] = [];
  const open = [top];
  for (let at = 0; at < open.length && found.length < most; at++) {
    if (at % 64 === 0) pause();
    const children = childrenByHeight(comparison, scale, open[at]!).slice(0, most - found.length);
    found.push(...children);
    open.push(...children);
  }
  return found;
}

/** A smaller part of the second tree is not looked at. */
const LEAST_WIDTH = 0.001;

/** Boxes of the second tree, each after the one above. */
function widestRows(comparison: TreeComparison, most: number, pause: Pause): number[] {
  const totalOf = (row: number) => comparison.amountsOf(row).total[1];
  for (let least = LEAST_WIDTH * totalOf(0); ; least *= 2) {
    const found = [0];
    for (let at = 0; at < found.length && found.length <= most; at++) {
      if (at % 64 === 0) pause();
      for (const child of comparison.childrenOf(found[at]!))
        if (totalOf(child) >= least && totalOf(child) > 0) found.push(child);
    }
    if (found.length <= most || least === 0) return found.slice(0, most);
  }
}

export function comparedBox(
  { profile }: ComparedData,
  comparison: TreeComparison,
  scale: Scale,
  row: number,
): ComparedBox {
  const amounts = comparison.amountsOf(row);
  const label = comparison.label[row]!;
  const shown = profile.methods.length;
  return {
    ...heightsOf(amounts, scale),
    row,
    state: amounts.state,
    method: label < shown ? label : -1,
    methodThen: label < shown ? -1 : label - shown,
    total: amounts.total,
    selfAmounts: amounts.self,
    below: comparison.childrenOf(row).length,
  };
}
