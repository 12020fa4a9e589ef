// The question which threads have which part of the metric, to choose threads from.
import { threadGroupName, threadGroups } from '../../cct/thread-groups.ts';
import type { Question } from './question.ts';

/** One kind of thread with its part of the metric, over all threads and without a focus. */
type ThreadShare = {
  readonly group: string;
  /** Digits are `#`. */
  readonly name: string;
  readonly share: number;
  /** The threads of the kind by name, heaviest first, as far as their names are kept; absent where it is one thread. */
  readonly threads?: readonly { readonly name: string; readonly share: number }[];
};

/** Cells between two pauses. */
const STEP = 1 << 16;

/** Heaviest first; threads without samples of the metric are left out. */
export const threads: Question<null, readonly ThreadShare[]> = ({ profile, analysis }, _, pause) => {
  const { threads: table, cells } = profile;
  const { thread, weight, length } = cells[analysis.selection.metric]!;
  const weights = new Float64Array(table.length);
  let all = 0;
  for (let i = 0; i < length; i++) {
    if (i % STEP === STEP - 1) pause();
    weights[thread[i]!]! += weight[i]!;
    all += weight[i]!;
  }
  const { of: groups, firsts } = threadGroups(table);
  const threadsOf = firsts.map((): { name: string; share: number }[] => []);
  for (const [row, group] of groups.entries())
    if (weights[row]! > 0) threadsOf[group]!.push({ name: table.name[row]!, share: weights[row]! / all });
  const rows = firsts.map((first, number) => {
    const single = threadsOf[number]!;
    return {
      group: table.group[first]!,
      name: threadGroupName(table.name[first]!) || 'unnamed',
      share: single.reduce((sum, { share }) => sum + share, 0),
      ...(single.length > 1 && { threads: single.sort(heaviestFirst) }),
    };
  });
  return rows.filter(({ share }) => share > 0).sort(heaviestFirst);
};

function heaviestFirst(a: Pick<ThreadShare, 'name' | 'share'>, b: Pick<ThreadShare, 'name' | 'share'>): number {
  return b.share - a.share || (a.name < b.name ? -1 : 1);
}
