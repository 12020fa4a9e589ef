// The question how much there is of each metric in what is looked at.
import { listedRows } from '../../cct/listed-metrics.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { wholeOfMetric } from '../../metrics/other-metrics.ts';
import type { Question } from './question.ts';

/** Metrics that a person may choose, in the order of the profile; partial stacks count in no total. */
export const metricTotals: Question<null, readonly (Amount & { readonly id: string })[]> = (
  { analysis, profile },
  _,
  pause,
) =>
  listedRows(profile).map(row => {
    const { weight, count } = wholeOfMetric(analysis, row, pause);
    return { id: profile.metrics[row]!.id, weight, count };
  });
