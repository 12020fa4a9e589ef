// The claims of compacted snapshots about their originals, by their headers alone: a proposal which of them could count, never a decision.
import type { HeaderReading } from '../snapshot/decode.ts';
import type { StoreEntry } from './store.ts';

/** An entry with its header. */
export type DescribedEntry = { readonly entry: StoreEntry; readonly reading: HeaderReading };

/** A compacted snapshot, seen as the originals whose samples it says it holds. */
type Compacted = {
  readonly hash: string;
  readonly originals: ReadonlySet<string>;
  /** Snapshots that it replaces, compacted ones at hand included. */
  readonly replaced: number;
  readonly windows: number;
};

/** Ways that are tried before the best one found is taken. */
const MOST_TRIES = 10_000;

/** Hashes of the snapshots from which a compacted one was made; none for an original. */
function partsOf({ reading: { header } }: DescribedEntry): readonly string[] {
  return header.madeOf ?? header.replaces;
}

export function isCompacted({ reading: { header } }: DescribedEntry): boolean {
  return header.replaces.length > 0;
}

/**
 * The snapshots that would hold every original once if all headers were true. Of two compacted ones that overlap one is taken: one without
 * which samples would be missing comes before others, then the one that replaces more, of equal ones the one with fewer windows, then
 * the one with the smaller hash. The originals of the one that is left out are taken by themselves.
 */
export function claimedCover(described: readonly DescribedEntry[]): readonly DescribedEntry[] {
  const compacted = compactedOf(described);
  const chosen = chooseCompacted(compacted, new Set(described.map(({ entry }) => entry.hash)));
  const covered = new Set(chosen.flatMap(({ originals }) => [...originals]));
  const isChosen = new Set(chosen.map(({ hash }) => hash));
  return described.filter(each => (isCompacted(each) ? isChosen.has(each.entry.hash) : !covered.has(each.entry.hash)));
}

/** Hashes of the originals whose samples each snapshot says it holds: its own hash for an original. */
export function originalsOf(described: readonly DescribedEntry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, ReadonlySet<string>>(described.map(({ entry: { hash } }) => [hash, new Set([hash])]));
  for (const { hash, originals } of compactedOf(described)) all.set(hash, originals);
  return all;
}

/**
 * Without compacted snapshots of which every part is there: such a one is left out by what it says of itself, and its parts are
 * looked at in its place. Files that name each other in a circle stay.
 */
export function withoutWhole(described: readonly DescribedEntry[]): readonly DescribedEntry[] {
  if (!described.some(isCompacted)) return described;
  const present = new Set(described.map(({ entry }) => entry.hash));
  let open = described.filter(each => isCompacted(each) && partsOf(each).every(hash => present.has(hash)));
  const whole = new Set<DescribedEntry>();
  for (let before = -1; before < whole.size; ) {
    before = whole.size;
    const unsettled = new Set(open.map(({ entry }) => entry.hash));
    for (const each of open) if (!partsOf(each).some(hash => unsettled.has(hash))) whole.add(each);
    open = open.filter(each => !whole.has(each));
  }
  return described.filter(each => !whole.has(each));
}

/** Parts of the list that have nothing to do with each other: in each, all are linked by what they say they hold. */
export function groupsOf(described: readonly DescribedEntry[]): readonly (readonly DescribedEntry[])[] {
  if (!described.some(isCompacted)) return described.map(each => [each]);
  const originals = originalsOf(described);
  const above = new Map<string, string>();
  const topOf = (hash: string) => {
    let top = hash;
    for (let next = above.get(top); next !== undefined; next = above.get(top)) top = next;
    if (top !== hash) above.set(hash, top);
    return top;
  };
  for (const each of described) {
    const own = each.entry.hash;
    for (const hash of [...originals.get(own)!, ...partsOf(each)]) {
      const [one, other] = [topOf(own), topOf(hash)];
      if (one !== other) above.set(one, other);
    }
  }
  const groups = new Map<string, DescribedEntry[]>();
  for (const each of described) {
    const top = topOf(each.entry.hash);
    const group = groups.get(top);
    if (group === undefined) groups.set(top, [each]);
    else group.push(each);
  }
  return [...groups.values()];
}

/** Compacted snapshots with those parts of theirs that are in the list. */
export function withPartsIn(
  described: readonly DescribedEntry[],
): readonly (readonly [compacted: DescribedEntry, parts: readonly DescribedEntry[]])[] {
  return described.filter(isCompacted).map(compacted => {
    const named = new Set(partsOf(compacted));
    return [compacted, described.filter(each => each !== compacted && named.has(each.entry.hash))];
  });
}

/** Lists of snapshots that share no original, the largest first: the snapshots of one list may be added up. */
export function familiesOf(
  described: readonly DescribedEntry[],
  originals: ReadonlyMap<string, ReadonlySet<string>>,
): readonly (readonly DescribedEntry[])[] {
  const families: { readonly members: DescribedEntry[]; readonly held: Set<string> }[] = [];
  const size = ({ entry }: DescribedEntry) => originals.get(entry.hash)!.size;
  for (const each of [...described].sort((a, b) => size(b) - size(a) || (a.entry.hash < b.entry.hash ? -1 : 1))) {
    const own = [...originals.get(each.entry.hash)!];
    let family = families.find(({ held }) => !own.some(hash => held.has(hash)));
    if (family === undefined) {
      family = { members: [], held: new Set() };
      families.push(family);
    }
    family.members.push(each);
    for (const hash of own) family.held.add(hash);
  }
  return families.map(({ members }) => members);
}

function compactedOf(described: readonly DescribedEntry[]): Compacted[] {
  const replaces = new Map(described.map(({ entry, reading }) => [entry.hash, reading.header.replaces]));
  return described.filter(isCompacted).map(({ entry: { hash }, reading }) => {
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
