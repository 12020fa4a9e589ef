// Sums samples by what nodes belong to, methods or call sites, each sample once however often that recurs in its stack.
import type { Amount, Analysis } from './analysis.ts';
import { forEachRun, type Runs } from './scope.ts';
import { stretchOf } from './stretches.ts';

/** One value a key. The two arrays are the same where the metric's unit is `samples`. */
export type Sums = { readonly [value in keyof Amount]: Float64Array };

/**
 * Totals of the runs' nodes by key, without nodes below a node of the same key.
 *
 * @param keyOfNode keys from 0 to `keys` − 1.
 */
export function outermostSums(a: Analysis, keyOfNode: Int32Array, keys: number, runs: Runs): Sums {
  const count = new Float64Array(keys + 1);
  const weight = a.totalWeight === a.totalCount ? null : new Float64Array(keys + 1);
  const coveredUntil = new Int32Array(keys);
  forEachRun(runs, (from, to) => addRun({ weight, count }, coveredUntil, a, keyOfNode, from, to));
  // Views: copies would touch as much memory again.
  const counts = count.subarray(1);
  return { weight: weight?.subarray(1) ?? counts, count: counts };
}

/**
 * Adds nodes from … to−1. Key k has row k + 1; row 0 is for what recurs: adding that there costs less than a branch, which is
 * guessed wrongly too often. A function of its own, of which all variables fit into registers.
 */
function addRun(
  { weight, count }: { readonly weight: Float64Array | null; readonly count: Float64Array },
  coveredUntil: Int32Array,
  { stretches, totalCount, totalWeight, profile }: Analysis,
  keyOfNode: Int32Array,
  from: number,
  to: number,
): void {
  const { ends } = stretches;
  const { subtreeEnd } = profile.tree;
  for (let node = from, at = stretchOf(stretches, from); node < to; at++) {
    const end = ends[at]! + 1;
    const counted = totalCount[at]!;
    const weighed = totalWeight[at]!;
    // A subtree without samples of this metric is passed over.
    if (counted === 0 && weighed === 0) node = end;
    const own = subtreeEnd[node]!;
    for (; node < end; node++) {
      const key = keyOfNode[node]!;
      const until = coveredUntil[key]!;
      const row = (key + 1) & ~((node - until) >> 31);
      coveredUntil[key] = Math.max(until, own);
      count[row]! += counted;
      if (weight !== null) weight[row]! += weighed;
    }
  }
}
