// Finds what compacted snapshots replace and may be removed: both sides are read back from the store and must agree.
import type { Problem } from '../base/problem.ts';
import type { TimeWindow } from '../cct/profile.ts';
import { unitedChunks } from '../snapshot/chunks.ts';
import { decodeSources } from '../snapshot/decode.ts';
import { namedSections } from '../snapshot/sections.ts';
import { mergeSources, type SourceFile } from '../snapshot/source-section.ts';
import {
  claimedCover,
  type DescribedEntry,
  familiesOf,
  groupsOf,
  isCompacted,
  originalsOf,
  withPartsIn,
} from './claims.ts';
import { namesOf } from './counting.ts';
import { type Compare, comparerOf } from './held.ts';
import { type CompactionLevel, levelAt, oldestLevelFirst } from './levels.ts';
import type { Store } from './store.ts';

/** The snapshots that can be removed now, or why they cannot. */
export type Replaced = {
  readonly replaced: readonly DescribedEntry[];
  /** Compacted snapshots that are not what they say. */
  readonly lying: readonly DescribedEntry[];
  readonly problems: readonly Problem[];
};

/**
 * Goes from group to group, so that the first can be removed while others are not compared yet.
 * @param described snapshots of one execution
 * @param old the ones that have been there for the grace time
 * @param disputed snapshots of which it is not known which are right: all that they have to do with stays
 */
export async function* findReplaced(
  store: Store,
  described: readonly DescribedEntry[],
  { old, disputed }: Readonly<Record<'old' | 'disputed', ReadonlySet<DescribedEntry>>>,
  levels: readonly CompactionLevel[],
  nowMillis: number,
): AsyncGenerator<Replaced> {
  const comparer = new Comparer(store, levels, nowMillis);
  const pending = [described];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const group of groupsOf(next)) {
      if (group.some(each => disputed.has(each))) continue;
      const originals = originalsOf(group);
      const cover = claimedCover(group).filter(each => isCompacted(each) && old.has(each));
      const covered = new Set(cover.flatMap(({ entry }) => [...originals.get(entry.hash)!]));
      const replaced = group.filter(
        each => !cover.includes(each) && [...originals.get(each.entry.hash)!].every(hash => covered.has(hash)),
      );
      if (replaced.length === 0) continue;
      const why = await comparer.whyNot(cover, replaced, originals);
      if (why === null) {
        yield { replaced, lying: [], problems: [] };
        continue;
      }
      const { lying, problems } = await comparer.lyingIn(group, originals);
      yield { replaced: [], lying, problems: lying.length > 0 ? problems : [comparer.problem(cover, replaced, why)] };
      // Without the lying snapshots, others may replace the rest. Every run leaves out the same ones, whatever its levels are.
      if (lying.length > 0) pending.push(group.filter(each => !lying.includes(each)));
    }
  }
}

/** Why something must stay. Only where samples or sources differ it is known that a snapshot is false. */
type Reason = { readonly why: string; readonly isFalse: boolean };

/** How many originals snapshots that share none say they hold. */
function heldBy(described: readonly DescribedEntry[], originals: ReadonlyMap<string, ReadonlySet<string>>): number {
  return described.reduce((sum, { entry }) => sum + originals.get(entry.hash)!.size, 0);
}

/** Whether an import would take chunks again that it would not take now. */
function lacksChunks(cover: readonly DescribedEntry[], family: readonly DescribedEntry[]): boolean {
  const chunksOf = (all: readonly DescribedEntry[]) =>
    unitedChunks(all.map(({ reading }) => reading.header)).chunks ?? [];
  const kept = new Map(chunksOf(cover).map(({ identity, bytes }) => [identity, bytes]));
  return chunksOf(family).some(({ identity, bytes }) => (kept.get(identity) ?? 0) < bytes);
}

class Comparer {
  readonly #store: Store;
  readonly #compare: Compare;
  readonly #oldestFirst: readonly CompactionLevel[];
  readonly #nowMillis: number;

  constructor(store: Store, levels: readonly CompactionLevel[], nowMillis: number) {
    this.#store = store;
    this.#compare = comparerOf(store, true);
    this.#oldestFirst = oldestLevelFirst(levels);
    this.#nowMillis = nowMillis;
  }

