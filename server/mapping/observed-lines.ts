// Membership of observed lines in the line sets of declarations.
import { lineAt } from '../../grammar/lines.ts';
import type { Declaration, Outline } from '../../grammar/outline.ts';

/** Inclusive pairs of lines. */
export type LineRanges = readonly (readonly [first: number, last: number])[];

export function inRanges(ranges: LineRanges, line: number): boolean {
  for (const [first, last] of ranges) if (first <= line && line <= last) return true;
  return false;
}

/** Whether a declaration's own code stands on the line. */
export function hasLine(declaration: Declaration, line: number): boolean {
  for (const [first, last] of declaration.lines) if (line >= first && line <= last) return true;
  return false;
}

/** How many of the lines lie in the declaration's own code. */
export function countLines(declaration: Declaration, lines: readonly number[]): number {
  let count = 0;
  for (const line of lines) if (hasLine(declaration, line)) count++;
  return count;
}

/** The rows that hold most of the lines; all rows when there are no lines or none of them holds any. */
export function bestByLines(
  declarations: readonly Declaration[],
  rows: readonly number[],
  lines: readonly number[],
): { readonly rows: readonly number[]; readonly hits: number } {
  if (lines.length === 0) return { rows, hits: 0 };
  let best: number[] = [];
  let hits = 0;
  for (const row of rows) {
    const count = countLines(declarations[row]!, lines);
    if (count === 0 || count < hits) continue;
    if (count > hits) best = [];
    hits = count;
    best.push(row);
  }
  return { rows: hits === 0 ? rows : best, hits };
}

/** 1-based line of an offset. */
export function lineOf({ lineStarts }: Pick<Outline, 'lineStarts'>, offset: number): number {
  return lineAt(lineStarts, offset);
}

/** Of a 0-based line and UTF-16 character. Clamped to the text: askers may mean a place beyond it. */
export function offsetAt(
  { lineStarts }: Pick<Outline, 'lineStarts'>,
  length: number,
  position: { readonly line: number; readonly character: number },
): number {
  const start = lineStarts[position.line];
  if (start === undefined) return length;
  const next = lineStarts[position.line + 1] ?? length + 1;
  return Math.min(start + position.character, next - 1);
}
