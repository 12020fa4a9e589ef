// The self time on each line of each method, in one pass over the cells: looked up where the lines of a method are asked for.
import type { Analysis } from './analysis.ts';
import type { LineAndAmount } from './around-method.ts';
import type { MethodTimes } from './method-times.ts';
import { forEachCellInScope, type MethodSet } from './node-walks.ts';

/** Lines that were seen in each method, ascending: the lines of row m are line[offset[m]] … line[offset[m+1]−1]. */
export type SeenLines = { readonly offset: Int32Array; readonly line: Int32Array };

/** Per row of `seen`: samples with the method innermost, executing the line. Lines that `seen` lacks are left out. O(cells · log of the lines of a method). */
export function selfLineAmounts(a: Analysis, seen: SeenLines): MethodTimes {
  const count = new Float64Array(seen.line.length);
  const weight = a.totalWeight === a.totalCount ? count : new Float64Array(count.length);
  const { node } = a.profile.cells[a.selection.metric]!;
  const { method } = a.profile.tree;
  forEachCellInScope(a, (line, ownWeight, ownCount, cell) => {
    const row = rowOf(seen, method[node[cell]!]!, line);
    if (row < 0) return;
    count[row]! += ownCount;
    if (weight !== count) weight[row]! += ownWeight;
  });
  return { weight, count };
}

function rowOf({ offset, line }: SeenLines, method: number, executed: number): number {
  const end = offset[method + 1]!;
  let low = offset[method]!;
  for (let high = end; low < high; ) {
    const middle = (low + high) >> 1;
    if (line[middle]! < executed) low = middle + 1;
    else high = middle;
  }
  return executed > 0 && low < end && line[low] === executed ? low : -1;
}

/** Lines on which any of the methods was itself running, ascending. */
export function selfLinesOf(
  { offset, line }: SeenLines,
  { weight, count }: MethodTimes,
  set: MethodSet,
): LineAndAmount[] {
  const sums = new Map<number, { weight: number; count: number }>();
  for (const method of set) {
    for (let row = offset[method]!; row < offset[method + 1]!; row++) {
      if (weight[row] === 0 && count[row] === 0) continue;
      const sum = sums.get(line[row]!) ?? { weight: 0, count: 0 };
      sum.weight += weight[row]!;
      sum.count += count[row]!;
      sums.set(line[row]!, sum);
    }
  }
  return Array.from(sums, ([at, amount]) => ({ line: at, amount })).sort((x, y) => x.line - y.line);
}
