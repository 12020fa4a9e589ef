// The content of a store for one project, read for lists of executions and to notice data that are newer than the shown ones.

import type { Wish } from '../../analysis/wish.ts';
import type { Outcome } from '../../base/problem.ts';
import type { DescribedEntry } from '../../store/select-snapshots.ts';
import type { StoreEntry, StoreFilter } from '../../store/store.ts';

/** Snapshots with their headers, without compacted ones of which everything is there. The code that reads them is loaded when it is needed first. */
export async function describedEntries({
  store,
  ...filter
}: Pick<Wish, 'store'> & StoreFilter): Promise<Outcome<readonly DescribedEntry[]>> {
  const { openStore } = await import('../../store/open-store.ts');
  const { possiblyCounting } = await import('../../store/counting.ts');
  const { describeEntries } = await import('../../store/select-snapshots.ts');
  const opened = openStore(store);
  if (opened.value === null) return { value: [], problems: opened.problems };
  const listed = await opened.value.list(filter);
  const described = await describeEntries(opened.value, listed.value);
  return { value: possiblyCounting(described.value), problems: [...listed.problems, ...described.problems] };
}

/** The snapshot of a program that began last, whatever its version; null where the store has none or cannot be read. */
export async function latestEntry(
  { store, project }: Pick<Wish, 'store' | 'project'>,
  program: string,
): Promise<StoreEntry | null> {
  const { openStore } = await import('../../store/open-store.ts');
  const opened = openStore(store);
  if (opened.value === null) return null;
  const { value: entries } = await opened.value.list({ project, program });
  let latest: StoreEntry | null = null;
  for (const entry of entries) if (latest === null || entry.startMillis > latest.startMillis) latest = entry;
  return latest;
}
