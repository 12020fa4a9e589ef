// One look at a tree as a side of a comparison: what its selection counts, node by node.
import type { ComparedSide } from '../../cct/compare/united-tree.ts';
import type { Analysis } from '../analysis.ts';
import { forEachRun, isCalledInScope } from '../scope.ts';

/** @param label per method row, see `ComparedSide`. */
export function comparedSide(
  { profile, runs, scope, stretches, totalWeight, whole }: Analysis,
  label: Int32Array,
): ComparedSide {
  const { tree } = profile;
  const total = new Float64Array(tree.length);
  let from = 0;
  for (let stretch = 0; stretch < stretches.length; stretch++) {
    const to = stretches.ends[stretch]! + 1;
    total.fill(totalWeight[stretch]!, from, to);
    from = to;
  }
  const tops: number[] = [];
  forEachRun(runs, top => {
    if (isCalledInScope(tree, scope, top)) return;
    if (top > 0) tops.push(top);
    else for (let child = 1; child < tree.length; child = tree.subtreeEnd[child]!) tops.push(child);
  });
  return { tree, label, tops: Int32Array.from(tops), total, whole: whole.weight };
}
