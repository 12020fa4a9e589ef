// Focus: the outermost nodes of tasks, to which samples and stacks are cut, and how much each task has.
import { noPause, type Pause } from '../base/pause.ts';
import type { Profile } from '../cct/profile.ts';
import { nodesOfMethod, type TreeIndex } from '../cct/tree-index.ts';
import type { Amount, Analysis } from './analysis.ts';
import { stretchOf } from './stretches.ts';
import type { TaskMatches } from './task.ts';

/** Some tasks of one definition. */
export type ChosenTasks = {
  readonly matches: TaskMatches;
  /** Names among `matches.names`; all when absent. */
  readonly names?: readonly string[];
};

/** Some tasks, or nodes of the tree, ascending. */
export type ChosenFocus = ChosenTasks | Int32Array;

/**
 * Outermost nodes that belong to any of the chosen tasks and nodes, ascending: the `focus` of a selection. Nodes in partial stacks are among
 * them; an analysis counts what lies below those as incomplete. O(nodes of the tasks' methods + nodes / 32).
 */
export function focusNodes(
  { tree }: Pick<Profile, 'tree'>,
  index: TreeIndex,
  chosen: readonly ChosenFocus[],
): Int32Array {
  // A bit a node, and one node more for the end of the last subtree.
  const bits = new Int32Array((tree.length >> 5) + 1);
  for (const each of chosen) {
    if (each instanceof Int32Array) {
      for (const node of each) bits[node >> 5]! |= 1 << (node & 31);
      continue;
    }
    const { matches, names } = each;
    const wanted = matches.names.map(name => names === undefined || names.includes(name));
    const taskOf = matches.path === null ? null : taskTest(tree, matches);
    for (let m = 0; m < matches.taskOfMethod.length; m++) {
      const task = matches.taskOfMethod[m]!;
      if (task < 0 || wanted[task] !== true) continue;
      for (const node of nodesOfMethod(index, m))
        if (taskOf === null || wanted[taskOf(node)] === true) bits[node >> 5]! |= 1 << (node & 31);
    }
  }
  const nodes: number[] = [];
  for (let node = firstBit(bits, 0); node >= 0; node = firstBit(bits, tree.subtreeEnd[node]!)) nodes.push(node);
  return Int32Array.from(nodes);
}

/** The first bit that is set, of those from a place on; −1 where there is none. */
function firstBit(bits: Int32Array, from: number): number {
  let at = from >> 5;
  for (let word = bits[at]! & (-1 << (from & 31)); at < bits.length; word = bits[++at]!)
    if (word !== 0) return 32 * at + 31 - Math.clz32(word & -word);
  return -1;
}

type TaskAmount = { readonly name: string; readonly amount: Amount };

/** Nodes looked at in one step. */
const STEP = 1 << 16;

/** Each task of a definition with the samples that pass it, once; heaviest first, without tasks that have no samples. O(nodes). */
export function taskAmounts(a: Analysis, matches: TaskMatches, pause: Pause = noPause): TaskAmount[] {
  const { stretches, totalCount, totalWeight } = a;
  const { tree } = a.profile;
  const { length, subtreeEnd } = tree;
  const coveredUntil = new Int32Array(matches.names.length);
  const weights = new Float64Array(matches.names.length);
  const counts = new Float64Array(matches.names.length);
  const taskOf = taskTest(tree, matches);
  for (let i = 1, at = stretchOf(stretches, 1); i < length; at++) {
    if (at % STEP === 0) pause();
    const end = stretches.ends[at]! + 1;
    if (totalCount[at] === 0 && totalWeight[at] === 0) i = end;
    for (; i < end; i++) {
      if (i % STEP === 0) pause();
      const task = taskOf(i);
      if (task < 0 || i < coveredUntil[task]! || (a.scope !== null && a.scope[i] !== 1)) continue;
      coveredUntil[task] = subtreeEnd[i]!;
      weights[task]! += totalWeight[at]!;
      counts[task]! += totalCount[at]!;
    }
  }
  return matches.names
    .map((name, task) => ({ name, amount: { weight: weights[task]!, count: counts[task]! } }))
    .filter(({ amount }) => amount.weight > 0 || amount.count > 0)
    .sort((x, y) => y.amount.weight - x.amount.weight || y.amount.count - x.amount.count);
}

/** The task that ends at a node, −1 for none. */
function taskTest({ method, parent }: Profile['tree'], { taskOfMethod, path }: TaskMatches) {
  if (path === null) return (node: number) => taskOfMethod[method[node]!]!;
  return (node: number) => {
    const task = taskOfMethod[method[node]!]!;
    if (task < 0) return -1;
    let above = node;
    for (let at = path.elements.length - 1; at >= 0; at--) {
      if (above <= 0 || path.elements[at]!.methods[method[above]!] === 0) return -1;
      above = parent[above]!;
    }
    return path.fromThread && above !== 0 ? -1 : task;
  };
}
