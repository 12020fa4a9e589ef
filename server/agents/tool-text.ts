// An answer within the limits of a tool: at most 60 rows and 24 KB, as data and as Markdown.

import type { Answer } from '../features/answers/answer.ts';
import { type Data, factLines, isData, originText, tableOf } from '../features/answers/answer-text.ts';

const MOST_ROWS = 60;
/** Of the JSON text, and of the Markdown. */
const MOST_BYTES = 24 * 1024;

/** Rows that do not fit are counted in `leftOut`. */
export function withinLimits(answer: Answer, whole: Data): { readonly value: Data; readonly text: string } {
  const { rows } = whole;
  let fitting = Array.isArray(rows) ? Math.min(rows.length, MOST_ROWS) : 0;
  for (;;) {
    const value = Array.isArray(rows) ? cut(whole, rows, fitting) : whole;
    const text = markdownOf(answer, value);
    if (fitting === 0 || (bytesOf(JSON.stringify(value)) <= MOST_BYTES && bytesOf(text) <= MOST_BYTES))
      return { value, text };
    fitting = Math.floor(fitting * 0.8);
  }
}

function cut(whole: Data, rows: readonly unknown[], fitting: number): Data {
  const more = rows.length - fitting;
  const { leftOut } = whole;
  return { ...whole, rows: rows.slice(0, fitting), leftOut: (typeof leftOut === 'number' ? leftOut : 0) + more };
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

function markdownOf({ title }: Answer, { rows, origin, leftOut, total, ...others }: Data): string {
  const parts = [
    `**${title}**`,
    ...(isData(origin) ? [originText(origin)] : []),
    ...factLines(others).map(([name, text]) => `- ${name}: ${escaped(text)}`),
    ...(Array.isArray(rows) ? [tableText(rows.filter(isData))] : []),
    ...(typeof leftOut === 'number' && leftOut > 0 ? [`${leftOut} of ${total} rows are left out.`] : []),
  ];
  return parts.join('\n\n');
}

function tableText(rows: readonly Data[]): string {
  const { head, cells } = tableOf(rows);
  if (cells.length === 0) return 'No rows.';
  const lines = [head, head.map(() => '---'), ...cells.map(row => row.map(escaped))];
  return lines.map(row => `| ${row.join(' | ')} |`).join('\n');
}

function escaped(text: string): string {
  return text.replace(/[|\\`*_<>[\]]/g, '\\$&');
}
