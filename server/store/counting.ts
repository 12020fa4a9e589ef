// Which snapshots of a store count: a set that holds every sample once, whatever files compaction has left.
//
// A compacted snapshot says in its header which others it holds. A header is only what its writer says, so that none hides another:
//   1. As long as all parts of a compacted snapshot are there, the parts count, and the compacted one does not: nothing is read but
//      headers, and a false header hides its own snapshot alone.
//   2. Else samples are compared, as they are stored (held.ts): a snapshot is left out where the counting snapshots have all its samples.
//   3. A compacted one that names a snapshot which is there as a part of it, but does not have its samples, contradicts itself: it does
//      not count, and a problem names both.
//   4. Where headers contradict each other and samples do not tell which is right, all of them count, some samples perhaps twice, and a
//      problem names it. Compaction leaves it as it is.
// Compaction removes what a compacted snapshot holds one by one, after the same comparison: each state on the way is one of 2. What
// cannot be read, or is not what its name says, is treated as if it were not there.
import type { Problem } from '../base/problem.ts';
import {
  claimedCover,
  type DescribedEntry,
  familiesOf,
  groupsOf,
  isCompacted,
  originalsOf,
  withoutWhole,
  withPartsIn,
} from './claims.ts';
import type { Compare } from './held.ts';
import type { StoreEntry } from './store.ts';

export type Counting = {
  readonly counting: readonly DescribedEntry[];
  /** Snapshots that contradict themselves. */
  readonly lying: ReadonlySet<DescribedEntry>;
  /** Entries that contradict others: it is not known which of them is right. */
  readonly disputed: ReadonlySet<DescribedEntry>;
  /** Snapshots that were needed to decide and could not be read. */
  readonly unread: ReadonlySet<DescribedEntry>;
  readonly problems: readonly Problem[];
};

/** Snapshots named in a problem. */
const MOST_NAMED = 3;

/**
 * Snapshots of different executions have nothing to do with each other. A provisional snapshot counts until final ones that cover its
 * start have its samples.
 * @param described all snapshots of each of their executions
 */
export async function decideCounting(described: readonly DescribedEntry[], compare: Compare): Promise<Counting> {
  const decision = new Decision(compare);
  const executions = Map.groupBy(described, ({ entry }) => executionKey(entry.execution));
  const counts = new Set<DescribedEntry>();
  for (const all of executions.values()) for (const each of await decision.decide(all)) counts.add(each);
  const { lying, disputed, unread, problems } = decision;
  return { counting: described.filter(each => counts.has(each)), lying, disputed, unread, problems };
}

/** By headers alone: all that may count, some of it twice where compaction has not ended. For lists of what there is. */
export function possiblyCounting(described: readonly DescribedEntry[]): readonly DescribedEntry[] {
  const executions = Map.groupBy(described, ({ entry }) => executionKey(entry.execution));
  const counts = new Set([...executions.values()].flatMap(withoutWhole));
  return described.filter(each => counts.has(each));
}

/** Equal for snapshots of one execution. */
export function executionKey({ project, program, version, instance }: StoreEntry['execution']): string {
  return JSON.stringify([project, program, version, instance]);
}

/** The decision about one group: the snapshots that count, or that are left aside before the group is looked at again. */
type Judgement = {
  readonly counting: readonly DescribedEntry[];
  readonly aside: readonly DescribedEntry[];
  readonly lying: readonly DescribedEntry[];
  readonly disputed: readonly DescribedEntry[];
  readonly problems: readonly Problem[];
};

const NOTHING: Judgement = { counting: [], aside: [], lying: [], disputed: [], problems: [] };

/** Snapshots that share no original, and how they differ from the snapshots that should hold their samples. */
type Contrary = { readonly family: readonly DescribedEntry[]; readonly difference: string };

class Decision {
  readonly lying = new Set<DescribedEntry>();
  readonly disputed = new Set<DescribedEntry>();
  readonly unread = new Set<DescribedEntry>();
  readonly problems: Problem[] = [];
  readonly #compare: Compare;

  constructor(compare: Compare) {
    this.#compare = compare;
  }

