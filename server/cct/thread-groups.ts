// Threads whose names differ in digits alone are a group, such as `reader-#`: which groups keep the names of their threads, and which do not.
import { translate } from './growing-merge.ts';
import type { Profile, ThreadTable } from './profile.ts';
import { sortCells } from './sort-cells.ts';
import { ThreadUnion } from './unite-tables.ts';

/** Groups with more threads than these are shown as groups alone. */
const MOST_SINGLE_THREADS = 64;
/** Single threads may make so many cells of one; fewer cells than these are never too many. */
const MOST_GROWTH = 2;
const FEW_CELLS = 5_000;

/** A number that tells threads of a pool apart, and no part of a word: not the digit of `h2/data`, `log4j2Appender`. */
const NUMBER = /(?<![\p{L}\d])\d+|(?<=\p{L})\d+(?![\p{L}\d/])/gu;

/** Name of a thread's group: every number is `#`, `pool-3-thread-17` becomes `pool-#-thread-#`. A group has its own name. */
export function threadGroupName(name: string): string {
  return name.replace(NUMBER, '#');
}

/** Thread rows by group. */
type ThreadGroups = {
  /** Number of each row's group. */
  readonly of: Int32Array;
  /** The first row of each group; rows of unnamed threads are groups too. */
  readonly firsts: readonly number[];
};

export function threadGroups({ length, group, name, virtual }: ThreadTable): ThreadGroups {
  const numbers = new Map<string, number>();
  const firsts: number[] = [];
  const of = Int32Array.from({ length }, (_, row) => {
    const key = JSON.stringify([group[row], threadGroupName(name[row]!), virtual[row]]);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, firsts.length);
    return firsts.push(row) - 1;
  });
  return { of, firsts };
}

/**
 * The profile with one row for each group of more than 64 threads with samples, and for the groups with most cells where single
 * threads make too many. For a whole load this is done once, behind all merges, so that their order changes nothing.
 */
export function limitSingleThreads(profile: Profile): Profile {
  const { threads } = profile;
  const groups = threadGroups(threads);
  if (groups.firsts.length === threads.length) return profile;
  const isUsed = new Uint8Array(threads.length);
  for (const { thread } of profile.cells) for (const row of thread) isUsed[row] = 1;
  const names = groups.firsts.map(() => new Set<string>());
  for (const [row, group] of groups.of.entries())
    if (isUsed[row] === 1) for (const name of namesIn(threads, row)) names[group]!.add(name);
  const large = names.map(own => own.size > MOST_SINGLE_THREADS);
  const costly = costlyGroups(profile, groups, large);
  return joinGroups(profile, groups, group => large[group]! || costly.has(group));
}

/** The groups, the one with most cells first, without whose single threads the profile has few cells, or not too many. */
function costlyGroups(profile: Profile, groups: ThreadGroups, isJoined: readonly boolean[]): ReadonlySet<number> {
  const costly = new Set<number>();
  let cells = profile.cells.reduce((sum, { length }) => sum + length, 0);
  if (cells <= FEW_CELLS) return costly;
  const more = cellsOfSingles(profile, groups);
  const least = cells - more.reduce((sum, own) => sum + own, 0);
  for (const [group, own] of more.entries()) if (isJoined[group]!) cells -= own;
  const byCost = [...more.keys()].filter(group => !isJoined[group]!).sort((a, b) => more[b]! - more[a]!);
  for (const group of byCost) {
    if (cells <= Math.max(FEW_CELLS, MOST_GROWTH * least)) break;
    costly.add(group);
    cells -= more[group]!;
  }
  return costly;
}

/** How many cells each group has more than one row for all of its threads would have. */
function cellsOfSingles({ cells, windows }: Profile, groups: ThreadGroups): Float64Array {
  const more = new Float64Array(groups.firsts.length);
  const places = new Set<number>();
  for (const { length, node, thread, line, window } of cells) {
    for (let cell = 0; cell < length; cell++) {
      if (node[cell] !== node[cell - 1]) places.clear();
      const group = groups.of[thread[cell]!]!;
      const place = (line[cell]! * windows.length + window[cell]!) * more.length + group;
      if (places.has(place)) more[group]!++;
      else places.add(place);
    }
  }
  return more;
}

/** The profile with one row for each group. */
export function withoutSingleThreads(profile: Profile): Profile {
  return joinGroups(profile, threadGroups(profile.threads), () => true);
}

/** The profile with one row for each group of which some threads have no row of their own. */
export function joinMixedGroups(profile: Profile): Profile {
  const { name } = profile.threads;
  const groups = threadGroups(profile.threads);
  const mixed = new Set([...groups.of].filter((_, row) => isGroup(name[row]!)));
  return joinGroups(profile, groups, group => mixed.has(group));
}

/** Whether a row of this name stands for the threads of a group; else for the threads of this very name. */
export function isGroup(name: string): boolean {
  return name.includes('#') && threadGroupName(name) === name;
}

/** Names of the threads that a row stands for, as far as they are known. */
function namesIn({ name, rawNames }: ThreadTable, row: number): readonly string[] {
  return isGroup(name[row]!) ? rawNames[row]! : [name[row]!];
}

function joinGroups(profile: Profile, groups: ThreadGroups, isJoined: (group: number) => boolean): Profile {
  const { threads } = profile;
  const name = threads.name.map((own, row) => (isJoined(groups.of[row]!) ? threadGroupName(own) : own));
  if (name.every((own, row) => own === threads.name[row])) return profile;
  const rawNames = threads.rawNames.map((own, row) => (name[row] === threads.name[row] ? own : namesIn(threads, row)));
  const union = new ThreadUnion();
  const rows = union.add({ ...threads, name, rawNames });
  const cells = profile.cells.map(own =>
    sortCells({ ...own, thread: translate(own.thread, rows) }, profile.tree.length),
  );
  return { ...profile, threads: union.finish(), cells };
}
