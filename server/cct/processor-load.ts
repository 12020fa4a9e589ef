// The processor time that JVMs took, all of their threads together: what scales samples to time.
import { type ProfileBuilder, ROOT_NODE } from './builder.ts';
import type { Metric, Profile } from './profile.ts';

/** Nanoseconds at the root of the tree and of no thread, by window. */
const LOAD: Metric = { id: 'processor-load', unit: 'nanoseconds', kind: 'exact', events: [], periodNanos: 0 };

/** Whether a metric is of no method, so that no person chooses it. */
export function isProcessorLoad({ id }: Pick<Metric, 'id'>): boolean {
  return id === LOAD.id;
}

/** Adds what the JVM took in one window. */
export function addProcessorLoad(builder: ProfileBuilder, window: number, nanos: number): void {
  if (!(nanos > 0)) return;
  const thread = builder.threads.thread('', '', false);
  builder.add(builder.metric(LOAD), ROOT_NODE, thread, 0, window, 1, nanos);
}

/**
 * Nanoseconds of processor time for one sample of a metric, of all threads together, over some windows; null where it is not known of each
 * window that has samples.
 * @param chosen one byte a window, 1 = chosen; all when absent
 */
export function nanosPerSample(
  { metrics, cells, windows }: Profile,
  metric: number,
  chosen?: Uint8Array,
): number | null {
  const row = metrics.findIndex(isProcessorLoad);
  if (row < 0) return null;
  const [loads, samples] = [row, metric].map(at => {
    const sums = new Float64Array(windows.length);
    const { window, weight } = cells[at]!;
    for (const [cell, amount] of weight.entries()) sums[window[cell]!]! += amount;
    return chosen === undefined ? sums : sums.map((sum, window) => (chosen[window] === 1 ? sum : 0));
  }) as [Float64Array, Float64Array];
  if (samples.some((sum, window) => sum > 0 && loads[window] === 0)) return null;
  const sum = (all: Float64Array) => all.reduce((total, each) => total + each, 0);
  return sum(samples) > 0 ? sum(loads) / sum(samples) : null;
}

/** The profile with the processor time that its one JVM took, divided among the windows as samples are; what it has told itself stays. */
export function withProcessorLoad(profile: Profile, nanos: number): Profile {
  const { metrics, cells, windows } = profile;
  if (!(nanos > 0) || metrics.some(isProcessorLoad)) return profile;
  const samples = new Float64Array(windows.length);
  for (const { window, count } of cells)
    for (const [cell, amount] of count.entries()) samples[window[cell]!]! += amount;
  const all = samples.reduce((sum, each) => sum + each, 0);
  const rows = [...windows.keys()].filter(window => samples[window]! > 0);
  if (rows.length === 0) return profile;
  const { length } = rows;
  const weight = Float64Array.from(rows, window => (nanos * samples[window]!) / all);
  const load = {
    ...{ length, node: new Int32Array(length), thread: new Int32Array(length), line: new Int32Array(length) },
    ...{ window: Int32Array.from(rows), count: new Float64Array(length).fill(1), weight },
    weightSquares: weight.map(each => each * each),
  };
  return { ...profile, metrics: [...metrics, LOAD], cells: [...cells, load] };
}
