// One look at a tree as a side of a comparison: what its selection counts, node by node.

import type { Analysis } from '../../metrics/analysis.ts';
import { forEachRun, isCalledInScope } from '../../metrics/scope.ts';
import type { ComparedSide } from './united-tree.ts';

/** @param label per method row, see `ComparedSide`. */
export function comparedSide(analysis: Analysis, label: Int32Array): ComparedSide {
  const { profile, runs, scope, whole } = analysis;
  const { tree } = profile;
  const tops: number[] = [];
  forEachRun(runs, top => {
    if (isCalledInScope(tree, scope, top)) return;
    if (top > 0) tops.push(top);
    else for (let child = 1; child < tree.length; child = tree.subtreeEnd[child]!) tops.push(child);
  });
  return { tree, label, tops: Int32Array.from(tops), total: totalsByNode(analysis), whole: whole.weight };
}

/** Per node of the tree: the amount at or below it. */
function totalsByNode({ profile, stretches, totalWeight }: Analysis): Float64Array {
  const total = new Float64Array(profile.tree.length);
  let from = 0;
  for (let stretch = 0; stretch < stretches.length; stretch++) {
    const to = stretches.ends[stretch]! + 1;
    total.fill(totalWeight[stretch]!, from, to);
    from = to;
  }
  return total;
}

/** Per node of the tree: what it has itself. Outside of what is looked at it means nothing. */
export function ownByNode(analysis: Analysis): Float64Array {
  const { tree } = analysis.profile;
  const total = totalsByNode(analysis);
  const own = total.slice();
  for (let node = 1; node < tree.length; node++) own[tree.parent[node]!]! -= total[node]!;
  return own;
}
