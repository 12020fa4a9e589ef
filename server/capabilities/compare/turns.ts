// JVMs that ran in turns: what changes on a machine meets both JVMs of a round alike, so that their difference has less of it.
import type { Analysis } from '../../metrics/analysis.ts';

/** Positions of two JVMs, one of each side, that ran one after the other. */
type Round = readonly [before: number, now: number];

/**
 * The rounds of JVMs that ran one at a time, the first and the second, the third and the fourth, … of which are one of each side. null
 * of any others, such as JVMs that ran beside each other, or of which times are not known. The amounts have no part in it.
 */
export function roundsOf(jvms: readonly { readonly analysis: Analysis; readonly side: 0 | 1 }[]): Round[] | null {
  const turns = jvms.map(({ analysis, side }, at) => ({ at, side, ...spanOf(analysis) }));
  turns.sort((a, b) => a.from - b.from);
  if (turns.some(({ from }, at) => at > 0 && !(from > turns[at - 1]!.from && from >= turns[at - 1]!.to))) return null;
  const rounds: Round[] = [];
  for (let at = 0; at < turns.length; at += 2) {
    const [first, second] = [turns[at]!, turns[at + 1]];
    if (second === undefined || first.side === second.side) return null;
    rounds.push(first.side === 0 ? [first.at, second.at] : [second.at, first.at]);
  }
  return rounds;
}

function spanOf({ profile, selection }: Analysis): { readonly from: number; readonly to: number } {
  const chosen = profile.windows.filter((_, row) => selection.windows === undefined || selection.windows[row] === 1);
  return {
    from: Math.min(...chosen.map(({ startMillis }) => startMillis)),
    to: Math.max(...chosen.map(({ endMillis }) => endMillis)),
  };
}

/** By row: the standard deviation of the differences within rounds. @param columns with a value per JVM. */
export function roundDeviations(
  columns: readonly Float64Array[],
  rows: readonly number[],
  rounds: readonly Round[],
): Float64Array {
  return Float64Array.from(rows, row => {
    const differences = rounds.map(([before, now]) => columns[now]![row]! - columns[before]![row]!);
    const mean = differences.reduce((sum, each) => sum + each, 0) / rounds.length;
    const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
    return Math.sqrt(squares / (rounds.length - 1));
  });
}
