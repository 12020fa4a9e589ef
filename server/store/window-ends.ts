// Foresees when a store's next window ends, from when the last ones began, so that a reader that asks it regularly asks right after that.
import { executionKey } from './counting.ts';
import type { StoreEntry } from './store.ts';

/** An execution that is silent for more windows than these has ended. */
const MOST_SILENT = 8;

/**
 * The next moment after `nowMillis` at which a window ends, where an execution goes on in windows as long as its last: after windows
 * that began at a and b, b ended at b + (b − a), and further ones end each as much later. By the clock of the recorder, in
 * milliseconds since the epoch; null where nothing tells.
 * @param entries as a store lists them: sorted by execution and start
 */
export function nextWindowEnd(entries: readonly StoreEntry[], nowMillis: number): number | null {
  let next: number | null = null;
  const consider = ({ before, last }: Starts) => {
    const length = last - before;
    const windows = Math.max(2, Math.floor((nowMillis - last) / length) + 1);
    const end = last + windows * length;
    if (windows <= 1 + MOST_SILENT && (next === null || end < next)) next = end;
  };
  let starts: Starts = { execution: '', before: Number.NaN, last: Number.NaN };
  for (const { execution: named, startMillis } of entries) {
    const execution = executionKey(named);
    if (execution !== starts.execution) {
      consider(starts);
      starts = { execution, before: Number.NaN, last: startMillis };
    } else if (startMillis !== starts.last) starts = { execution, before: starts.last, last: startMillis };
  }
  consider(starts);
  return next;
}

/** When the last two windows of an execution began; parts of one began together. NaN where there is none. */
type Starts = { readonly execution: string; readonly before: number; readonly last: number };
