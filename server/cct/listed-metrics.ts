// The metrics that people choose: metrics of whole JVMs have no methods, and metrics by class stand beside others.
import { metricOfClasses } from '../model/object-classes.ts';
import { isPauses } from './gc-pauses.ts';
import { isProcessorLoad } from './processor-load.ts';
import { isProcessorTime } from './processor-time.ts';
import type { Metric, Profile } from './profile.ts';

const OF_JVMS = [isProcessorLoad, isProcessorTime, isPauses];

/** Rows of these metrics. */
export function listedRows({ metrics }: Pick<Profile, 'metrics'>): readonly number[] {
  return [...metrics.keys()].filter(row => {
    const metric = metrics[row]!;
    return !OF_JVMS.some(isOfJvms => isOfJvms(metric)) && metricOfClasses(metric.id) === null;
  });
}

export function listedMetrics(profile: Pick<Profile, 'metrics'>): readonly Metric[] {
  return listedRows(profile).map(row => profile.metrics[row]!);
}
