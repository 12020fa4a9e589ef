// The nodes that parts of pictures are made of: they call each other, with the amounts of one selection.
import { noPause, type Pause } from '../../base/pause.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import type { Amount, Analysis } from '../analysis.ts';
import { forEachCell, forEachOutermost, forEachOwnCell, type MethodSet, nodesOfSet } from '../node-walks.ts';
import { forEachRun, isCalledInScope } from '../scope.ts';
import { firstCell, stretchOf } from '../stretches.ts';

/** Nodes are rows; only nodes in scope that have samples of the selection are met. */
export type WalkedTree = {
  /** Method row of each node. */
  readonly method: Int32Array;
  /** Nodes that nothing in scope calls: the root, or the nodes of a focus. */
  forEachTop(visit: (node: number) => void): void;
  forEachCallee(node: number, visit: (callee: number) => void): void;
  /** Also beyond a focus; −1 for nodes that only the root calls. */
  callerOf(node: number): number;
  /** Samples at or below the node, added to `sum`. */
  addTotal(node: number, sum: Sum): void;
  /** Samples of the node itself, added to `sum`. */
  addOwn(node: number, sum: Sum): void;
  /** Every node with samples of its own. */
  forEachOwner(visit: (node: number) => void, pause: Pause): void;
  /** The outermost nodes of methods that are taken as one. */
  forEachOutermost(methods: MethodSet, visit: (node: number) => void, pause: Pause): void;
};

export type Sum = { -readonly [value in keyof Amount]: number };

/** The tree of an analysis as it is. */
export function walkedTree(a: Analysis): WalkedTree {
  const { tree } = a.profile;
  const { method, parent, subtreeEnd } = tree;
  const { stretches, totalWeight, totalCount, scope } = a;
  // Trees are shared by all metrics: a node that only another metric's samples made was not seen here.
  const isSeen = (node: number): boolean => {
    const at = stretchOf(stretches, node);
    return totalWeight[at] !== 0 || totalCount[at] !== 0;
  };
  return {
    method,
    forEachTop(visit) {
      forEachRun(a.runs, from => {
        if (!isCalledInScope(tree, scope, from)) visit(from);
      });
    },
    forEachCallee(node, visit) {
      for (let child = node + 1; child < subtreeEnd[node]!; child = subtreeEnd[child]!)
        if ((scope === null || scope[child] === 1) && isSeen(child)) visit(child);
    },
    callerOf(node) {
      const caller = parent[node]!;
      return caller <= 0 || method[caller] === ROOT_METHOD ? -1 : caller;
    },
    addTotal(node, sum) {
      const at = stretchOf(stretches, node);
      sum.weight += totalWeight[at]!;
      sum.count += totalCount[at]!;
    },
    addOwn(node, sum) {
      forEachOwnCell(a, node, (_line, weight, count) => {
        sum.weight += weight;
        sum.count += count;
      });
    },
    forEachOwner: (visit, pause) => forEachOwner(a, visit, pause),
    forEachOutermost: (methods, visit, pause) =>
      forEachOutermost(a, nodesOfSet(a, methods, pause), node => {
        if (isSeen(node)) visit(node);
      }),
  };
}

/** Cells between two pauses. */
const STEP = 1 << 16;

function forEachOwner(a: Analysis, visit: (node: number) => void, pause: Pause = noPause): void {
  const { node } = a.profile.cells[a.selection.metric]!;
  let last = -1;
  forEachRun(a.runs, (from, to) => {
    const end = firstCell(a.stretches, to);
    for (let first = firstCell(a.stretches, from); first < end; first += STEP) {
      forEachCell(a, first, Math.min(end, first + STEP), (_line, _weight, _count, cell) => {
        if (node[cell] !== last) visit(node[cell]!);
        last = node[cell]!;
      });
      pause();
    }
  });
}
