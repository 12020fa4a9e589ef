// The meaning of a test over JVMs: a verdict for each row, and how many JVMs are missing for one.
import type { Verdict } from '../../model/verdict.ts';
import { ALPHA, isTestable, LEAST_JVMS, type PermutationTest, type TestedRow } from './permutation-test.ts';

/** As a part of everything: smaller differences matter to nobody. */
const LEAST_DIFFERENCE = 0.01;
/** As a part of the larger side. */
const LEAST_RELATIVE = 0.1;
/** How far the means of both groups must lie apart to matter. Values are parts of everything. */
function mattersFrom(before: number, now: number): number {
  return Math.max(LEAST_DIFFERENCE, LEAST_RELATIVE * Math.max(before, now));
}

/** @param means of both groups, as parts of everything. */
export function verdictOf(
  test: PermutationTest,
  row: TestedRow,
  means: readonly [before: number, now: number],
): Verdict {
  return verdictBeyond(test, row, mattersFrom(...means));
}

/** @param least the difference that matters, in the unit of the values. */
export function verdictBeyond(test: PermutationTest, row: TestedRow, least: number): Verdict {
  const size = Math.abs(row.difference);
  if (row.p <= ALPHA && size >= least) return row.difference > 0 ? 'slower' : 'faster';
  return size + test.critical * row.error <= least ? 'same' : 'cannotTell';
}

/** How many JVMs each side lacks before a test with this level can find anything: as few as possible, evenly. */
export function missingForTest([first, second]: readonly [number, number], alpha: number): readonly [number, number] {
  for (let more = 0; ; more++) {
    const ways = Array.from({ length: more + 1 }, (_, ofFirst) => [ofFirst, more - ofFirst] as const);
    const enough = ways.filter(([a, b]) => isTestable([first + a, second + b], alpha));
    const difference = ([a, b]: readonly [number, number]) => Math.abs(first + a - second - b);
    if (enough.length > 0) return enough.reduce((best, way) => (difference(way) < difference(best) ? way : best));
  }
}

/** `not tested: 1 JVM before, 2 now; a test needs at least 3 + 4`, as words for a person. */
export function tooFewText([first, second]: readonly [number, number], alpha: number): string {
  const [a, b] = missingForTest([first, second], alpha);
  const missing = [a > 0 ? `${a} before` : '', b > 0 ? `${b} now` : ''].filter(text => text !== '').join(', ');
  return `${jvmsText(first)} before, ${second} now: not tested, ${missing} missing (at least ${LEAST_JVMS} a side)`;
}

function jvmsText(count: number): string {
  return count === 1 ? '1 JVM' : `${count} JVMs`;
}
