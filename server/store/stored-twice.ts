// Finds snapshots with the very same samples: a recording that was imported under two names, or a snapshot that was copied.
import type { Problem } from '../base/problem.ts';
import type { HeaderReading } from '../snapshot/decode.ts';
import type { DescribedEntry } from './claims.ts';
import { namesOf } from './counting.ts';
import { holdSame } from './held.ts';
import type { Store } from './store.ts';

/** A key that is equal for snapshots that may have the same samples, whatever else their headers say. */
export function samplesKey({ windows, nodes, totals }: HeaderReading): string {
  return JSON.stringify([windows.map(({ startMillis, endMillis }) => [startMillis, endMillis]), nodes, totals]);
}

/** Warns of snapshots whose samples count more than once. A header is only what its writer says: all of them count. */
export async function storedTwice(store: Store, counting: readonly DescribedEntry[]): Promise<Problem[]> {
  const finals = counting.filter(({ entry }) => entry.liveMillis === undefined);
  const problems: Problem[] = [];
  for (const [first, ...others] of Map.groupBy(finals, ({ reading }) => samplesKey(reading)).values()) {
    const alike = [first!];
    for (const other of others) {
      // Files with one content count once.
      if (alike.some(({ entry }) => entry.hash === other.entry.hash)) continue;
      if (await holdSame(store, [first!, other])) alike.push(other);
    }
    if (alike.length === 1) continue;
    const often = alike.length === 2 ? 'twice' : `${alike.length} times`;
    problems.push({
      severity: 'warning',
      message: `these snapshots have the same samples, which count ${often}: ${namesOf(alike)}`,
      file: first!.entry.key,
      remedy: 'remove all but one of them from the store',
    });
  }
  return problems;
}
