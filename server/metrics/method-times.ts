// Method and self values of every method at once, and the hottest of them.
import { PARTIAL_METHOD, ROOT_METHOD } from '../cct/profile.ts';
import { partialNode } from '../cct/tree-index.ts';
import type { Amount, Analysis } from './analysis.ts';
import { forEachCell } from './frames.ts';
import { runsInScope } from './scope.ts';
import { stretchOf } from './stretches.ts';

/** One value a method row. The two arrays are the same where the metric's unit is `samples`. */
export type MethodTimes = { readonly weight: Float64Array; readonly count: Float64Array };

/** M(m) of every method row in one pass, recursion counted once. */
export function methodTimes(a: Analysis): MethodTimes {
  const { tree, methods } = a.profile;
  const { focus } = a.selection;
  // Both sums of a method stand side by side: adding to them is one look into memory.
  const sums = new Float64Array(methods.length * (a.totalWeight === a.totalCount ? 1 : 2));
  // Without a focus the index knows which nodes are outermost; a cut tree has outermost nodes of its own.
  const coveredUntil = focus === undefined ? null : new Int32Array(methods.length);
  const runs = runsInScope(tree, partialNode(tree), focus);
  for (let at = 0; at < runs.length; at += 2) {
    if (coveredUntil === null) addKnownOutermost(sums, a, runs[at]!, runs[at + 1]!);
    else addOutermost(sums, coveredUntil, a, runs[at]!, runs[at + 1]!);
  }
  if (a.totalWeight === a.totalCount) {
    sums[ROOT_METHOD] = a.totalCount[0]!;
    return { weight: sums, count: sums };
  }
  const [count, weight] = [new Float64Array(methods.length), new Float64Array(methods.length)];
  for (let m = 0; m < methods.length; m++) {
    count[m] = sums[2 * m]!;
    weight[m] = sums[2 * m + 1]!;
  }
  count[ROOT_METHOD] = a.totalCount[0]!;
  weight[ROOT_METHOD] = a.totalWeight[0]!;
  return { weight, count };
}

// Whether a method recurs is guessed wrongly so often that a branch costs more than adding what recurs to the root's row, which is
// that of one node and is put right at the end. Both are functions of their own, of which all variables fit into registers.

function addKnownOutermost(
  sums: Float64Array,
  { stretches, totalCount, totalWeight, index, profile }: Analysis,
  from: number,
  to: number,
): void {
  const { method } = profile.tree;
  const { recursive } = index;
  const isWeighted = totalWeight !== totalCount;
  for (let node = from, at = stretchOf(stretches, from); node < to; at++) {
    const end = stretches.ends[at]! + 1;
    const count = totalCount[at]!;
    const weight = totalWeight[at]!;
    // What this metric has not seen is passed over.
    if (count === 0 && weight === 0) {
      node = end;
    } else if (isWeighted) {
      for (; node < end; node++) {
        const row = 2 * (method[node]! & (recursive[node]! - 1));
        sums[row]! += count;
        sums[row + 1]! += weight;
      }
    } else {
      for (; node < end; node++) sums[method[node]! & (recursive[node]! - 1)]! += count;
    }
  }
}

function addOutermost(
  sums: Float64Array,
  coveredUntil: Int32Array,
  { stretches, totalCount, totalWeight, profile }: Analysis,
  from: number,
  to: number,
): void {
  const { method, subtreeEnd } = profile.tree;
  const isWeighted = totalWeight !== totalCount;
  for (let node = from, at = stretchOf(stretches, from); node < to; at++) {
    const end = stretches.ends[at]! + 1;
    const count = totalCount[at]!;
    const weight = totalWeight[at]!;
    if (count === 0 && weight === 0) node = end;
    const own = subtreeEnd[node]!;
    for (; node < end; node++) {
      const m = method[node]!;
      const until = coveredUntil[m]!;
      const row = m & ~((node - until) >> 31);
      coveredUntil[m] = Math.max(until, own);
      if (isWeighted) {
        sums[2 * row]! += count;
        sums[2 * row + 1]! += weight;
      } else {
        sums[row]! += count;
      }
    }
  }
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