  /** Why `replaced` must stay although `cover` says that it holds them; null where it does. */
  async whyNot(
    cover: readonly DescribedEntry[],
    replaced: readonly DescribedEntry[],
    originals: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<Reason | null> {
    // Nothing is known about what a section holds that this version does not know.
    for (const { entry, reading } of [...cover, ...replaced]) {
      if (reading.foreign.length === 0) continue;
      return {
        why: `${entry.key} has ${namedSections(reading.foreign)}, unknown to this version of insitu`,
        isFalse: false,
      };
    }
    for (const family of familiesOf(replaced, originals)) {
      // Where all originals are at hand in some form nothing may be in it that none of them has.
      const isAll = heldBy(family, originals) === heldBy(cover, originals);
      const { difference, unread } = await this.#compare(cover, family, isAll);
      if (unread.length > 0) return { why: `${namesOf(unread)} cannot be read`, isFalse: false };
      if (difference !== null) return { why: difference, isFalse: true };
      if (lacksChunks(cover, family)) return { why: 'it lacks chunks that they hold', isFalse: true };
      if (await this.#lacksSources(cover, family)) return { why: 'it lacks what they know of sources', isFalse: true };
    }
    if (!this.#isTooCoarse(cover, replaced)) return null;
    return { why: 'its windows are longer than the levels of this run make them', isFalse: false };
  }

  /** The snapshots that differ from their parts, as far as the parts are in the group. */
  async lyingIn(
    group: readonly DescribedEntry[],
    originals: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<Omit<Replaced, 'replaced'>> {
    const lying: DescribedEntry[] = [];
    const problems: Problem[] = [];
    for (const [compacted, parts] of withPartsIn(group)) {
      const why = await this.whyNot([compacted], parts, originals);
      if (why?.isFalse !== true) continue;
      lying.push(compacted);
      problems.push(this.problem([compacted], parts, why));
    }
    return { lying, problems };
  }

  problem(cover: readonly DescribedEntry[], replaced: readonly DescribedEntry[], { why, isFalse }: Reason): Problem {
    return {
      severity: isFalse ? 'error' : 'warning',
      message: `nothing is removed of what ${namesOf(cover)} is said to hold (${namesOf(replaced)}): ${why}`,
      file: this.#store.location,
      remedy: isFalse
        ? 'remove what is false from the store'
        : 'run it again with the levels that it was made with, or with a newer insitu',
    };
  }

  async #lacksSources(cover: readonly DescribedEntry[], family: readonly DescribedEntry[]): Promise<boolean> {
    const known = mergeSources(await this.#sourcesOf(family));
    if (known.length === 0) return false;
    const kept = new Set((await this.#sourcesOf(cover)).flat().map(file => JSON.stringify(file)));
    return known.some(file => !kept.has(JSON.stringify(file)));
  }

  async #sourcesOf(described: readonly DescribedEntry[]): Promise<(readonly SourceFile[])[]> {
    const all: (readonly SourceFile[])[] = [];
    for (const { entry, reading } of described) {
      if (!reading.hasSources) continue;
      const { value: bytes } = await this.#store.readBytes(entry);
      const sources = bytes === null ? null : decodeSources(bytes).value;
      if (sources !== null) all.push(sources);
    }
    return all;
  }

  /** Whether times would be lost that this run's levels keep. */
  #isTooCoarse(cover: readonly DescribedEntry[], replaced: readonly DescribedEntry[]): boolean {
    const length = ({ startMillis, endMillis }: TimeWindow) => endMillis - startMillis;
    const own = replaced.flatMap(({ reading }) => reading.windows);
    const longest = own.reduce((most, window) => Math.max(most, length(window)), 0);
    return cover.some(({ reading: { header, windows } }) => {
      const finest = levelAt(header.startMillis, this.#oldestFirst, this.#nowMillis)?.finestMillis ?? 0;
      const joined = windows.filter(window => length(window) > longest + finest);
      return joined.some(({ startMillis, endMillis, jvm }) =>
        own.some(window => window.jvm === jvm && window.startMillis >= startMillis && window.endMillis <= endMillis),
      );
    });
  }
}
