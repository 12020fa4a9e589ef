// A check that fails a build: an intersection–union test over rows, at one look or at looks that are fixed beforehand.
import type { PermutationTest, TestedRow } from './permutation-test.ts';
import { upperPoint } from './student.ts';

/** Forks a side after which a planned check looks. */
export const LOOKS = [5, 10, 15, 20] as const;

/** The probabilities of a wrong end that a check allows. */
type Levels = {
  /** That it passes although one row grew by just the limit. */
  readonly pass: number;
  /** That it fails although no row grew: adjusted for all rows. */
  readonly fail: number;
};

export const ONE_LOOK: Levels = { pass: 0.05, fail: 0.01 };

/**
 * The same for each of four looks, of which the first that decides ends the check: Pocock's constants (Group sequential methods in the
 * design and analysis of clinical trials, 1977), with which the four together have the levels of one look.
 */
export const FOUR_LOOKS: Levels = { pass: 0.0194, fail: 0.0033 };

/** `failed`: a row grew by more than the limit. `passed`: no row did. `undecided`: the test cannot tell. */
export type Gate = {
  readonly end: 'failed' | 'passed' | 'undecided';
  /** The rows that hold the end: rows that grew, or rows that may have grown; the largest first. */
  readonly rows: readonly GateRow[];
};

type GateRow = {
  /** Of the test. */
  readonly row: number;
  /** The largest growth that the row's own bound does not exclude, as a part of everything. */
  readonly atMost: number;
};

type GateRows = {
  readonly isLooked: (row: number) => boolean;
  readonly mayFail?: (row: number) => boolean;
  /**
   * Of JVMs that ran in turns, by row: the standard deviation of the differences within rounds, by which the bounds are. Then what changes
   * on the machine from round to round is no part of them.
   */
  readonly roundDeviations?: Float64Array | null;
};

/**
 * The end of a check. It passes where the bound of *each* row stays below the limit: for a wrong pass the one row that grew has to be
 * missed, whatever the others do, so that the bounds need no correction for the number of rows. It fails by the test of all rows.
 * @param limit as a part of everything. @param rows which rows count, and which of them may fail the check.
 */
export function decideGate(
  test: PermutationTest,
  [first, second]: readonly [number, number],
  limit: number,
  { isLooked, mayFail = isLooked, roundDeviations = null }: GateRows,
  levels = ONE_LOOK,
): Gate {
  const point =
    roundDeviations === null
      ? upperPoint(levels.pass, first + second - 2) * Math.sqrt(1 / first + 1 / second)
      : upperPoint(levels.pass, first - 1) / Math.sqrt(first);
  const atMost = (row: number) => {
    const { difference, deviation } = test.rows[row]!;
    return difference + point * (roundDeviations?.[row] ?? deviation);
  };
  const rowsWhere = (holds: (tested: TestedRow, row: number) => boolean): GateRow[] =>
    test.rows
      .flatMap((tested, row) => (isLooked(row) && holds(tested, row) ? [{ row, atMost: atMost(row) }] : []))
      .sort((a, b) => test.rows[b.row]!.difference - test.rows[a.row]!.difference);
  const grown = rowsWhere(({ difference, p }) => difference > limit && p <= levels.fail).filter(({ row }) =>
    mayFail(row),
  );
  if (grown.length > 0) return { end: 'failed', rows: grown };
  const open = rowsWhere((_, row) => atMost(row) >= limit);
  return { end: open.length > 0 ? 'undecided' : 'passed', rows: open };
}
