// Questions about a set of method rows taken as one method: how much, on which lines, and in which groups of callees.
import { noPause, type Pause } from '../base/pause.ts';
import { PARTIAL_METHOD } from '../cct/profile.ts';
import { nodesOfMethod } from '../cct/tree-index.ts';
import type { Amount, Analysis } from './analysis.ts';
import { effectiveSampleSize } from './interval.ts';
import { KeyedAmounts } from './keyed-amounts.ts';
import {
  allNodesOfSet,
  forEachCell,
  forEachOutermost,
  forEachOwnCell,
  type MethodSet,
  nodesOfSet,
  visitFrames,
} from './node-walks.ts';
import { firstCell, stretchOf } from './stretches.ts';

/** Nodes between two pauses. */
const NODES_A_STEP = 1 << 15;

/** M(set): samples whose stack holds at least one of the methods, once. */
export function methodAmount(a: Analysis, set: MethodSet, pause: Pause = noPause): Amount {
  const { subtreeEnd } = a.profile.tree;
  const sum = { weight: 0, count: 0 };
  let [coveredUntil, visited] = [-1, 0];
  for (const node of nodesOfSet(a, set, pause)) {
    if (++visited % NODES_A_STEP === 0) pause();
    if (node < coveredUntil) continue;
    coveredUntil = subtreeEnd[node]!;
    const at = stretchOf(a.stretches, node);
    sum.weight += a.totalWeight[at]!;
    sum.count += a.totalCount[at]!;
  }
  return sum;
}

/** Samples whose stack has at least one frame of the set on a line for which `lines` is true, once. Unknown lines are asked as 0. */
export function amountAtLines(
  a: Analysis,
  set: MethodSet,
  lines: (line: number) => boolean,
  pause: Pause = noPause,
): Amount {
  const { subtreeEnd, callLine } = a.profile.tree;
  const sum = { weight: 0, count: 0 };
  let coveredUntil = -1;
  const add = (line: number, weight: number, count: number) => {
    if (!lines(line)) return;
    sum.weight += weight;
    sum.count += count;
  };
  visitFrames(
    a,
    nodesOfSet(a, set, pause),
    node => {
      if (node >= coveredUntil) forEachOwnCell(a, node, add);
    },
    child => {
      if (child < coveredUntil || !lines(Math.max(0, callLine[child]!))) return;
      coveredUntil = subtreeEnd[child]!;
      const at = stretchOf(a.stretches, child);
      sum.weight += a.totalWeight[at]!;
      sum.count += a.totalCount[at]!;
    },
    pause,
  );
  return sum;
}

/** Samples with one of the methods innermost, executing a line for which `lines` is true; all lines when absent. */
export function selfAtLines(
  a: Analysis,
  set: MethodSet,
  lines: (line: number) => boolean = anyLine,
  pause: Pause = noPause,
): Amount {
  const sum = { weight: 0, count: 0 };
  const add = (line: number, weight: number, count: number) => {
    if (!lines(line)) return;
    sum.weight += weight;
    sum.count += count;
  };
  let visited = 0;
  for (const node of nodesOfSet(a, set, pause)) {
    if (++visited % NODES_A_STEP === 0) pause();
    forEachOwnCell(a, node, add);
  }
  return sum;
}

/**
 * The same as `calleesOf` for groups of callees: `groupOf` names the group of a callee at a line (undefined: in none), and each
 * sample counts once a group however many of the group's calls its stack holds. Asked once a distinct (method, line) that the
 * selection has seen.
 */
export function amountsByCallee<K>(
  a: Analysis,
  set: MethodSet,
  groupOf: (method: number, line: number) => K | undefined,
  pause: Pause = noPause,
): Map<K, Amount> {
  const { method, callLine, subtreeEnd } = a.profile.tree;
  const sites = new KeyedAmounts();
  /** Per call site: number of its group, −1 for none. */
  const groupOfSite: number[] = [];
  const groups = new Map<K, number>();
  const sums = new KeyedAmounts();
  visitFrames(
    a,
    nodesOfSet(a, set, pause),
    ignore,
    child => {
      // Trees are shared by all metrics: a node that only another metric's samples made was not seen here.
      const at = stretchOf(a.stretches, child);
      if (a.totalCount[at] === 0 && a.totalWeight[at] === 0) return;
      const callee = method[child]!;
      const line = Math.max(0, callLine[child]!);
      const site = sites.entry(callee, line);
      if (site === groupOfSite.length) {
        const key = groupOf(callee, line);
        if (key !== undefined && !groups.has(key)) groups.set(key, sums.entry(groups.size, 0));
        groupOfSite.push(key === undefined ? -1 : groups.get(key)!);
      }
      const group = groupOfSite[site]!;
      if (group < 0) return;
      sums.addSubtree(group, child, subtreeEnd[child]!, a.totalWeight[at]!, a.totalCount[at]!);
    },
    pause,
  );
  const keys = [...groups.keys()];
  return new Map(sums.list((group, _, amount) => [keys[group]!, amount]));
}

/** Samples in unmerged partial stacks that hold one of the methods, once; never part of any share. A focus is not regarded. */
export function incompleteAmount(a: Analysis, set: MethodSet): Amount {
  const { subtreeEnd } = a.profile.tree;
  const sum = { weight: 0, count: 0 };
  // Whether a stack that was cut off satisfies a path is not known.
  const { path: _path, ...selection } = a.selection;
  const unfiltered = { ...a, selection };
  for (const partial of nodesOfMethod(a.index, PARTIAL_METHOD)) {
    const end = subtreeEnd[partial]!;
    const nodes = allNodesOfSet(a, set).filter(node => node > partial && node < end);
    forEachOutermost(a, nodes, node => {
      const [from, to] = [firstCell(a.stretches, node), firstCell(a.stretches, subtreeEnd[node]!)];
      forEachCell(unfiltered, from, to, (_, weight, count) => {
        sum.weight += weight;
        sum.count += count;
      });
    });
  }
  return sum;
}

/** The same as `effectiveSamplesOf`, of everything that the analysis counts. */
export function effectiveWhole(a: Analysis): number {
  const { weightSquares, node } = a.profile.cells[a.selection.metric]!;
  if (weightSquares === null) return a.whole.count;
  let squares = 0;
  const whole = a.selection.path?.whole[a.selection.metric];
  if (whole !== undefined) {
    for (let cell = 0; cell < whole.length; cell++) if (whole[cell] === 1) squares += weightSquares[cell]!;
    return effectiveSampleSize(a.whole.weight, squares);
  }
  forEachCell(a, 0, node.length, (_line, _weight, _count, row) => {
    if (a.scope === null || a.scope[node[row]!] === 1) squares += weightSquares[row]!;
  });
  return effectiveSampleSize(a.whole.weight, squares);
}

function ignore(): void {}

function anyLine(): boolean {
  return true;
}
