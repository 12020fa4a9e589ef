// An answer within the limits of a tool: at most 60 rows and 24 KB, as data and as Markdown.

import { printableLine } from '../base/printable.ts';
import type { Answer } from '../features/answers/answer.ts';

const MOST_ROWS = 60;
/** Of the JSON text, and of the Markdown. */
const MOST_BYTES = 24 * 1024;

type Data = Record<string, unknown>;

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
  const facts = Object.entries(others)
    .map(([name, value]) => [name, cellText(value)] as const)
    .filter(([, text]) => text !== '');
  const parts = [
    `**${title}**`,
    ...(isData(origin) ? [originText(origin)] : []),
    ...facts.map(([name, text]) => `- ${name}: ${text}`),
    ...(Array.isArray(rows) ? [tableText(rows.filter(isData))] : []),
    ...(typeof leftOut === 'number' && leftOut > 0 ? [`${leftOut} of ${total} rows are left out.`] : []),
  ];
  return parts.join('\n\n');
}

function originText(origin: Data): string {
  const { program, versions, samples, metric, part, ageMinutes, code, baseline, incomplete } = origin;
  return [
    `${program} ${cellText(versions)}`,
    `${samples} samples of ${metric} are 100 %`,
    ...(Number(incomplete) > 0 ? [`${incomplete} incomplete stacks count in no share`] : []),
    `last sample ${ageMinutes} minutes ago`,
    ...[part, code].filter(text => text !== ''),
    ...(baseline === null ? [] : [`compared with ${baseline}`]),
  ]
    .map(text => printableLine(String(text)))
    .join(' · ');
}

function tableText(rows: readonly Data[]): string {
  const [first] = rows;
  if (first === undefined) return 'No rows.';
  const names = Object.keys(first).filter(name => rows.some(row => cellText(row[name]) !== ''));
  const lines = [names, names.map(() => '---'), ...rows.map(row => names.map(name => cellText(row[name])))];
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

/** Methods by key and place, shares and changes by their texts, numbers with at most three decimals. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellText).join('; ');
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  if (!isData(value)) return escaped(String(value));
  const { key, place, text } = value;
  if (typeof key === 'string')
    return isData(place) ? `${escaped(key)} (${escaped(String(place.file))}:${place.line})` : escaped(key);
  if (typeof text === 'string') return escaped(text);
  return Object.values(value).map(cellText).filter(Boolean).join(' ');
}

function escaped(text: string): string {
  return printableLine(text).replace(/[|\\`*_<>[\]]/g, '\\$&');
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
