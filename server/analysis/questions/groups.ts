// The question which classes, packages, threads or instances have which part of what is looked at.

import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { threadGroupName } from '../../cct/thread-groups.ts';
import { isPlatformOrUnknown, isWithin, packageOf } from '../../mapping/platform-classes.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { groupTimes } from '../../metrics/group-times.ts';
import { forEachCellInScope } from '../../metrics/node-walks.ts';
import type { LoadedData } from '../loaded-data.ts';
import type { Question } from './question.ts';

type GroupsWish = {
  readonly by: 'class' | 'package' | 'thread' | 'instance';
  readonly limit: number;
  readonly sort: 'own' | 'total' | 'self';
  /** As for methods. */
  readonly platform: boolean;
  readonly within?: string;
  /** Threads by their own names, where they are kept; else by group. */
  readonly single?: boolean;
};

type GroupTime = {
  /** Binary name of a class, or name of a package, of a thread without its numbers, or of an instance; empty for what has none. */
  readonly name: string;
  /** Samples that have a method of the group on their stack, once; of a thread or instance, its samples. */
  readonly total: Amount;
  readonly self: Amount;
  /** Samples whose innermost own code is in the group. */
  readonly own: Amount;
};

/** Heaviest first; groups without samples are left out. */
export const groups: Question<GroupsWish, readonly GroupTime[]> = (data, wish) => {
  const found = timesOf(data, wish);
  const rows = found.filter(row => row[wish.sort].weight > 0);
  rows.sort((x, y) => y[wish.sort].weight - x[wish.sort].weight || (x.name < y.name ? -1 : 1));
  return rows.slice(0, wish.limit);
};

function timesOf(data: LoadedData, wish: GroupsWish): GroupTime[] {
  if (wish.by === 'thread') return threadTimes(data, wish.single === true);
  return wish.by === 'instance' ? instanceTimes(data) : classTimes(data, wish);
}

function classTimes(
  { analysis, profile, values }: LoadedData,
  { by, sort, platform, within }: GroupsWish,
): GroupTime[] {
  const { strings, className, length } = profile.methods;
  /** Rows that are in no list have a group of their own. */
  const numbers = new Map<string | null, number>([[null, 0]]);
  const groupOfMethod = new Int32Array(length);
  for (let row = PARTIAL_METHOD + 1; row < length; row++) {
    const owner = strings[className[row]!]!;
    const isListed =
      within === undefined ? platform || sort === 'own' || !isPlatformOrUnknown(owner) : isWithin(owner, within);
    if (!isListed) continue;
    const name = by === 'class' ? owner : packageOf(owner);
    const group = numbers.get(name) ?? numbers.size;
    numbers.set(name, group);
    groupOfMethod[row] = group;
  }
  const { total, self, own } = groupTimes(analysis, groupOfMethod, numbers.size, values);
  return [...numbers].flatMap(([name, group]) => {
    const of = ({ weight, count }: typeof total) => ({ weight: weight[group]!, count: count[group]! });
    return name === null ? [] : [{ name, total: of(total), self: of(self), own: of(own) }];
  });
}

function threadTimes({ analysis, profile }: LoadedData, isSingle: boolean): GroupTime[] {
  const { thread } = profile.cells[analysis.selection.metric]!;
  const { name } = profile.threads;
  const names = isSingle ? name : name.map(threadGroupName);
  return timesByName(analysis, cell => names[thread[cell]!]!);
}

function instanceTimes({ analysis, profile, provenance }: LoadedData): GroupTime[] {
  const { window } = profile.cells[analysis.selection.metric]!;
  const { instances } = provenance;
  const names = profile.windows.map(({ jvm = '' }) => instances?.get(jvm) ?? jvm);
  return timesByName(analysis, cell => names[window[cell]!]!);
}

/** Sums of samples, each of which belongs to one group. */
function timesByName(analysis: LoadedData['analysis'], nameOf: (cell: number) => string): GroupTime[] {
  const sums = new Map<string, { weight: number; count: number }>();
  forEachCellInScope(analysis, (_, weight, count, cell) => {
    const name = nameOf(cell);
    const sum = sums.get(name) ?? { weight: 0, count: 0 };
    sums.set(name, sum);
    sum.weight += weight;
    sum.count += count;
  });
  return Array.from(sums, ([name, amount]) => ({ name, total: amount, self: amount, own: amount }));
}
