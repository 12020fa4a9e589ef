// The question which threads ran what is looked at, or some methods of it.
import { isGroup, threadGroupName, threadGroups } from '../../cct/thread-groups.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { spreadOver } from '../../metrics/spread.ts';
import type { Question } from './question.ts';

type ThreadRow = { readonly group: string; readonly name: string; readonly total: Amount };

type ThreadList = {
  readonly whole: Amount;
  /** Threads whose names differ in digits alone are one row. Heaviest first; threads without samples are left out. */
  readonly rows: readonly (ThreadRow & {
    /** Threads of different names that were seen: at least so many. */
    readonly names: number;
    /** The threads of the row as far as their names are kept; absent where it is one thread. */
    readonly threads?: readonly ThreadRow[];
  })[];
};

/** `methods`: rows that are taken as one; null for all samples. */
export const threadList: Question<{ readonly methods: readonly number[] | null }, ThreadList> = (
  { analysis, profile },
  { methods },
  pause,
) => {
  const { group, name, rawNames, virtual } = profile.threads;
  const { weight, count } = spreadOver(analysis, 'thread', methods, pause);
  const rowOf = (thread: number, named: string, total: Amount): ThreadRow => ({
    group: group[thread]!,
    name: named || (virtual[thread] === 1 ? 'unnamed virtual threads' : 'unnamed'),
    total,
  });
  const { of: groups, firsts } = threadGroups(profile.threads);
  const threads = firsts.map((): ThreadRow[] => []);
  const totals = firsts.map(() => ({ weight: 0, count: 0 }));
  const names = firsts.map(() => 0);
  for (const [thread, number] of groups.entries()) {
    names[number]! += isGroup(name[thread]!) ? rawNames[thread]!.length : 1;
    if (count[thread] === 0) continue;
    const total = { weight: weight[thread]!, count: count[thread]! };
    threads[number]!.push(rowOf(thread, name[thread]!, total));
    totals[number]!.weight += total.weight;
    totals[number]!.count += total.count;
  }
  const rows = firsts
    .map((first, number) => {
      const own = threads[number]!.sort(heaviestFirst);
      return {
        ...rowOf(first, threadGroupName(name[first]!), totals[number]!),
        names: Math.max(1, names[number]!),
        ...(own.length > 1 && { threads: own }),
      };
    })
    .filter(({ total }) => total.count > 0);
  return { whole: analysis.whole, rows: rows.sort(heaviestFirst) };
};

function heaviestFirst(x: ThreadRow, y: ThreadRow): number {
  return y.total.weight - x.total.weight || (x.name < y.name ? -1 : 1);
}
