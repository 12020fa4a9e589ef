// The first finding between two sides: where pictures of a comparison begin.
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { AnswerContext } from '../answers/answer.ts';
import { comparisonOf, usualScaling } from './compare-answer.ts';

/** What the answer `compare` finds without more choices: the verdict in a sentence, and the row of the first finding's context. */
export async function firstFinding(
  data: LoadedData,
  baseline: Baseline,
  context: Pick<AnswerContext, 'reach' | 'withCodeOf'>,
): Promise<{ readonly text: string; readonly row: number | null }> {
  const scaling = usualScaling(data, baseline.data);
  const { trees, firstRow } = await context.withCodeOf(data, baseline.data, code =>
    comparisonOf(data, baseline, { scaling, work: null, most: 0, check: null, code }, context.reach.ask),
  );
  return { text: trees.sentence, row: firstRow };
}
