// The processor time that JVMs could use: what shares of processors are shares of.
import { type ProfileBuilder, ROOT_NODE } from './builder.ts';
import type { Metric, Profile } from './profile.ts';

/** Nanoseconds of all processors, at the root of the tree and of no thread, by window. A machine may have idled in any part of it. */
const PROCESSORS: Metric = { id: 'processors', unit: 'nanoseconds', kind: 'exact', events: [], periodNanos: 0 };

/** Adds what the JVM could use in one window. */
export function addProcessorTime(builder: ProfileBuilder, window: number, nanos: number): void {
  if (!(nanos > 0)) return;
  const thread = builder.threads.thread('', '', false);
  builder.add(builder.metric(PROCESSORS), ROOT_NODE, thread, 0, window, 1, nanos);
}

/** Whether a metric is of no method, so that no person chooses it. */
export function isProcessorTime({ id }: Pick<Metric, 'id'>): boolean {
  return id === PROCESSORS.id;
}

/** Row of the metric; −1 where the number of processors was not recorded. */
export function processorsRow({ metrics }: Profile): number {
  return metrics.findIndex(isProcessorTime);
}
