// Walks over the nodes of a set of methods: in depth-first order, outermost ones, and the calls they make.
import { noPause, type Pause } from '../base/pause.ts';
import { nodesOfMethod } from '../cct/tree-index.ts';
import type { Analysis } from './analysis.ts';
import { forEachRun } from './scope.ts';
import { firstCell } from './stretches.ts';

/** Method rows taken as one; a source declaration may stand for several rows. Rows may come in any order, each once. */
export type MethodSet = readonly number[] | Int32Array;

/** The set's nodes in scope, ascending. A view where possible: not to be written to. */
export function nodesOfSet(a: Analysis, set: MethodSet, pause: Pause = noPause): Int32Array {
  if (set.length === 0) return new Int32Array(0);
  if (set.length === 1 && a.scope === null) return nodesOfMethod(a.index, set[0]!);
  return inScope(a, mergedLists(a, set, pause), pause);
}

/** The nodes of all methods, ascending: two lists become one until one is left. */
function mergedLists({ index }: Analysis, set: MethodSet, pause: Pause): Int32Array {
  let lists = Array.from(set, method => nodesOfMethod(index, method));
  let copied = 0;
  while (lists.length > 1) {
    const merged: Int32Array[] = [];
    for (let i = 0; i < lists.length; i += 2) {
      const pair = i + 1 < lists.length ? mergedPair(lists[i]!, lists[i + 1]!, pause) : lists[i]!;
      merged.push(pair);
      copied += pair.length;
      if (copied < COPIED_A_STEP) continue;
      copied = 0;
      pause();
    }
    lists = merged;
  }
  return lists[0]!;
}

/** Nodes copied in one step. */
const COPIED_A_STEP = 1 << 17;

function mergedPair(a: Int32Array, b: Int32Array, pause: Pause): Int32Array {
  const merged = new Int32Array(a.length + b.length);
  let [i, j] = [0, 0];
  for (let at = 0; at < merged.length; at++) {
    if (at % COPIED_A_STEP === COPIED_A_STEP - 1) pause();
    merged[at] = j === b.length || (i < a.length && a[i]! < b[j]!) ? a[i++]! : b[j++]!;
  }
  return merged;
}

function inScope({ scope }: Analysis, nodes: Int32Array, pause: Pause): Int32Array {
  if (scope === null) return nodes;
  const kept = new Int32Array(nodes.length);
  let length = 0;
  for (let i = 0; i < nodes.length; i++) {
    if (i % COPIED_A_STEP === COPIED_A_STEP - 1) pause();
    if (scope[nodes[i]!] === 1) kept[length++] = nodes[i]!;
  }
  return kept.subarray(0, length);
}

/** The set's nodes, ascending, whether in scope or not. */
export function allNodesOfSet(a: Analysis, set: MethodSet): Int32Array {
  return set.length === 0 ? new Int32Array(0) : mergedLists(a, set, noPause);
}

/** Calls `visit` for each of the ascending nodes that lies below no other of them. */
export function forEachOutermost(a: Analysis, nodes: Int32Array, visit: (node: number) => void): void {
  const { subtreeEnd } = a.profile.tree;
  let coveredUntil = -1;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    if (node < coveredUntil) continue;
    coveredUntil = subtreeEnd[node]!;
    visit(node);
  }
}

/** Nodes between two pauses. */
const FRAMES_A_STEP = 1 << 13;

/**
 * Visits the ascending nodes and all their children (the calls they make), together in depth-first order, so that a visitor
 * that keeps "covered until" for a key sees the outermost of each key first. A node that is also a child is visited as child
 * before.
 */
export function visitFrames(
  a: Analysis,
  nodes: Int32Array,
  onNode: (node: number) => void,
  onCall: (child: number) => void,
  pause: Pause = noPause,
): void {
  const { subtreeEnd } = a.profile.tree;
  // Nodes of the set whose subtrees are not yet left, outermost first, and each one's next unvisited child.
  const open: number[] = [];
  const next: number[] = [];
  const callsBefore = (top: number, limit: number) => {
    const end = Math.min(subtreeEnd[open[top]!]!, limit);
    let child = next[top]!;
    for (; child < end; child = subtreeEnd[child]!) onCall(child);
    next[top] = child;
  };
  for (let i = 0; i < nodes.length; i++) {
    if (i % FRAMES_A_STEP === FRAMES_A_STEP - 1) pause();
    const node = nodes[i]!;
    while (open.length > 0 && subtreeEnd[open[open.length - 1]!]! <= node) {
      callsBefore(open.length - 1, node);
      open.pop();
      next.pop();
    }
    if (open.length > 0) callsBefore(open.length - 1, node + 1);
    onNode(node);
    open.push(node);
    next.push(node + 1);
  }
  for (let top = open.length - 1; top >= 0; top--) callsBefore(top, Number.POSITIVE_INFINITY);
}

/** Calls `visit` with line (0 = unknown), weight and count of the selected cells of rows from … to−1 of the analysis' metric. */
export function forEachCell(
  a: Analysis,
  from: number,
  to: number,
  visit: (line: number, weight: number, count: number, row: number) => void,
): void {
  const { threads, windows, metric, path } = a.selection;
  const cells = a.profile.cells[metric]!;
  const satisfied = path?.satisfied[metric];
  for (let i = from; i < to; i++) {
    if (threads !== undefined && threads[cells.thread[i]!] !== 1) continue;
    if (windows !== undefined && windows[cells.window[i]!] !== 1) continue;
    if (satisfied !== undefined && satisfied[i] !== 1) continue;
    visit(Math.max(0, cells.line[i]!), cells.weight[i]!, cells.count[i]!, i);
  }
}

/** The same of the cells of all nodes in scope. */
export function forEachCellInScope(a: Analysis, visit: Parameters<typeof forEachCell>[3]): void {
  forEachRun(a.runs, (from, to) => forEachCell(a, firstCell(a.stretches, from), firstCell(a.stretches, to), visit));
}

/** The same of one node's cells. */
export function forEachOwnCell(a: Analysis, node: number, visit: Parameters<typeof forEachCell>[3]): void {
  forEachCell(a, firstCell(a.stretches, node), firstCell(a.stretches, node + 1), visit);
}
