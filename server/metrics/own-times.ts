// Own time of every method: each sample belongs to the innermost frame of own code on its stack, and to no other.
import { type MethodTable, PARTIAL_METHOD } from '../cct/profile.ts';
import { isTimeType } from '../model/time-types.ts';
import { type Amount, type Analysis, NO_AMOUNT } from './analysis.ts';
import type { MethodTimes } from './method-times.ts';
import { forEachCellInScope } from './node-walks.ts';
import { stretchOf } from './stretches.ts';

/** One value a method row, and the samples that belong to none: together they are all samples that count. */
export type OwnTimes = MethodTimes & {
  /** Samples without a frame of own code. */
  readonly none: Amount;
  /** The weight of these samples, by row of the thread. */
  readonly noneOfThread: Float64Array;
  /** Samples whose frames of own code all lie above the focus. */
  readonly outside: Amount;
};

/**
 * O(nodes + cells of the metric). In typed time only the frames above the time type count: the frames behind it are the holder's.
 * @param isOwn one byte a method row, 1 where the method is own code
 */
export function ownTimes(a: Analysis, isOwn: Uint8Array): OwnTimes {
  const { tree, methods, cells, threads } = a.profile;
  const { thread } = cells[a.selection.metric]!;
  const count = new Float64Array(methods.length);
  const weight = a.totalWeight === a.totalCount ? count : new Float64Array(count.length);
  const none = { ...NO_AMOUNT };
  const noneOfThread = new Float64Array(threads.length);
  const outside = { ...NO_AMOUNT };
  forEachOwnedCell(a, isOwn, (at, isInScope, cellWeight, cellCount, row) => {
    if (isInScope) {
      const m = tree.method[at]!;
      count[m]! += cellCount;
      if (weight !== count) weight[m]! += cellWeight;
      return;
    }
    if (at < 0) noneOfThread[thread[row]!]! += cellWeight;
    const sum = at < 0 ? none : outside;
    sum.weight += cellWeight;
    sum.count += cellCount;
  });
  return { weight, count, none, noneOfThread, outside };
}

type OwnOfWindow = {
  /** Row of the method table. */
  readonly method: number;
  readonly own: Amount;
};

/**
 * The methods with most own time in each of some groups of windows, heaviest first, ties in table order.
 * @param groupOfWindow by row of the window, −1 for none
 * @param own own times of all that is looked at: other methods have none in any window
 */
export function hottestOfWindows(
  a: Analysis,
  isOwn: Uint8Array,
  { groupOfWindow, groups, own, most }: WindowGroups,
): readonly (readonly OwnOfWindow[])[] {
  const { tree, cells } = a.profile;
  const { window } = cells[a.selection.metric]!;
  const found: number[] = [];
  const columnOf = new Int32Array(own.weight.length).fill(-1);
  for (const [method, each] of own.weight.entries()) if (each > 0) columnOf[method] = found.push(method) - 1;
  const columns = found.length;
  const [weight, count] = [new Float64Array(groups * columns), new Float64Array(groups * columns)];
  forEachOwnedCell(a, isOwn, (at, isInScope, cellWeight, cellCount, cell) => {
    const group = groupOfWindow[window[cell]!]!;
    if (!isInScope || group < 0) return;
    const place = group * columns + columnOf[tree.method[at]!]!;
    weight[place]! += cellWeight;
    count[place]! += cellCount;
  });
  return Array.from({ length: groups }, (_, group) =>
    found
      .map((method, column) => ({ method, at: group * columns + column }))
      .filter(({ at }) => weight[at]! > 0)
      .sort((x, y) => weight[y.at]! - weight[x.at]! || x.method - y.method)
      .slice(0, most)
      .map(({ method, at }) => ({ method, own: { weight: weight[at]!, count: count[at]! } })),
  );
}

type WindowGroups = {
  readonly groupOfWindow: Int32Array;
  readonly groups: number;
  readonly own: MethodTimes;
  /** At most so many methods of each group. */
  readonly most: number;
};

type VisitOwned = (node: number, isInScope: boolean, weight: number, count: number, cell: number) => void;

/** Visits each cell that counts with the innermost node of own code at or above it, −1 where there is none; the focus may lie below that node. */
export function forEachOwnedCell(a: Analysis, isOwn: Uint8Array, visit: VisitOwned): void {
  const { scope, stretches } = a;
  const { node } = a.profile.cells[a.selection.metric]!;
  const owner = innermostOwn(a, isOwn);
  forEachCellInScope(a, (_, weight, count, cell) => {
    const at = owner[stretchOf(stretches, node[cell]!)]!;
    visit(at, at >= 0 && (scope === null || scope[at] === 1), weight, count, cell);
  });
}

const [OTHER, OWN, TYPE, IDLE] = [0, 1, 2, 3];

/**
 * In these methods of the JDK, idle threads of a pool wait for a task. Frames of own code above them, such as a class that extends Thread,
 * only tell how the thread was made.
 */
const IDLE_METHODS: ReadonlySet<string> = new Set([
  'java.util.concurrent.ThreadPoolExecutor.getTask',
  'java.util.concurrent.ForkJoinPool.awaitWork',
  'java.util.TimerThread.mainLoop',
]);

/**
 * Per stretch: the innermost node of own code at or above its last node, which alone of its nodes has cells; −1 where there is none, and
 * where a method in which threads are idle stands below it.
 * Callers come before what they call.
 */
function innermostOwn({ profile: { tree, methods }, stretches }: Analysis, isOwn: Uint8Array): Int32Array {
  const { kindOf, hasTypes } = kindsOf(methods, isOwn);
  const { method, parent } = tree;
  const { ends, length } = stretches;
  const owner = new Int32Array(length).fill(-1);
  const isBehindType = new Uint8Array(length);
  // The first stretch is the root alone.
  for (let i = 1; i < length; i++) {
    const start = ends[i - 1]! + 1;
    const above = stretchOf(stretches, parent[start]!);
    isBehindType[i] = isBehindType[above]!;
    let found: number | null = null;
    for (let node = isBehindType[i] === 1 ? -1 : ends[i]!; node >= start; node--) {
      const kind = kindOf[method[node]!];
      if (kind === TYPE) {
        isBehindType[i] = 1;
        found = null;
      } else if (kind !== OTHER && found === null) {
        found = kind === OWN ? node : -1;
        if (!hasTypes) break;
      }
    }
    owner[i] = found ?? owner[above]!;
  }
  return owner;
}

function kindsOf({ strings, className, name, length }: MethodTable, isOwn: Uint8Array) {
  const kindOf = new Uint8Array(length);
  let hasTypes = false;
  for (let row = PARTIAL_METHOD + 1; row < length; row++) {
    const isType = isTimeType(strings[className[row]!]!, strings[name[row]!]!);
    const isIdle = IDLE_METHODS.has(`${strings[className[row]!]!}.${strings[name[row]!]!}`);
    kindOf[row] = isType ? TYPE : isIdle ? IDLE : isOwn[row] === 1 ? OWN : OTHER;
    hasTypes ||= isType;
  }
  return { kindOf, hasTypes };
}
