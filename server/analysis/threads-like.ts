// Which thread rows a pattern means. A row stands for one thread, or for threads whose names differ in digits alone, and may hold more than is asked.
import { printableName } from '../base/printable.ts';
import type { Problem } from '../base/problem.ts';
import { wildcard } from '../base/wildcard.ts';
import type { ThreadTable } from '../cct/profile.ts';
import { isGroup, threadGroupName } from '../cct/thread-groups.ts';

/** Raw names are kept up to so many in the whole table: in a full table names may be missing. */
const MOST_RAW_NAMES = 1000;

/** The name of unnamed virtual threads in lists. */
const UNNAMED_VIRTUAL = 'unnamed virtual threads';

/**
 * One byte a thread row: 1 where a pattern fits its name, the name of its group (`reader-#`), or one of them behind `group/`. Unnamed
 * threads are called `unnamed`, virtual ones also as lists of threads call them. A pattern with digits means threads of exactly these
 * numbers: it fits a row if it fits every thread of the row.
 */
export function threadsLike(threads: ThreadTable, patterns: readonly string[]): Uint8Array {
  return Uint8Array.from(fitsOf(threads, patterns), fit => (fit === 'all' ? 1 : 0));
}

/**
 * Names of the rows of which a pattern means some threads only, or perhaps some: their parts are not told apart.
 * @param isLookedAt one byte a thread row, 1 where it has samples that are looked at: of others nothing is missing; all when absent
 */
export function groupsOfSingle(
  threads: ThreadTable,
  patterns: readonly string[],
  isLookedAt?: Uint8Array,
): readonly string[] {
  const fits = fitsOf(threads, patterns);
  const isAsked = (row: number) => fits[row] === 'some' && isLookedAt?.[row] !== 0;
  return [...new Set(threads.name.filter((_, row) => isAsked(row)))].sort();
}

type Fit = 'all' | 'some' | 'none';

function fitsOf(threads: ThreadTable, patterns: readonly string[]): readonly Fit[] {
  const each = patterns.map(pattern => ({
    exact: wildcard(pattern),
    grouped: wildcard(threadGroupName(pattern)),
  }));
  const isFull = threads.rawNames.reduce((sum, names) => sum + names.length, 0) >= MOST_RAW_NAMES;
  return threads.name.map((name, row): Fit => {
    const own = name === '' ? 'unnamed' : name;
    const group = threads.group[row]!;
    const isIn = (fits: (text: string) => boolean, thread: string) =>
      [thread, `${group}/${thread}`, `${threadGroupName(group)}/${thread}`].some(fits);
    const names = [own, threadGroupName(own), ...(name === '' && threads.virtual[row] === 1 ? [UNNAMED_VIRTUAL] : [])];
    if (each.some(({ exact }) => names.some(thread => isIn(exact, thread)))) return 'all';
    if (!isGroup(own)) return 'none';
    const near = each.filter(({ grouped }) => isIn(grouped, own));
    if (near.length === 0) return 'none';
    const raw = threads.rawNames[row]!;
    const fitting = raw.filter(thread => near.some(({ exact }) => isIn(exact, thread))).length;
    if (raw.length === 0 || isFull) return 'some';
    return fitting === raw.length ? 'all' : fitting > 0 ? 'some' : 'none';
  });
}

/** The problem of patterns that mean single threads of these groups: the data do not tell these threads apart. */
export function noSingleThread(groups: readonly string[], patterns: readonly string[]): Problem {
  const wanted = patterns.map(pattern => `"${printableName(pattern)}"`).join(' or ');
  const some = groups.slice(0, 3).map(printableName).join(', ') + (groups.length > 3 ? ', …' : '');
  const message = `single threads are not kept: ${wanted} is part of ${some}`;
  const remedy = `take the whole group: ${some}, or a time in which single threads are kept`;
  return { severity: 'error', message, remedy, isUndecided: true };
}

/** The problem of patterns that fit no thread. */
export function noThread({ name }: ThreadTable, patterns: readonly string[]): Problem {
  const names = [...new Set(name.map(each => threadGroupName(each) || 'unnamed'))].sort();
  const some = names.slice(0, 12).join(', ') + (names.length > 12 ? ', …' : '');
  const message = `no thread fits ${patterns.map(pattern => `"${pattern}"`).join(' or ')}`;
  return { severity: 'error', message, remedy: `threads: ${some}` };
}
