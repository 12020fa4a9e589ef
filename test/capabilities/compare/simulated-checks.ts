// Checks of simulated JVMs, whose rows differ between JVMs and grew by known amounts.
import { decideGate, FOUR_LOOKS, type Gate, ONE_LOOK } from '../../../server/capabilities/compare/gate.ts';
import { type PermutationTest, testRows } from '../../../server/capabilities/compare/permutation-test.ts';
import { roundDeviations } from '../../../server/capabilities/compare/turns.ts';

/** Parts of everything. */
type SimulatedRow = {
  /** The standard deviation between JVMs of one side. */
  readonly deviation: number;
  readonly growth: number;
};

export type SimulatedCheck = {
  readonly rows: readonly SimulatedRow[];
  readonly limit: number;
  /** JVMs a side after which is looked; several are planned. */
  readonly looks: readonly number[];
  /** JVMs ran in turns: what both of a round have in common, as the standard deviation of a part of everything. 0 where they did not. */
  readonly ofRounds?: number;
};

/** So many rows that are alike. */
export function alike(rows: number, row: SimulatedRow): SimulatedRow[] {
  return Array.from({ length: rows }, () => row);
}

/**
 * The first end other than undecided.
 * @param normal gives normally distributed numbers.
 * @param isPermuted whether labels are exchanged, which takes long: without it no check fails.
 */
export function endOfCheck(
  { rows, limit, looks, ofRounds = 0 }: SimulatedCheck,
  normal: () => number,
  isPermuted: boolean,
): Gate['end'] {
  const most = looks.at(-1)!;
  const common = Array.from({ length: most }, () => (ofRounds > 0 ? ofRounds * normal() : 0));
  const side = (isNow: boolean) =>
    rows.map(({ deviation, growth }) => common.map(round => round + deviation * normal() + (isNow ? growth : 0)));
  const [before, now] = [side(false), side(true)];
  for (const jvms of looks) {
    const values = before.map((row, at) => [row.slice(0, jvms), now[at]!.slice(0, jvms)] as const);
    const given = { values: Float64Array.from(values.flat(2)), rows: rows.length, jvms: [jvms, jvms] } as const;
    const test = isPermuted ? testRows(given) : untested(values);
    const { end } = decideGate(
      test,
      [jvms, jvms],
      limit,
      { isLooked: () => true, roundDeviations: ofRounds > 0 ? deviationsOf(values) : null },
      looks.length > 1 ? FOUR_LOOKS : ONE_LOOK,
    );
    if (end !== 'undecided') return end;
  }
  return 'undecided';
}

/** Of the differences within rounds, by row. */
function deviationsOf(values: readonly Sides[]): Float64Array {
  const columns = [0, 1].flatMap(side =>
    values[0]![side as 0 | 1].map((_, jvm) => Float64Array.from(values, row => row[side as 0 | 1][jvm]!)),
  );
  const jvms = columns.length / 2;
  const rounds = Array.from({ length: jvms }, (_, round) => [round, jvms + round] as const);
  return roundDeviations(columns, [...values.keys()], rounds);
}

type Sides = readonly [before: readonly number[], now: readonly number[]];

/** A test without evidence, as the bounds of rows need it. */
function untested(values: readonly Sides[]): PermutationTest {
  const rows = values.map(([before, now]) => {
    const deviation = Math.sqrt((variance(before) + variance(now)) / 2);
    return { difference: mean(now) - mean(before), p: 1, error: deviation, deviation };
  });
  return { rows, critical: Number.POSITIVE_INFINITY };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, each) => sum + (each - middle) ** 2, 0) / (values.length - 1);
}
