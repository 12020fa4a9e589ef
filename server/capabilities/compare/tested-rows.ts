// Rows with a value in each JVM of two sides, such as methods or contexts, tested as one family.
import type { Pause } from '../../base/pause.ts';
import { isDirected, type Verdict } from '../../model/verdict.ts';
import { verdictOf } from './judge.ts';
import { type PermutationTest, testRows } from './permutation-test.ts';

/** A tested row. Values are parts of everything before: means over the JVMs of each side. */
export type TestedValue = {
  readonly before: number;
  readonly now: number;
  /** Half the width of the interval of the difference that holds for all rows at once, in 95 % of the comparisons. */
  readonly margin: number;
  /** Standard deviation between JVMs of one side. */
  readonly deviation: number;
  /** Adjusted for all rows of its family. */
  readonly p: number;
  readonly verdict: Verdict;
};

export type TestedMethod = TestedValue & {
  /** Label of the method in the comparison. */
  readonly label: number;
  readonly of: 'total' | 'self';
};

export type TestedColumns = {
  /** The family of methods, and the test's own numbers of its rows in the same order. */
  readonly methods: readonly TestedMethod[];
  readonly methodTest: PermutationTest;
  /** By row of the test: `roundDeviations` of JVMs that ran in turns, else null. */
  readonly roundDeviations: Float64Array | null;
  /** For each JVM, by label: parts of everything with all that is called, then own ones. */
  readonly columns: readonly Float64Array[];
  /** Tested rows of the columns. */
  readonly rows: readonly number[];
};

/** JVMs of each side. */
export function sizesOf(jvms: readonly { readonly side: 0 | 1 }[]): readonly [before: number, now: number] {
  const before = jvms.filter(({ side }) => side === 0).length;
  return [before, jvms.length - before];
}

/** Rows with a smaller part of everything are not tested. They are chosen by both sides together, never by their difference. */
const LEAST_SHARE = 0.001;

/** Tests chosen rows of columns with a value per JVM. */
export function testColumns(
  columns: readonly (Float64Array | Float32Array)[],
  rows: readonly number[],
  sizes: readonly [number, number],
  pause: Pause,
): { readonly test: PermutationTest; readonly values: readonly TestedValue[] } {
  const all = columns.length;
  const values = new Float64Array(rows.length * all);
  for (const [at, row] of rows.entries())
    for (const [jvm, column] of columns.entries()) values[at * all + jvm] = column[row]!;
  const test = testRows({ values, rows: rows.length, jvms: sizes }, pause);
  return {
    test,
    values: test.rows.map((row, at) => {
      const own = values.subarray(at * all, (at + 1) * all);
      const before = mean(own.subarray(0, sizes[0]));
      const now = mean(own.subarray(sizes[0]));
      const { deviation, p, error } = row;
      return { before, now, margin: test.critical * error, deviation, p, verdict: verdictOf(test, row, [before, now]) };
    }),
  };
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Rows whose mean over all JVMs is large enough. */
export function largeRows(
  columns: readonly (Float64Array | Float32Array)[],
  isCandidate: (row: number) => boolean,
): number[] {
  const sums = new Float64Array(columns[0]!.length);
  for (const column of columns) for (let row = 0; row < sums.length; row++) sums[row]! += Math.abs(column[row]!);
  const rows: number[] = [];
  for (const [row, sum] of sums.entries()) if (sum >= LEAST_SHARE * columns.length && isCandidate(row)) rows.push(row);
  return rows;
}

/** A direction counts where the other verdict has it too. */
export function agreeing(verdict: Verdict, other: Verdict): Verdict {
  if (!isDirected(verdict) || verdict === other) return verdict;
  return other === 'same' ? 'same' : 'cannotTell';
}
