// Method and self values of every method at once, and the hottest of them.
import { PARTIAL_METHOD, ROOT_METHOD } from '../cct/profile.ts';
import type { Amount, Analysis } from './analysis.ts';
import { forEachCellInScope } from './node-walks.ts';
import { outermostSums, type Sums } from './outermost-sums.ts';
import { forEachRun } from './scope.ts';
import { stretchOf } from './stretches.ts';

/** One value a method row. */
export type MethodTimes = Sums;

/** M(m) of every method row in one pass, recursion counted once. */
export function methodTimes(a: Analysis): MethodTimes {
  const { tree, methods } = a.profile;
  // Without a focus the index knows which nodes are outermost; a cut tree has outermost nodes of its own.
  const isCut = a.selection.focus !== undefined;
  const sums = isCut ? outermostSums(a, tree.method, methods.length, a.runs) : knownOutermostSums(a);
  sums.count[ROOT_METHOD] = a.totalCount[0]!;
  sums.weight[ROOT_METHOD] = a.totalWeight[0]!;
  return sums;
}

function knownOutermostSums(a: Analysis): MethodTimes {
  const { length } = a.profile.methods;
  // Both sums of a method stand side by side: adding to them is one look into memory.
  const sums = new Float64Array(length * (a.totalWeight === a.totalCount ? 1 : 2));
  forEachRun(a.runs, (from, to) => addKnownOutermost(sums, a, from, to));
  if (a.totalWeight === a.totalCount) return { weight: sums, count: sums };
  const [count, weight] = [new Float64Array(length), new Float64Array(length)];
  for (let m = 0; m < length; m++) {
    count[m] = sums[2 * m]!;
    weight[m] = sums[2 * m + 1]!;
  }
  return { weight, count };
}

/**
 * Whether a method recurs is guessed wrongly so often that a branch costs more than adding what recurs to the root's row, which is
 * that of one node and is put right at the end. A function of its own, of which all variables fit into registers.
 */
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
    // A subtree without samples of this metric is passed over.
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

/** Samples with the method innermost, for every method row. */
export function selfTimes(a: Analysis): MethodTimes {
  const { method } = a.profile.tree;
  const { node } = a.profile.cells[a.selection.metric]!;
  const count = new Float64Array(a.profile.methods.length);
  const weight = a.totalWeight === a.totalCount ? count : new Float64Array(count.length);
  forEachCellInScope(a, (_, ownWeight, ownCount, row) => {
    const m = method[node[row]!]!;
    count[m]! += ownCount;
    if (weight !== count) weight[m]! += ownWeight;
  });
  return { weight, count };
}

export type HotMethod = { readonly method: number; readonly total: Amount; readonly self: Amount };

export function amountAt({ weight, count }: MethodTimes, method: number): Amount {
  return { weight: weight[method]!, count: count[method]! };
}

/** Values of all methods, where they are known. */
type AllTimes = { readonly total: MethodTimes; readonly self: MethodTimes };

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
    total: amountAt(total, method),
    self: amountAt(self, method),
  }));
}
