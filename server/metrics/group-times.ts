// Values of groups of methods, such as all methods of a class: each sample once a group.
import type { Analysis } from './analysis.ts';
import type { MethodTimes } from './method-times.ts';
import { outermostSums } from './outermost-sums.ts';

/** `total`, `self` and `own` have one value a group. */
type GroupTimes = { readonly total: MethodTimes; readonly self: MethodTimes; readonly own: MethodTimes };

/**
 * O(nodes).
 * @param groupOfMethod group of each method row, from 0 to `groups` − 1
 * @param of self and own time of each method row
 */
export function groupTimes(
  a: Analysis,
  groupOfMethod: Int32Array,
  groups: number,
  of: { readonly self: MethodTimes; readonly own: MethodTimes },
): GroupTimes {
  const { method } = a.profile.tree;
  const keys = method.map(row => groupOfMethod[row]!);
  // Each sample has one method that ran, and at most one that is its innermost own code.
  const sumsOf = (values: MethodTimes) => {
    const sums = { weight: new Float64Array(groups), count: new Float64Array(groups) };
    for (const [row, group] of groupOfMethod.entries()) {
      sums.weight[group]! += values.weight[row]!;
      sums.count[group]! += values.count[row]!;
    }
    return sums;
  };
  return { total: outermostSums(a, keys, groups, a.runs), self: sumsOf(of.self), own: sumsOf(of.own) };
}
