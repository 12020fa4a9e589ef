// Method and self values of every method at once, and the hottest of them.
import { PARTIAL_METHOD, ROOT_METHOD } from '../cct/profile.ts';
import { partialNode } from '../cct/tree-index.ts';
import type { Amount, Analysis } from './analysis.ts';
import { forEachCell } from './frames.ts';
import { runsInScope } from './scope.ts';

/** One value a method row. The two arrays are the same where the metric's unit is `samples`. */
export type MethodTimes = { readonly weight: Float64Array; readonly count: Float64Array };

/** M(m) of every method row in one pass, recursion counted once. */
export function methodTimes(a: Analysis): MethodTimes {
  const { tree, methods } = a.profile;
  const count = new Float64Array(methods.length);
  const weight = a.totalWeight === a.totalCount ? null : new Float64Array(methods.length);
  const { focus } = a.selection;
  // Without a focus the index knows which nodes are outermost; a cut tree has outermost nodes of its own.
  const coveredUntil = focus === undefined ? null : new Int32Array(methods.length);
  const runs = runsInScope(tree, partialNode(tree), focus);
  for (let at = 0; at < runs.length; at += 2) {
    if (coveredUntil === null) addKnownOutermost(count, weight, a, runs[at]!, runs[at + 1]!);
    else addOutermost(count, weight, coveredUntil, a, runs[at]!, runs[at + 1]!);
  }
  count[ROOT_METHOD] = a.totalCount[0]!;
  if (weight !== null) weight[ROOT_METHOD] = a.totalWeight[0]!;
  return { weight: weight ?? count, count };
}

// Whether a method recurs is guessed wrongly so often that a branch costs more than adding what recurs to the root's row, which is
// that of one node and is put right at the end. Both are functions of their own, of which all variables fit into registers.

function addKnownOutermost(
  count: Float64Array,
  weight: Float64Array | null,
  { totalCount, totalWeight, index, profile }: Analysis,
  from: number,
  to: number,
): void {
  const { method } = profile.tree;
  const { recursive } = index;
  for (let node = from; node < to; node++) {
    const row = method[node]! & (recursive[node]! - 1);
    count[row]! += totalCount[node]!;
    if (weight !== null) weight[row]! += totalWeight[node]!;
  }
}

function addOutermost(
  count: Float64Array,
  weight: Float64Array | null,
  coveredUntil: Int32Array,
  { totalCount, totalWeight, profile }: Analysis,
  from: number,
  to: number,
): void {
  const { method, subtreeEnd } = profile.tree;
  for (let node = from; node < to; node++) {
    const m = method[node]!;
    const until = coveredUntil[m]!;
    const row = m & ~((node - until) >> 31);
    coveredUntil[m] = Math.max(until, subtreeEnd[node]!);
    count[row]! += totalCount[node]!;
    if (weight !== null) weight[row]! += totalWeight[node]!;
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
