// Sums of samples at or below a node, each by two look-ups: amounts stand in depth-first order, so that a subtree's are consecutive.
import type { Amount, Analysis } from '../analysis.ts';
import { stretchOf } from '../stretches.ts';

export type SumsBelow = (node: number) => Amount;

/** Of the chosen cells of the analysis' metric. Nodes are mostly asked for in ascending order. */
export function sumsOfCells({ profile, selection, stretches }: Analysis, chosen: Uint8Array): SumsBelow {
  const { weight, count, length } = profile.cells[selection.metric]!;
  const { subtreeEnd } = profile.tree;
  const { ends, firstCell } = stretches;
  const before = (column: Float64Array) => {
    const sums = new Float64Array(length + 1);
    for (let i = 0; i < length; i++) sums[i + 1] = sums[i]! + (chosen[i] === 1 ? column[i]! : 0);
    return sums;
  };
  const counts = before(count);
  const weights = weight === count ? counts : before(weight);
  // All nodes of a stretch have the same sum.
  let [first, last] = [0, -1];
  let sum: Amount = { weight: 0, count: 0 };
  return node => {
    if (node >= first && node <= last) return sum;
    const at = stretchOf(stretches, node);
    first = node;
    last = ends[at]!;
    const from = firstCell[at]!;
    const to = firstCell[stretchOf(stretches, subtreeEnd[node]!)]!;
    sum = { weight: weights[to]! - weights[from]!, count: counts[to]! - counts[from]! };
    return sum;
  };
}

/** Of chosen cells as if each stood at another node: at[node] of its own, none where that is −1. */
export function sumsOfMovedCells({ profile, selection }: Analysis, chosen: Uint8Array, at: Int32Array): SumsBelow {
  const cells = profile.cells[selection.metric]!;
  const { subtreeEnd, length } = profile.tree;
  const before = (column: Float64Array) => {
    const sums = new Float64Array(length + 1);
    for (let i = 0; i < cells.length; i++) {
      const node = chosen[i] === 1 ? at[cells.node[i]!]! : -1;
      if (node >= 0) sums[node + 1]! += column[i]!;
    }
    for (let node = 0; node < length; node++) sums[node + 1]! += sums[node]!;
    return sums;
  };
  const counts = before(cells.count);
  const weights = cells.weight === cells.count ? counts : before(cells.weight);
  return node => ({
    weight: weights[subtreeEnd[node]!]! - weights[node]!,
    count: counts[subtreeEnd[node]!]! - counts[node]!,
  });
}
