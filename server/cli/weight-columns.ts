// Columns of tables for metrics that are not mere counts: bytes and durations, and the mean of what was measured one by one.
import { isWeighted, type Metric } from '../cct/profile.ts';
import { amountText } from '../features/hover/amount-text.ts';
import type { Share } from '../features/text/format-share.ts';

type WeightColumn = { readonly title: string; readonly text: (share: Pick<Share, 'part' | 'samples'>) => string };

/** None where samples only count. A mean is one of events that were measured whole: of samples it would be their distance. */
export function weightColumns(metric: Metric): readonly WeightColumn[] {
  if (!isWeighted(metric)) return [];
  const sum = {
    title: metric.unit === 'bytes' ? 'bytes' : 'duration',
    text: ({ part }: Pick<Share, 'part'>) => amountText(part, metric),
  };
  const mean = ({ part, samples }: Pick<Share, 'part' | 'samples'>) =>
    samples === 0 || metric.uncounted === true ? '-' : amountText(part / samples, metric);
  const isWhole = metric.unit === 'nanoseconds' && metric.kind !== 'sampled';
  return isWhole ? [sum, { title: 'mean', text: mean }] : [sum];
}
