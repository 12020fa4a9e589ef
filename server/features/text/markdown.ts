// Puts text that comes from elsewhere into Markdown, so that it shows as it is and never becomes a link, a picture or a mark.
import { printableLine, printableName } from '../../base/printable.ts';

/** Everything that means something within a line of Markdown, and what turns an address into a link by itself. */
const MARKS = /[\\`*_[\]<>&|~!]|:(?=\/\/)|(?<=\bwww)\.|@/gi;
/** Marks that make a heading, a list or a rule of a line that begins with them. */
const LINE_MARKS = /^(\s*)([#+=-]|\d+(?=[.)]))/;

/** Plain text within a line of Markdown that shows just that; line breaks become spaces, see also `printableLine`. */
export function escapeInline(text: string): string {
  return printableLine(text.replaceAll(/[\r\n]+/g, ' ')).replaceAll(MARKS, String.raw`\$&`);
}

/** The same for text that a line of Markdown may begin with. */
export function escapeMarkdown(text: string): string {
  return escapeInline(text).replace(LINE_MARKS, (_, space: string, mark: string) =>
    /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
  );
}

/** A name as a code span; backticks cannot stand in one. */
export function code(text: string): string {
  return `\`${printableName(text.replaceAll('`', "'").replaceAll(/[\r\n]+/g, ' ')) || ' '}\``;
}

/** A name as code in a table, where a bar ends the cell even within a code span, and readers differ in how it is escaped there. */
export function codeInCell(text: string): string {
  const name = printableName(text.replaceAll(/[\r\n]+/g, ' '));
  return /[|\\]/.test(name) ? `<code>${escapeInline(name)}</code>` : code(name);
}

/** A row of a table; cells are Markdown of one line. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The line below a table's head. */
export function tableRule(areNumbers: readonly boolean[]): string {
  return tableRow(areNumbers.map(isNumber => (isNumber ? '---:' : '---')));
}

/** Rows of a list: of a long one the first, and how many are left out. `text` is asked for rows that are shown. */
export function listRows<T>(rows: readonly T[], most: number, text: (row: T) => string): string[] {
  const more = rows.length - most;
  return [...rows.slice(0, most).map(row => `- ${text(row)}`), ...(more > 0 ? [`- and ${more} more`] : [])];
}

/** Markdown of ours without its marks, with escaped text as it was; links become their texts, rows of tables lines. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^\|(?: --- \|)+\n/gm, '')
    .replaceAll(/^\|(.*)\|$/gm, (_, row: string) =>
      row
        .split(/(?<!\\)\|/)
        .map(cell => cell.trim())
        .filter(cell => cell !== '')
        .join(' · '),
    )
    .replaceAll(/\[((?:[^\]\\]|\\.)*)\]\(<[^>]*>\)/g, '$1')
    .replaceAll(/ {2}$/gm, '')
    .replaceAll(/^\*(?!\*)(.*)\*$/gm, '$1')
    .replaceAll(/`([^`]*)`|\\([!-/:-@[-`{-~])|\*\*/g, (_, span?: string, escaped?: string) => span ?? escaped ?? '');
}
