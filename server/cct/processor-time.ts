// The processor time that JVMs could use: what shares of processors are shares of.
import { metricOfClasses } from '../model/object-classes.ts';
import { type ProfileBuilder, ROOT_NODE } from './builder.ts';
import { isPauses } from './gc-pauses.ts';
import { isProcessorLoad } from './processor-load.ts';
import type { Metric, Profile } from './profile.ts';

/** Nanoseconds of all processors, at the root of the tree and of no thread, by window. A machine may have idled in any part of it. */
const PROCESSORS: Metric = { id: 'processors', unit: 'nanoseconds', kind: 'exact', events: [], periodNanos: 0 };

/** Adds what the JVM could use in one window. */
export function addProcessorTime(builder: ProfileBuilder, window: number, nanos: number): void {
  if (!(nanos > 0)) return;
  const thread = builder.threads.thread('', '', false);
  builder.add(builder.metric(PROCESSORS), ROOT_NODE, thread, 0, window, 1, nanos);
}

/** Row of the metric; −1 where the number of processors was not recorded. */
export function processorsRow({ metrics }: Profile): number {
  return metrics.findIndex(({ id }) => id === PROCESSORS.id);
}

/** Rows of the metrics that a person may choose: processor time and pauses are of no method, and metrics by class stand beside others. */
export function listedRows({ metrics }: Pick<Profile, 'metrics'>): readonly number[] {
  return [...metrics.keys()].filter(row => {
    const metric = metrics[row]!;
    const isOfJvm = metric.id === PROCESSORS.id || isProcessorLoad(metric) || isPauses(metric);
    return !isOfJvm && metricOfClasses(metric.id) === null;
  });
}

/** These metrics. */
export function listedMetrics(profile: Pick<Profile, 'metrics'>): readonly Metric[] {
  return listedRows(profile).map(row => profile.metrics[row]!);
}
