// Prints counts beside their limits and goals, and the places of counts that are beyond.
import { formatViolations } from '../files.ts';
import type { Counted } from './count.ts';
import type { Limited } from './limits.ts';

/** A count that could not be taken says why. */
export type Taken = { readonly of: Limited; readonly counted: Counted | { readonly trouble: string } };

const MOST_PLACES = 20;

/** One aligned line a count, under a line of headings. */
export function countsTable(taken: readonly Taken[]): string {
  const rows = taken.map(({ of: { name, what, limit, goal }, counted }) => {
    const today = 'trouble' in counted ? '?' : `${counted.total}`;
    return [name, today, `${limit}`, `≤ ${goal}`, `${what}${remark({ limit, goal }, counted)}`];
  });
  const all = [['count', 'today', 'limit', 'goal', ''], ...rows];
  const widths = [0, 1, 2, 3].map(column => Math.max(...all.map(row => row[column]!.length)));
  return all
    .map(([name = '', today = '', limit = '', goal = '', what = '']) => {
      const numbers = [today, limit, goal].map((text, i) => text.padStart(widths[i + 1]!));
      return [name.padEnd(widths[0]!), ...numbers, what].join('  ').trimEnd();
    })
    .join('\n');
}

function remark({ limit, goal }: Pick<Limited, 'limit' | 'goal'>, counted: Taken['counted']): string {
  if ('trouble' in counted) return ': not counted';
  if (counted.total > limit) return ': beyond the limit';
  const least = Math.max(counted.total, goal);
  return least < limit ? `: lower the limit to ${least}` : '';
}

/** Why a check of these counts fails: at most 20 places of each that is beyond its limit, or what kept it from being taken. */
export function countFailures(taken: readonly Taken[]): string[] {
  return taken.flatMap(({ of: { name, limit }, counted }) => {
    if ('trouble' in counted) return [`${name} cannot be counted: ${counted.trouble}`];
    if (counted.total <= limit) return [];
    const shown = counted.places.slice(0, MOST_PLACES);
    const more = counted.places.length - shown.length;
    const rest = more === 0 ? [] : [`… and ${more} more: npm run check -- --list ${name}`];
    return [[`${name}: ${counted.total}, the limit is ${limit}`, formatViolations(shown), ...rest].join('\n')];
  });
}
