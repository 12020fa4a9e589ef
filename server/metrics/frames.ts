// Walks over the nodes of a set of methods: in depth-first order, outermost ones, and the calls they make.
import { nodesOfMethod } from '../cct/tree-index.ts';
import type { Analysis } from './analysis.ts';

/** Method rows taken as one; a source declaration may stand for several rows. Rows may come in any order, each once. */
export type MethodSet = readonly number[] | Int32Array;

/** The set's nodes in scope, ascending. A view where possible: not to be written to. */
export function nodesOfSet(a: Analysis, set: MethodSet): Int32Array {
  const nodes = allNodesOfSet(a, set);
  const { scope } = a;
  return scope === null ? nodes : nodes.filter(node => scope[node] === 1);
}

/** The set's nodes, ascending, whether in scope or not. */
export function allNodesOfSet({ index }: Analysis, set: MethodSet): Int32Array {
  if (set.length === 0) return new Int32Array(0);
  if (set.length === 1) return nodesOfMethod(index, set[0]!);
  const lists = Array.from(set, method => nodesOfMethod(index, method));
  const nodes = new Int32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    nodes.set(list, at);
    at += list.length;
  }
  return nodes.sort();
}

/** Calls `visit` for those of the ascending nodes that lie below no other of them. */
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

/**
 * Visits the ascending nodes and all their children (the calls they make), together in depth-first order, so that whoever keeps
 * "covered until" for a key sees the outermost of each key first. A node that is also a child is visited as child before.
 */
export function forEachFrame(
  a: Analysis,
  nodes: Int32Array,
  onNode: (node: number) => void,
  onCall: (child: number) => void,
): void {
  for (const _ of frameSteps(a, nodes, onNode, onCall));
}

/** Nodes between two pauses. */
const FRAMES_A_STEP = 1 << 13;

/** The same, pausing now and then. */
export function* frameSteps(
  a: Analysis,
  nodes: Int32Array,
  onNode: (node: number) => void,
  onCall: (child: number) => void,
): Generator<void, void, void> {
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
    if (i % FRAMES_A_STEP === FRAMES_A_STEP - 1) yield;
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
  const { threads, windows, metric } = a.selection;
  const cells = a.profile.cells[metric]!;
  for (let i = from; i < to; i++) {
    if (threads !== undefined && threads[cells.thread[i]!] !== 1) continue;
    if (windows !== undefined && windows[cells.window[i]!] !== 1) continue;
    visit(Math.max(0, cells.line[i]!), cells.weight[i]!, cells.count[i]!, i);
  }
}
