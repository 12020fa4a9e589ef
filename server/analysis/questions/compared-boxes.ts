// The question for contexts of two compared trees: one box and the boxes below it, a page at a time.
import { assert } from '../../base/assert.ts';
import type { ContextAmounts, ContextState, TreeComparison } from '../../cct/compare/tree-comparison.ts';
import { type Heights, heightsOf, type Scale } from '../../metrics/compared/scaling.ts';
import type { ComparisonWish } from '../kept-comparison.ts';
import type { LoadedData } from '../loaded-data.ts';
import type { Question } from './question.ts';

type ComparedBoxesWish = ComparisonWish & {
  /** Row of the box, as an answer about the same comparison told it; 0 is the root. */
  readonly box: number;
  /** Which of the boxes below it, and how many at most. */
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

type ComparedBoxes = {
  readonly scale: Scale;
  readonly box: ComparedBox;
  /** Those that differ most come first. */
  readonly boxes: readonly ComparedBox[];
};

export const comparedBoxes: Question<ComparedBoxesWish, ComparedBoxes> = (data, wish, pause, baseline) => {
  assert(baseline !== null, 'two trees are compared with a baseline');
  const { comparison, scale } = data.answers.comparison.of(data, baseline, wish, pause);
  assert(wish.box >= 0 && wish.box < comparison.length, 'a box is a row of the comparison');
  const ordered = comparison
    .childrenOf(wish.box)
    .map(row => ({ row, height: Math.abs(heightsOf(comparison.amountsOf(row), scale).height) }))
    .sort((a, b) => b.height - a.height || a.row - b.row);
  return {
    scale,
    box: comparedBox(data, comparison, scale, wish.box),
    boxes: ordered.slice(wish.from, wish.from + wish.most).map(({ row }) => comparedBox(data, comparison, scale, row)),
  };
};

export function comparedBox(
  { profile }: LoadedData,
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
