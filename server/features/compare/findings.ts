// The findings between two sides without any choice: pictures of a comparison begin with them, and diagnostics tell them.
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { AnswerContext } from '../answers/answer.ts';
import { incomparable } from './comparable.ts';
import { comparisonOf, usualScaling } from './compare-answer.ts';

type Context = Pick<AnswerContext, 'withCodeOf'> & { readonly reach: Pick<AnswerContext['reach'], 'ask'> };

/** The contexts that a picture of a comparison begins with; rows are rows of contexts, as its boxes have them. */
export type FoundContexts = {
  /** All findings in one sentence, or why there is none. */
  readonly text: string;
  /** Context of the first finding; null without one. */
  readonly row: number | null;
  /** Each finding by itself, the first one first. */
  readonly all: readonly { readonly text: string; readonly row: number }[];
};

/** The findings of the answer `compare` without more choices, with their contexts. */
export async function foundContexts(data: LoadedData, baseline: Baseline, context: Context): Promise<FoundContexts> {
  const { trees, contexts } = await found(data, baseline, context);
  const all = trees.reports.map(({ sentence }, at) => ({ text: sentence, row: contexts[at]! }));
  return { text: trees.sentence, row: contexts[0] ?? null, all };
}

/** A finding as it is told at the code. */
export type Finding = {
  /** Row of the shown method table: the method whose code stands for it; −1 where the data do not have it any more. */
  readonly row: number;
  readonly verdict: 'slower' | 'faster';
  readonly sentence: string;
  /** A part of everything before, negative where it became less. */
  readonly change: number;
};

/** All findings; none where the two sides are not compared. */
export async function findings(data: LoadedData, baseline: Baseline, context: Context): Promise<readonly Finding[]> {
  if (incomparable(data, baseline.data) !== null) return [];
  const { trees, rows } = await found(data, baseline, context);
  return trees.reports.map(({ verdict, sentence, change }, at) => ({ row: rows[at]!, verdict, sentence, change }));
}

function found(data: LoadedData, baseline: Baseline, context: Context) {
  const scaling = usualScaling(data, baseline.data);
  return context.withCodeOf(data, baseline.data, code =>
    comparisonOf(data, baseline, { scaling, work: null, most: null, check: null, code }, context.reach.ask),
  );
}
