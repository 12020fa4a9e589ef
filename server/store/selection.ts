// Which snapshots of a store belong to a request: the wanted version, without those that compaction replaced.
import type { Outcome, Problem } from '../base/problem.ts';
import type { HeaderReading } from '../snapshot/decode.ts';
import type { Store, StoreEntry, StoreFilter } from './store.ts';

/** Which snapshots are wanted. Without `version` the newest version that has data; `all` takes every version. */
export type LoadRequest = StoreFilter & {
  readonly versions?: 'newest' | 'all';
  /** Names of instances; all when absent. */
  readonly instances?: readonly string[];
  /** Only snapshots with a moment in common with [fromMillis, toMillis). */
  readonly fromMillis?: number;
  readonly toMillis?: number;
};

/** An entry with its header. */
export type DescribedEntry = { readonly entry: StoreEntry; readonly reading: HeaderReading };

const AT_ONCE = 16;

/**
 * Entries that answer a request, sorted as listed. Broken snapshots are reported and left out; programs are never mixed: a request
 * that fits several programs is refused with their names.
 */
export async function selectEntries(store: Store, request: LoadRequest): Promise<Outcome<readonly DescribedEntry[]>> {
  const { versions = 'newest', instances, fromMillis, toMillis, ...filter } = request;
  const all = await store.list(filter);
  const ofInstances = all.value.filter(({ execution }) => instances?.includes(execution.instance) ?? true);
  const listed = { ...all, value: ofInstances };
  const problems: Problem[] = [...listed.problems];
  const programs = new Map(
    listed.value.map(({ execution }) => [`${execution.project} / ${execution.program}`, execution]),
  );
  if (programs.size > 1) {
    problems.push({
      severity: 'error',
      message: `this fits several programs: ${[...programs.keys()].join(', ')}`,
      file: store.location,
      remedy: 'choose one with --project and --program',
    });
    return { value: [], problems };
  }
  const wanted = versions === 'newest' && filter.version === undefined ? newestVersion(listed.value) : listed.value;
  const described = await describeEntries(store, wanted);
  problems.push(...described.problems);
  const inSpan = described.value.filter(({ reading: { header } }) => {
    const [from, to] = [fromMillis ?? Number.NEGATIVE_INFINITY, toMillis ?? Number.POSITIVE_INFINITY];
    return header.startMillis < to && header.endMillis > from;
  });
  return { value: withoutReplaced(inSpan), problems };
}

/** Entries of the version that has the latest snapshot. */
export function newestVersion(entries: readonly StoreEntry[]): readonly StoreEntry[] {
  let newest: StoreEntry | undefined;
  for (const entry of entries) if (newest === undefined || entry.startMillis >= newest.startMillis) newest = entry;
  return entries.filter(entry => entry.execution.version === newest?.execution.version);
}

/** Headers of entries, a few at a time; those that cannot be read become problems. */
export async function describeEntries(
  store: Store,
  entries: readonly StoreEntry[],
): Promise<Outcome<readonly DescribedEntry[]>> {
  const value: DescribedEntry[] = [];
  const problems: Problem[] = [];
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const part = entries.slice(from, from + AT_ONCE);
    const headers = await Promise.all(part.map(entry => store.readHeader(entry)));
    headers.forEach((header, i) => {
      problems.push(...header.problems);
      if (header.value !== null) value.push({ entry: part[i]!, reading: header.value });
    });
  }
  return { value, problems };
}

/**
 * Leaves out what a compacted snapshot replaces, directly or through others that it replaces. Of two compacted ones that overlap, the
 * one that replaces more counts and the other is left out; of equal ones that with the smaller hash. What the one that is left out
 * replaces still counts.
 */
export function withoutReplaced(described: readonly DescribedEntry[]): readonly DescribedEntry[] {
  const replaces = new Map(described.map(({ entry, reading }) => [entry.hash, reading.header.replaces]));
  const compacted = [...replaces.keys()]
    .filter(hash => replaces.get(hash)!.length > 0)
    .map(hash => ({ hash, below: allBelow(hash, replaces) }))
    .sort((a, b) => b.below.size - a.below.size || (a.hash < b.hash ? -1 : 1));
  const covered = new Set<string>();
  const left = new Set<string>();
  for (const { hash, below } of compacted) {
    if (covered.has(hash)) continue;
    if ([...below].some(each => covered.has(each))) left.add(hash);
    else for (const each of below) covered.add(each);
  }
  return described.filter(({ entry: { hash } }) => !covered.has(hash) && !left.has(hash));
}

/** Hashes that a snapshot replaces directly or through others at hand; never its own, even where files name each other. */
function allBelow(hash: string, replaces: ReadonlyMap<string, readonly string[]>): Set<string> {
  const below = new Set(replaces.get(hash));
  // A set hands out what is added to it on the way.
  for (const each of below) for (const next of replaces.get(each) ?? []) below.add(next);
  below.delete(hash);
  return below;
}
