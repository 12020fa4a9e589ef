// Draws the lines of a Java file with their hints in one column behind them, and chooses the lines around hints.
import type { InferOutput } from 'valibot';
import { printable } from '../base/printable.ts';
import { type Piece, type Styled, styled } from '../base/terminal.ts';
import type { annotatedFile } from '../features/answers/annotated-file.ts';
import { colouredChange } from './output.ts';

/** Hints stand in one column behind most lines, further right behind longer ones. */
const HINT_COLUMN = 88;

/** Spaces before a hint, at least. */
const GAP = 2;

/** Lines before and behind a line with a hint that are shown with it. */
const AROUND = 3;

/** Source is never cut to less, however narrow the terminal is. */
const LEAST_SOURCE = 12;

/** From cold to hot; a hint's heat falls into one of five equal steps of its square root, as small shares are the many. */
const HEAT_STYLES = ['gray', 'cyan', 'yellow', ['yellow', 'bold'], ['red', 'bold']] as const;

type Row = readonly Piece[];

type Hint = Pick<InferOutput<typeof annotatedFile.result>['rows'][number], 'line' | 'hint' | 'heat' | 'change'>;

/**
 * One row a line.
 * @param columns characters of a row: source that does not fit is cut at its end, hints never are
 */
export function annotatedRows(text: string, hints: readonly Hint[], columns = Number.POSITIVE_INFINITY): Row[] {
  const byLine = new Map(hints.map(hint => [hint.line, hint]));
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  const digits = String(lines.length).length;
  const room = columns - digits - ' │ '.length;
  const lengthOf = ({ hint, change }: Hint) => hint.length + (change === null ? 0 : 1 + change.text.length);
  const widest = Math.max(0, ...hints.map(lengthOf));
  const column = Math.min(HINT_COLUMN, room - widest);
  return lines.map((source, i) => {
    const number = styled('dim', `${String(i + 1).padStart(digits)} │`);
    const shown = printable(source.replaceAll('\t', '    '));
    const hint = byLine.get(i + 1);
    if (hint === undefined) return [number, ` ${cut(shown, room)}`.trimEnd()];
    const { change } = hint;
    const fitting = cut(shown, room - lengthOf(hint) - GAP);
    const space = ' '.repeat(Math.max(GAP, column - fitting.length));
    return [number, ` ${fitting}${space}`, heated(hint), ...(change === null ? [] : [' ', colouredChange(change)])];
  });
}

/** Of the rows of a file those near a hint; a mark stands where others are left out. */
export function rowsAround(rows: readonly Row[], hints: readonly Hint[]): Row[] {
  if (hints.length === 0) return [];
  const isNear = rows.map((_, i) => hints.some(({ line }) => Math.abs(line - (i + 1)) <= AROUND));
  const mark = styled('dim', `${' '.repeat(String(rows.length).length)} ⋮`);
  return rows.flatMap((row, i) => (isNear[i] ? [row] : i === 0 || isNear[i - 1] ? [[mark]] : []));
}

function cut(source: string, fitting: number): string {
  const most = Math.max(LEAST_SOURCE, fitting);
  return source.length <= most ? source : `${source.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function heated({ heat, hint }: Hint): Styled {
  const step = Math.min(HEAT_STYLES.length - 1, Math.floor(Math.sqrt(heat) * HEAT_STYLES.length));
  return styled([...[HEAT_STYLES[step] ?? 'gray'].flat()], hint);
}