  async decide(described: readonly DescribedEntry[]): Promise<readonly DescribedEntry[]> {
    const finals = described.filter(({ entry }) => entry.liveMillis === undefined);
    const counting = await this.#decideFinals(finals);
    for (const live of described) {
      if (live.entry.liveMillis !== undefined && !(await this.#isSuperseded(live, counting))) counting.push(live);
    }
    return counting;
  }

  async #decideFinals(finals: readonly DescribedEntry[]): Promise<DescribedEntry[]> {
    const known = new Map<string, Judgement>();
    const aside = new Set<DescribedEntry>();
    for (;;) {
      const judgements: Judgement[] = [];
      for (const group of groupsOf(withoutWhole(finals.filter(each => !aside.has(each))))) {
        const name = group.map(({ entry }) => entry.key).join('\n');
        const judgement = known.get(name) ?? (await this.#judge(group));
        known.set(name, judgement);
        judgements.push(judgement);
      }
      const more = judgements.filter(each => each.aside.length > 0);
      for (const { lying, disputed, problems } of more.length > 0 ? more : judgements) {
        for (const each of lying) this.lying.add(each);
        for (const each of disputed) this.disputed.add(each);
        this.problems.push(...problems);
      }
      if (more.length === 0) return judgements.flatMap(({ counting }) => counting);
      for (const each of more.flatMap(judgement => judgement.aside)) aside.add(each);
    }
  }

  /** @param isLast whether no other way is tried where headers contradict each other */
  async #judge(group: readonly DescribedEntry[], isLast = false): Promise<Judgement> {
    if (group.length === 1) return { ...NOTHING, counting: group };
    const originals = originalsOf(group);
    const cover = claimedCover(group);
    const left = group.filter(each => !cover.includes(each));
    const contrary: Contrary[] = [];
    for (const family of familiesOf(left, originals)) {
      const { found, unread } = await this.#contraryIn(family, cover);
      for (const each of unread) this.unread.add(each);
      if (unread.length > 0) return { ...NOTHING, aside: unread };
      contrary.push(...found);
    }
    if (contrary.length === 0) return { ...NOTHING, counting: cover };
    const liars = await this.#liarsIn(group, originals);
    if (liars.aside.length > 0) return liars;
    return this.#settle(group, cover, contrary, isLast);
  }

  /** All that contradict each other count. Either side may be taken away from the rest: where that leaves out more, less counts twice. */
  async #settle(
    group: readonly DescribedEntry[],
    cover: readonly DescribedEntry[],
    contrary: readonly Contrary[],
    isLast: boolean,
  ): Promise<Judgement> {
    const originals = originalsOf(group);
    const others = contrary.flatMap(({ family }) => family);
    const disputed = new Set(others.flatMap(({ entry }) => [...originals.get(entry.hash)!]));
    const rivals = cover.filter(
      each => isCompacted(each) && [...originals.get(each.entry.hash)!].some(hash => disputed.has(hash)),
    );
    const named = [...rivals, ...others];
    const message = `snapshots say that they hold the same samples (${namesOf(named)}), but they differ: ${contrary[0]!.difference}; what cannot be told apart counts`;
    const problem = warning(named[0]!, message, 'find out which of them is false and remove it from the store');
    const without = { ...NOTHING, counting: [...cover, ...others], disputed: named, problems: [problem] };
    if (isLast) return without;
    const judged: Judgement[] = [];
    for (const part of groupsOf(group.filter(each => !rivals.includes(each))))
      judged.push(await this.#judge(part, true));
    const aside = judged.flatMap(each => each.aside);
    if (aside.length > 0)
      return {
        ...NOTHING,
        aside,
        lying: judged.flatMap(each => each.lying),
        problems: judged.flatMap(each => each.problems),
      };
    const counting = [...rivals, ...judged.flatMap(each => each.counting)];
    if (counting.length >= without.counting.length) return without;
    return { ...NOTHING, counting, disputed: named, problems: [problem] };
  }

  /** The snapshots of a family whose samples are not all in the cover; the whole family where only its sum shows that samples are missing. */
  async #contraryIn(
    family: readonly DescribedEntry[],
    cover: readonly DescribedEntry[],
  ): Promise<{ readonly found: readonly Contrary[]; readonly unread: readonly DescribedEntry[] }> {
    const { difference, unread } = await this.#compare(cover, family, false);
    if (difference === null) return { found: [], unread };
    const all = [{ family, difference }];
    if (family.length === 1) return { found: all, unread: [] };
    const middle = family.length >> 1;
    const halves = [
      await this.#contraryIn(family.slice(0, middle), cover),
      await this.#contraryIn(family.slice(middle), cover),
    ];
    const found = halves.flatMap(half => half.found);
    return { found: found.length > 0 ? found : all, unread: halves.flatMap(half => half.unread) };
  }

  /** The snapshots that do not have the samples of the parts that their headers name. */
  async #liarsIn(
    group: readonly DescribedEntry[],
    originals: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<Judgement> {
    const aside: DescribedEntry[] = [];
    const problems: Problem[] = [];
    for (const [liar, parts] of withPartsIn(group)) {
      for (const family of familiesOf(parts, originals)) {
        const { difference } = await this.#compare([liar], family, false);
        if (difference === null) continue;
        const message = `this snapshot says that it holds others (${namesOf(family)}), but ${difference}: it does not count`;
        problems.push(warning(liar, message, 'remove it from the store'));
        aside.push(liar);
        break;
      }
    }
    return { ...NOTHING, aside, lying: aside, problems };
  }

  async #isSuperseded(live: DescribedEntry, counting: readonly DescribedEntry[]): Promise<boolean> {
    const { startMillis } = live.reading.header;
    const covering = counting.filter(({ entry, reading: { header } }) => {
      if (entry.liveMillis !== undefined) return false;
      return header.startMillis === startMillis || (header.startMillis < startMillis && header.endMillis > startMillis);
    });
    if (covering.length === 0) return false;
    const { difference, unread } = await this.#compare(covering, [live], false);
    for (const each of unread) this.unread.add(each);
    return unread.length === 0 && difference === null;
  }
}

function warning({ entry }: DescribedEntry, message: string, remedy: string): Problem {
  return { severity: 'warning', message, file: entry.key, remedy };
}

/** Their names in the store, for messages. */
export function namesOf(described: readonly DescribedEntry[]): string {
  const names = described.slice(0, MOST_NAMED).map(({ entry }) => entry.key);
  return described.length > MOST_NAMED ? `${names.join(', ')}, …` : names.join(', ');
}
