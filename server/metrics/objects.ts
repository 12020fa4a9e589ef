// The classes of the objects that a set of methods allocates, throws or waits for, and which threads had them.
import { noPause, type Pause } from '../base/pause.ts';
import type { Metric } from '../cct/profile.ts';
import { metricOfClasses, objectClassOf } from '../model/object-classes.ts';
import type { Amount, Analysis } from './analysis.ts';
import type { MethodSet } from './node-walks.ts';
import { amountByInnermost } from './other-metrics.ts';

/** A class of objects. */
type OfClass = {
  readonly className: string;
  readonly amount: Amount;
  /** Classes of threads that had the object last before a wait for it, most first; without the waits of which no event tells that. */
  readonly hadBefore: readonly { readonly thread: string; readonly amount: Amount }[];
};

/** The objects that samples of one metric are about. */
export type ObjectsOfMetric = {
  readonly metric: Metric;
  /** The amount of the samples whose class is known. */
  readonly total: Amount;
  /** The classes, most first. */
  readonly classes: readonly OfClass[];
};

/** Metrics that people ask for first; others follow in the order of the recording. */
const FIRST = ['alloc', 'lock', 'park', 'wait', 'exception'];

type Sum = { weight: number; count: number };

/** The objects of each metric; empty where no classes were recorded, or the set has no such samples. @param set null for the whole selection */
export function objectsOf(a: Analysis, set: MethodSet | null, pause: Pause = noPause): readonly ObjectsOfMetric[] {
  const { metrics } = a.profile;
  const found = metrics.flatMap(({ id }, row) => {
    const metric = metrics.find(each => each.id === metricOfClasses(id));
    if (metric === undefined) return [];
    const { total, classes } = byClass(a, amountByInnermost(a, row, set, pause));
    return total.count === 0 ? [] : [{ metric, total, classes }];
  });
  const rank = ({ metric: { id } }: ObjectsOfMetric) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);
  return found.sort((x, y) => rank(x) - rank(y));
}

/** @param amounts by the node in which samples end: the frame of a class, or that of a thread below it */
function byClass({ profile: { tree, methods } }: Analysis, amounts: ReadonlyMap<number, Amount>) {
  const total = { weight: 0, count: 0 };
  const classes = new Map<string, { amount: Sum; threads: Map<string, Sum> }>();
  const nameOf = (node: number) => methods.strings[methods.name[tree.method[node]!]!]!;
  const classOf = (node: number) =>
    objectClassOf(methods.strings[methods.className[tree.method[node]!]!]!, nameOf(node));
  for (const [node, amount] of amounts) {
    const own = classOf(node);
    const className = own ?? (node === 0 ? null : classOf(tree.parent[node]!));
    if (className === null) continue;
    const found = classes.get(className) ?? { amount: { weight: 0, count: 0 }, threads: new Map<string, Sum>() };
    classes.set(className, found);
    for (const sum of [total, found.amount]) add(sum, amount);
    if (own !== null) continue;
    const thread = found.threads.get(nameOf(node)) ?? { weight: 0, count: 0 };
    found.threads.set(nameOf(node), thread);
    add(thread, amount);
  }
  const rows = [...classes].map(([className, { amount, threads }]) => ({
    className,
    amount,
    hadBefore: heaviestFirst([...threads].map(([thread, sum]) => ({ thread, amount: sum }))),
  }));
  return { total, classes: heaviestFirst(rows) };
}

function add(sum: Sum, { weight, count }: Amount): void {
  sum.weight += weight;
  sum.count += count;
}

function heaviestFirst<Row extends { readonly amount: Amount }>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => b.amount.weight - a.amount.weight);
}
