// The question for a part of the calling context tree: what trees in the terminal and pictures are drawn from.
import type { Amount } from '../../metrics/analysis.ts';
import { type CallTreeRow, type CallTreeWish, callTree } from '../../metrics/call-tree.ts';
import type { Question } from './question.ts';

type CallTree = {
  readonly rows: readonly CallTreeRow[];
  /** All samples that are looked at: what shares of everything are taken of. */
  readonly whole: Amount;
};

export const tree: Question<CallTreeWish, CallTree> = ({ analysis }, wish, pause) => ({
  rows: callTree(analysis, wish, pause),
  whole: analysis.whole,
});
