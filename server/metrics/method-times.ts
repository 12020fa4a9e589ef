// Method and self values of every method at once, and the hottest of them.
import { PARTIAL_METHOD } from '../cct/profile.ts';
import type { Amount, Analysis } from './analysis.ts';
import { forEachCell } from './frames.ts';

/** One value a method row. The two arrays are the same where the metric's unit is `samples`. */
export type MethodTimes = { readonly weight: Float64Array; readonly count: Float64Array };

/** M(m) of every method row in one pass, recursion counted once. */
export function methodTimes(a: Analysis): MethodTimes {
  const { method, subtreeEnd, length } = a.profile.tree;
  const { scope, totalWeight, totalCount } = a;
  const { recursive } = a.index;
  const count = new Float64Array(a.profile.methods.length);
  const weight = totalWeight === totalCount ? count : new Float64Array(count.length);
  // Where everything counts the index knows which nodes are outermost; a cut tree has outermost nodes of its own.
  const coveredUntil = scope === null ? null : new Int32Array(count.length);
  for (let i = 0; i < length; i++) {
    const m = method[i]!;
    if (coveredUntil === null) {
      if (recursive[i] === 1) continue;
    } else {
      if (scope![i] !== 1 || i < coveredUntil[m]!) continue;
      coveredUntil[m] = subtreeEnd[i]!;
    }
    count[m]! += totalCount[i]!;
    if (weight !== count) weight[m]! += totalWeight[i]!;
  }
  return { weight, count };
}

/** Samples with the method innermost, for every method row. */
export function selfTimes(a: Analysis): MethodTimes {
  const { method } = a.profile.tree;
  const { node } = a.profile.cells[a.selection.metric]!;
  const count = new Float64Array(a.profile.methods.length);
  const weight = a.totalWeight === a.totalCount ? count : new Float64Array(count.length);
  forEachCell(a, 0, node.length, (_, ownWeight, ownCount, row) => {
    const running = node[row]!;
    if (a.scope !== null && a.scope[running] !== 1) return;
    const m = method[running]!;
    count[m]! += ownCount;
    if (weight !== count) weight[m]! += ownWeight;
  });
  return { weight, count };
}

export type HotMethod = { readonly method: number; readonly total: Amount; readonly self: Amount };

/** Values of all methods, where they are known. */
export type AllTimes = { readonly total: MethodTimes; readonly self: MethodTimes };

/** The `limit` methods with most total (or self) weight, heaviest first; ties by row; the root and methods without weight left out. */
export function hotMethods(
  a: Analysis,
  limit: number,
  by: 'total' | 'self' = 'total',
  { total, self }: AllTimes = { total: methodTimes(a), self: selfTimes(a) },
): HotMethod[] {
  const key = by === 'total' ? total.weight : self.weight;
  const rows: number[] = [];
  for (let m = PARTIAL_METHOD + 1; m < key.length; m++) if (key[m]! > 0) rows.push(m);
  rows.sort((x, y) => key[y]! - key[x]! || x - y);
  return rows.slice(0, limit).map(method => ({
    method,
    total: { weight: total.weight[method]!, count: total.count[method]! },
    self: { weight: self.weight[method]!, count: self.count[method]! },
  }));
}
