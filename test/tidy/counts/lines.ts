// Count: lines of the program, empty ones and comments included.
import type { TidyFile } from '../files.ts';
import { type Counted, isProgram } from './count.ts';

/** All lines of .ts and .cjs files; the longest files first. */
export function countLines(files: readonly TidyFile[]): Counted {
  const lengths = files.filter(isProgram).map(({ path, text }) => ({ path, lines: linesOf(text) }));
  return {
    total: lengths.reduce((sum, { lines }) => sum + lines, 0),
    places: lengths
      .toSorted((a, b) => b.lines - a.lines)
      .map(({ path, lines }) => ({ path, line: 1, message: `${lines} lines` })),
  };
}

function linesOf(text: string): number {
  const breaks = text.split('\n').length - 1;
  return text.endsWith('\n') || text === '' ? breaks : breaks + 1;
}
