// The question which threads ran what is looked at, or one method of it.
import type { Outcome } from '../../base/problem.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { spreadOver } from '../../metrics/spread.ts';
import { NO_METHOD, rowOfKey } from './method-list.ts';
import type { Question } from './question.ts';

type ThreadList = {
  readonly whole: Amount;
  /** Heaviest first; those without samples are left out. */
  readonly rows: readonly { readonly group: string; readonly name: string; readonly total: Amount }[];
};

/** `of`: key of a method; null for all samples. */
export const threadList: Question<{ readonly of: string | null }, Outcome<ThreadList | null>> = (
  data,
  { of },
  pause,
) => {
  const { analysis, profile } = data;
  const row = of === null ? null : rowOfKey(data, of);
  if (of !== null && row === null) return { value: null, problems: [NO_METHOD] };
  const { group, name, virtual } = profile.threads;
  const { weight, count } = spreadOver(analysis, 'thread', row === null ? null : [row], pause);
  const rows = Array.from(weight, (own, thread) => ({
    group: group[thread]!,
    name: name[thread]! || (virtual[thread] === 1 ? 'unnamed virtual threads' : 'unnamed'),
    total: { weight: own, count: count[thread]! },
  })).filter(({ total }) => total.count > 0);
  rows.sort((x, y) => y.total.weight - x.total.weight || (x.name < y.name ? -1 : 1));
  return { value: { whole: analysis.whole, rows }, problems: [] };
};
