// Amounts of one JVM as parts of everything before: of nodes, and of methods by their labels in a comparison.
import { PARTIAL_METHOD, ROOT_METHOD } from '../../cct/profile.ts';
import type { Analysis } from '../../metrics/analysis.ts';
import { methodTimes, selfTimes } from '../../metrics/method-times.ts';
import { forEachRun } from '../../metrics/scope.ts';
import { comparedSide, ownByNode } from './compared-side.ts';

export type Jvm = {
  readonly analysis: Analysis;
  readonly side: 0 | 1;
  /** Amounts are divided by it. */
  readonly divisor: number;
  /** Per node: what its own amount is multiplied by first; null for 1. */
  readonly factors: Float64Array | null;
};

/** Per side and method row: the label of the method in the comparison. */
export type Labels = readonly [first: Int32Array, second: Int32Array];

/** Of each node with all that it calls, and of everything. */
export function amountsOf(jvm: Jvm, labels: Labels): { readonly total: Float64Array; readonly whole: number } {
  const { analysis, side, divisor, factors } = jvm;
  if (factors !== null) return scaled(jvm, factors);
  const { total, whole } = comparedSide(analysis, labels[side]);
  return { total: total.map(amount => amount / divisor), whole: whole / divisor };
}

/** Per label: the time with all that is called, then own times, which begin at `count`. The root stands for everything. */
export function methodColumn(jvm: Jvm, labels: Labels, count: number): Float64Array {
  const { analysis, side, divisor, factors } = jvm;
  const column = new Float64Array(2 * count);
  if (factors === null) {
    const [total, self] = [methodTimes(analysis).weight, selfTimes(analysis).weight];
    for (let row = PARTIAL_METHOD + 1; row < total.length; row++) {
      const label = labels[side][row]!;
      column[label]! += total[row]! / divisor;
      column[count + label]! += self[row]! / divisor;
    }
    column[ROOT_METHOD] = analysis.whole.weight / divisor;
    return column;
  }
  const { tree } = analysis.profile;
  const { total, whole, own } = scaled(jvm, factors);
  const coveredUntil = new Int32Array(count);
  forEachRun(analysis.runs, (from, to) => {
    for (let node = Math.max(1, from); node < to; node++) {
      if (tree.method[node]! <= PARTIAL_METHOD) continue;
      const label = labels[side][tree.method[node]!]!;
      column[count + label]! += own[node]!;
      if (node >= coveredUntil[label]!) {
        column[label]! += total[node]!;
        coveredUntil[label] = tree.subtreeEnd[node]!;
      }
    }
  });
  column[ROOT_METHOD] = whole;
  return column;
}

function scaled({ analysis, divisor }: Jvm, factors: Float64Array) {
  const { tree } = analysis.profile;
  const own = ownByNode(analysis);
  const total = new Float64Array(own.length);
  let [plain, sum] = [0, 0];
  forEachRun(analysis.runs, (from, to) => {
    for (let node = from; node < to; node++) {
      plain += own[node]!;
      total[node] = (own[node]! * factors[node]!) / divisor;
      sum += total[node]!;
    }
  });
  const scaledOwn = total.slice();
  for (let node = own.length - 1; node > 0; node--) total[tree.parent[node]!]! += total[node]!;
  // The amount that no context has is scaled as the contexts are.
  return { total, own: scaledOwn, whole: plain > 0 ? (analysis.whole.weight * sum) / plain : 0 };
}
