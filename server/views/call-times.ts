// What whole calls took, beside the tables and timelines of the metric that measures them.
import { hasTimes } from '../features/text/times-text.ts';
import type { MethodResponseTimes, ResponseTimes } from '../metrics/response-times.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { CallTimes, Look } from './view-messages.ts';
import { metricOf, subjectOf } from './viewed-data.ts';

/** One a method row, in their order; null of methods whose calls were not timed. Empty under other metrics. */
export async function callTimes(
  host: ViewHost,
  viewed: Viewed,
  look: Look,
  methods: readonly number[],
  signal: AbortSignal,
): Promise<readonly (MethodResponseTimes | null)[]> {
  if (metricOf(viewed, look).id !== 'time' || !hasTimes(viewed.data)) return [];
  return host.door.ask(subjectOf(viewed, look), 'responseTimes', { sets: methods.map(row => [row]) }, { signal });
}

export function callTimesMessage({ count, mean, p50, p95, perSecond }: ResponseTimes): CallTimes {
  return { count, mean, p50, p95, perSecond };
}
