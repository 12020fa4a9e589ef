// Unites what two profiles say of one metric.
import type { Metric } from './profile.ts';

/**
 * The metric with the events of both. The larger period and the larger threshold are kept, and the smaller limit: nothing is claimed to
 * be recorded more finely than one of them recorded it.
 */
export function uniteMetric(a: Metric, b: Metric): Metric {
  const events = [...new Set([...a.events, ...b.events])].sort();
  const thresholds = [a.thresholdNanos, b.thresholdNanos].filter(each => each !== undefined);
  const limits = [a.rateLimit, b.rateLimit].filter(each => each !== undefined);
  return {
    ...a,
    events,
    periodNanos: Math.max(a.periodNanos, b.periodNanos),
    ...(thresholds.length > 0 && { thresholdNanos: Math.max(...thresholds) }),
    ...(limits.length > 0 && { rateLimit: Math.min(...limits) }),
    ...((a.uncounted === true || b.uncounted === true) && { uncounted: true }),
    ...((a.estimated === true || b.estimated === true) && { estimated: true }),
  };
}
