// How far lines are indented: what tells members apart where braces do not match.
import { isLineBreak, lineStartOf } from './lines.ts';

const TAB = 8;

/** Column of the first character of the line that holds `offset`. */
export function marginAt(text: string, offset: number): number {
  return columnOf(text, lineStartOf(text, offset));
}

/** Column of the first character of a line that is no white space; a tab reaches to the next multiple of eight. */
function columnOf(text: string, lineStart: number): number {
  let column = 0;
  for (let i = lineStart; ; i++) {
    const c = text[i];
    if (c === ' ') column++;
    else if (c === '\t') column += TAB - (column % TAB);
    else return column;
  }
}

/** Whether only white space stands in front of an offset on its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  let i = offset - 1;
  while (i >= 0 && (text[i] === ' ' || text[i] === '\t')) i--;
  return i < 0 || isLineBreak(text.charCodeAt(i));
}
