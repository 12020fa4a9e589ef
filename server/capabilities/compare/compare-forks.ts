// Whether a benchmark became slower or faster between two commits, tested over their forks.

import type { Verdict } from '../../model/verdict.ts';
import { verdictBeyond } from './judge.ts';
import { ALPHA, isTestable, testRows } from './permutation-test.ts';

/** Verdicts as of all comparisons over JVMs. Change: a part of the earlier side, 0.1 is 10 % slower. */
export type ForkComparison = {
  readonly verdict: Verdict;
  readonly change: number;
  /** The part of all relabellings of forks that differ as much; NaN where it is not tested. */
  readonly p: number;
  /** The change is between `change` − margin and `change` + margin in 95 % of the comparisons; NaN where it is not tested. */
  readonly margin: number;
  readonly forks: readonly [before: number, after: number];
};

/** @param least the change, as a part of the larger side, that matters */
export function compareForks(before: readonly number[], after: readonly number[], least: number): ForkComparison {
  const [first, second] = [meanOf(before), meanOf(after)];
  const change = first > 0 ? second / first - 1 : 0;
  const forks = [before.length, after.length] as const;
  if (!isTestable(forks, ALPHA)) return { verdict: 'notTested', change, p: Number.NaN, margin: Number.NaN, forks };
  const test = testRows({ values: Float64Array.from([...before, ...after]), rows: 1, jvms: forks });
  const row = test.rows[0]!;
  const verdict = verdictBeyond(test, row, least * Math.max(first, second));
  return { verdict, change, p: row.p, margin: (test.critical * row.error) / first, forks };
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
