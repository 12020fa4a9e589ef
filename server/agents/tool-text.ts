// An answer within the limits of a tool: at most 60 rows and 24 KB, as data and as Markdown.

import type { Answer } from '../features/answers/answer.ts';
import {
  type Data,
  factLines,
  isData,
  isRows,
  originTexts,
  problemLines,
  tableOf,
} from '../features/answers/answer-text.ts';
import { escapeInline, escapeMarkdown, tableRow, tableRule } from '../features/text/markdown.ts';

const MOST_ROWS = 60;
/** Of the JSON text, and of the Markdown. */
const MOST_BYTES = 24 * 1024;

/** Rows that do not fit are counted in `leftOut`; the Markdown says which other lists were cut. */
export function withinLimits(answer: Answer, whole: Data): { readonly value: Data; readonly text: string } {
  const longest = Math.max(0, ...Object.values(whole).map(value => (Array.isArray(value) ? value.length : 0)));
  let fitting = Math.min(longest, MOST_ROWS);
  for (;;) {
    const value = cut(whole, fitting);
    const text = markdownOf(answer, value, whole);
    if (fitting === 0 || (bytesOf(JSON.stringify(value)) <= MOST_BYTES && bytesOf(text) <= MOST_BYTES))
      return { value, text };
    fitting = Math.floor(fitting * 0.8);
  }
}

function cut(whole: Data, fitting: number): Data {
  const { rows, leftOut } = whole;
  const lists = Object.entries(whole).filter(([name, value]) => name === 'rows' || isRows(value));
  const shorter = Object.fromEntries(lists.map(([name, value]) => [name, (value as unknown[]).slice(0, fitting)]));
  const more = Array.isArray(rows) ? Math.max(0, rows.length - fitting) : 0;
  return { ...whole, ...shorter, ...(typeof leftOut === 'number' && { leftOut: leftOut + more }) };
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

function markdownOf(
  { title, whenEmpty }: Answer,
  { rows, origin, leftOut, total, ...others }: Data,
  whole: Data,
): string {
  const lists = Object.entries(others).filter(([, value]) => isRows(value)) as [string, readonly Data[]][];
  const facts = Object.fromEntries(Object.entries(others).filter(([, value]) => !isRows(value)));
  const parts = [
    `**${title}**`,
    ...(isData(origin) ? [originTexts(origin).map(escapeMarkdown).join(' · ')] : []),
    ...(isData(origin) ? problemLines(origin).map(escapeMarkdown) : []),
    ...factLines(facts).map(([name, text]) => `- ${name}: ${escapeInline(text)}`),
    ...(Array.isArray(rows) ? [tableText(rows.filter(isData), whenEmpty)] : []),
    ...(typeof leftOut === 'number' && leftOut > 0 ? [`${leftOut} of ${total} rows are left out.`] : []),
    ...lists.flatMap(([name, shown]) => {
      const more = (whole[name] as unknown[]).length - shown.length;
      return [`${name}:`, tableText(shown), ...(more > 0 ? [`${more} of ${name} are left out.`] : [])];
    }),
  ];
  return parts.join('\n\n');
}

function tableText(rows: readonly Data[], whenEmpty = 'No rows.'): string {
  const { head, cells } = tableOf(rows);
  if (cells.length === 0) return whenEmpty;
  const lines = cells.map(row => tableRow(row.map(escapeInline)));
  return [tableRow(head), tableRule(head.map(() => false)), ...lines].join('\n');
}
