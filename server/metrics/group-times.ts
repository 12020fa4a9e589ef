// Values of groups of methods, such as all methods of a class: each sample once a group.
import type { Analysis } from './analysis.ts';
import type { MethodTimes } from './method-times.ts';
import { outermostSums } from './outermost-sums.ts';

/** `total` and `self` have one value a group. */
type GroupTimes = { readonly total: MethodTimes; readonly self: MethodTimes };

/**
 * O(nodes).
 * @param groupOfMethod group of each method row, from 0 to `groups` − 1
 * @param self of each method row
 */
export function groupTimes(a: Analysis, groupOfMethod: Int32Array, groups: number, self: MethodTimes): GroupTimes {
  const { method } = a.profile.tree;
  const keys = method.map(row => groupOfMethod[row]!);
  const own = { weight: new Float64Array(groups), count: new Float64Array(groups) };
  for (const [row, group] of groupOfMethod.entries()) {
    own.weight[group]! += self.weight[row]!;
    own.count[group]! += self.count[row]!;
  }
  return { total: outermostSums(a, keys, groups, a.runs), self: own };
}
