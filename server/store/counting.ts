// Which snapshots of a store count: those that together hold every sample once, whatever compaction has left lying about.
import type { HeaderReading } from '../snapshot/decode.ts';
import type { StoreEntry } from './store.ts';

/** An entry with its header. */
export type DescribedEntry = { readonly entry: StoreEntry; readonly reading: HeaderReading };

/** A compacted snapshot, seen as the originals whose samples it holds. */
type Compacted = {
  readonly hash: string;
  readonly originals: ReadonlySet<string>;
  /** Snapshots that it replaces, compacted ones at hand included. */
  readonly replaced: number;
  readonly windows: number;
};

/** Ways that are tried before the best one found is taken. */
const MOST_TRIES = 10_000;

/**
 * Leaves out what a compacted snapshot replaces, directly or through others that it replaces. Of two compacted ones that overlap one
 * counts: one without which samples would be missing comes before others, then the one that replaces more, of equal ones that with
 * fewer windows, then that with the smaller hash. What the one that is left out replaces still counts. A provisional snapshot
 * counts until a final one of the same execution covers its start.
 */
export function withoutReplaced(described: readonly DescribedEntry[]): readonly DescribedEntry[] {
  const compacted = compactedOf(described);
  const chosen = chooseCompacted(compacted, new Set(described.map(({ entry }) => entry.hash)));
  const covered = new Set(chosen.flatMap(({ originals }) => [...originals]));
  const isCompacted = new Set(compacted.map(({ hash }) => hash));
  const isChosen = new Set(chosen.map(({ hash }) => hash));
  const counting = described.filter(({ entry: { hash } }) =>
    isCompacted.has(hash) ? isChosen.has(hash) : !covered.has(hash),
  );
  return withoutSuperseded(counting, described);
}

/** Hashes of the originals whose samples each snapshot holds: its own hash for an original. */
export function originalsOf(described: readonly DescribedEntry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, ReadonlySet<string>>(described.map(({ entry: { hash } }) => [hash, new Set([hash])]));
  for (const { hash, originals } of compactedOf(described)) all.set(hash, originals);
  return all;
}

function compactedOf(described: readonly DescribedEntry[]): Compacted[] {
  const replaces = new Map(described.map(({ entry, reading }) => [entry.hash, reading.header.replaces]));
  return described
    .filter(({ reading }) => reading.header.replaces.length > 0)
    .map(({ entry: { hash }, reading }) => {
      const below = allBelow(hash, replaces);
      const originals = new Set([...below].filter(each => (replaces.get(each)?.length ?? 0) === 0));
      const own = originals.size > 0 ? originals : new Set(below).add(hash);
      return { hash, originals: own, replaced: below.size, windows: reading.windows.length };
    });
}

/** Hashes that a snapshot replaces directly or through others at hand; never its own, even where files name each other. */
function allBelow(hash: string, replaces: ReadonlyMap<string, readonly string[]>): Set<string> {
  const below = new Set(replaces.get(hash));
  // A set hands out what is added to it on the way.
  for (const each of below) for (const next of replaces.get(each) ?? []) below.add(next);
  below.delete(hash);
  return below;
}

/** Compacted snapshots that share no original and leave none out that is not there by itself, the preferred ones first. */
function chooseCompacted(compacted: readonly Compacted[], present: ReadonlySet<string>): readonly Compacted[] {
  const holders = new Map<string, number>();
  for (const { originals } of compacted) for (const each of originals) holders.set(each, (holders.get(each) ?? 0) + 1);
  const isNeeded = ({ originals }: Compacted) =>
    [...originals].some(each => holders.get(each) === 1 && !present.has(each));
  const sorted = compacted
    .map(each => ({ ...each, needed: isNeeded(each) ? 1 : 0 }))
    .sort(
      (a, b) =>
        b.needed - a.needed ||
        b.originals.size - a.originals.size ||
        b.replaced - a.replaced ||
        a.windows - b.windows ||
        (a.hash < b.hash ? -1 : 1),
    );
  const wanted = [...holders.keys()].filter(each => !present.has(each)).length;
  return search(sorted, present, wanted);
}

/** Takes whatever fits, in order; where that misses originals, goes back and leaves out the latest that can be left out. */
function search(sorted: readonly Compacted[], present: ReadonlySet<string>, wanted: number): readonly Compacted[] {
  const covered = new Set<string>();
  const taken: number[] = [];
  let found = 0;
  let best: { readonly found: number; readonly taken: readonly number[] } = { found: -1, taken: [] };
  let next = 0;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    for (; next < sorted.length; next++) {
      const { originals } = sorted[next]!;
      if ([...originals].some(each => covered.has(each))) continue;
      taken.push(next);
      for (const each of originals) {
        covered.add(each);
        if (!present.has(each)) found++;
      }
    }
    if (found > best.found) best = { found, taken: [...taken] };
    const last = taken.pop();
    if (best.found === wanted || last === undefined) break;
    for (const each of sorted[last]!.originals) {
      covered.delete(each);
      if (!present.has(each)) found--;
    }
    next = last + 1;
  }
  return best.taken.map(at => sorted[at]!);
}

function withoutSuperseded(
  counting: readonly DescribedEntry[],
  described: readonly DescribedEntry[],
): readonly DescribedEntry[] {
  if (!counting.some(({ entry }) => entry.liveMillis !== undefined)) return counting;
  const finals = new Map<string, HeaderReading['header'][]>();
  for (const { entry, reading } of described) {
    if (entry.liveMillis !== undefined) continue;
    const own = executionKey(entry.execution);
    finals.set(own, [...(finals.get(own) ?? []), reading.header]);
  }
  const isSuperseded = ({ entry, reading: { header } }: DescribedEntry) =>
    (finals.get(executionKey(entry.execution)) ?? []).some(
      final =>
        final.startMillis === header.startMillis ||
        (final.startMillis < header.startMillis && final.endMillis > header.startMillis),
    );
  return counting.filter(each => each.entry.liveMillis === undefined || !isSuperseded(each));
}

/** Equal for snapshots of one execution. */
export function executionKey({ project, program, version, instance }: StoreEntry['execution']): string {
  return JSON.stringify([project, program, version, instance]);
}
