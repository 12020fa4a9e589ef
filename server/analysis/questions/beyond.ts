// The question what a set of methods has outside of what is looked at: why it may have no number.
import type { Pause } from '../../base/pause.ts';
import { listedRows } from '../../cct/listed-metrics.ts';
import { inRanges } from '../../mapping/observed-lines.ts';
import type { Amount, SelectedRows } from '../../metrics/analysis.ts';
import { amountOfMetric, amountOfMetricAtLines, withSelection } from '../../metrics/other-metrics.ts';
import { incompleteAmount } from '../../metrics/queries.ts';
import type { LoadedData } from '../loaded-data.ts';
import type { MethodsAndLines } from '../method-facts.ts';
import type { Question } from './question.ts';

export type Beyond = {
  /** Samples in partial stacks that hold one of the methods, in any focus; part of no share. */
  readonly incomplete: number;
  /** Of the metric that is looked at, without focus, threads and times. */
  readonly everything: Amount;
  /** The same for the chosen threads and times. */
  readonly unfocused: Amount;
  /** The other metrics that have samples of it, chosen or not; most first. */
  readonly otherMetrics: readonly { readonly id: string; readonly count: number }[];
};

export const beyond: Question<MethodsAndLines, Beyond> = (data, set, pause) => {
  const { analysis, profile } = data;
  const { metric, threads, windows } = analysis.selection;
  const under = (selection: SelectedRows) => amountUnder(data, set, selection, pause);
  return {
    incomplete: incompleteAmount(analysis, set.methods).count,
    everything: under({ metric }),
    unfocused: under({ metric, ...(threads && { threads }), ...(windows && { windows }) }),
    otherMetrics: listedRows(profile)
      .map(row => ({ id: profile.metrics[row]!.id, count: row === metric ? 0 : under({ metric: row }).count }))
      .filter(({ count }) => count > 0)
      .sort((x, y) => y.count - x.count),
  };
};

/** Of everything that the selection would hold; without totals of it, which would have to be worked out for the whole tree. */
function amountUnder(
  { analysis }: LoadedData,
  { methods, onlyLines }: MethodsAndLines,
  selection: SelectedRows,
  pause: Pause,
): Amount {
  const a = withSelection(analysis, selection);
  if (onlyLines === undefined) return amountOfMetric(a, selection.metric, methods, pause);
  return amountOfMetricAtLines(a, selection.metric, methods, line => inRanges(onlyLines, line), pause);
}
