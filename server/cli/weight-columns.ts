// Columns of tables for metrics that are not mere counts: bytes and durations, and the mean of what was measured one by one.
import { isWeighted, type Metric } from '../cct/profile.ts';
import { amountText } from '../features/hover/amount-text.ts';
import type { Column } from './output.ts';

/** An amount of a row; `count` is null where the recording does not tell. */
type Part = { readonly weight: number; readonly count: number | null };

/**
 * None where samples only count. A mean is one of events that were measured whole: of samples it would be their distance.
 * @param partOf the amount that the columns of a row are about
 */
export function weightColumns<Row>(metric: Metric, partOf: (row: Row) => Part): readonly Column<Row>[] {
  if (!isWeighted(metric)) return [];
  const title = metric.unit === 'bytes' ? 'bytes' : 'duration';
  const sum = { title, text: (row: Row) => amountText(partOf(row).weight, metric) };
  const mean = (row: Row) => {
    const { weight, count } = partOf(row);
    return count === 0 || metric.uncounted === true ? '-' : amountText(weight / (count ?? Number.NaN), metric);
  };
  const isWhole = metric.unit === 'nanoseconds' && metric.kind !== 'sampled';
  return isWhole ? [sum, { title: 'mean', text: mean }] : [sum];
}
