// Writes any answer for people: the origin of its numbers, its single facts, and its rows as a table.

import { printableLine, printableName } from '../../base/printable.ts';

export type Data = Record<string, unknown>;

export function originText(origin: Data): string {
  return originTexts(origin).join(' · ');
}

/** The parts of the line of the origin, each of which tells one thing. */
export function originTexts(origin: Data): readonly string[] {
  const { program, versions, samples, metric, part, ageMinutes, code, baseline, incomplete } = origin;
  return [
    `${program} ${cellText(versions)}`,
    `${samples} samples of ${metric} are 100 %`,
    ...(Number(incomplete) > 0 ? [`${incomplete} incomplete stacks count in no share`] : []),
    `last sample ${ageText(Number(ageMinutes))} ago`,
    ...[part, code].filter(text => text !== ''),
    ...(baseline === null ? [] : [`compared with ${baseline}`]),
  ].map(text => printableName(String(text)));
}

/** Lines of the problems of an answer: parts of the data that the numbers are without. */
export function problemLines({ problems }: Data): readonly string[] {
  const told = isRows(problems) ? problems : [];
  return told.map(({ severity, text }) => printableLine(`${severity}: ${text}`));
}

/** `5 minutes`, `3 hours`, `12 days`: the largest unit of which there are two. */
function ageText(minutes: number): string {
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)];
  if (days >= 2) return `${days} days`;
  if (hours >= 2) return `${hours} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Rows of a list that is one fact among others. */
const MOST_IN_LINE = 5;

/** Names and texts of the values that are no rows; empty values are left out, and of long lists all but the first rows. */
export function factLines(facts: Data): (readonly [string, string])[] {
  return Object.entries(facts)
    .map(([name, value]) => [name, isRows(value) ? inLine(value) : cellText(value)] as const)
    .filter(([, text]) => text !== '');
}

function inLine(rows: readonly Data[]): string {
  const more = rows.length - MOST_IN_LINE;
  return `${cellText(rows.slice(0, MOST_IN_LINE))}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Whether a value is a list that a table can show. */
export function isRows(value: unknown): value is readonly Data[] {
  return Array.isArray(value) && value.length > 0 && value.every(isData);
}

/** Columns that are empty in all rows are left out. */
export function tableOf(rows: readonly Data[]): { readonly head: string[]; readonly cells: string[][] } {
  const [first = {}] = rows;
  const head = Object.keys(first).filter(name => rows.some(row => cellText(row[name]) !== ''));
  return { head, cells: rows.map(row => head.map(name => cellText(row[name]))) };
}

/** A row of cells in the order in which people read it: the name is wide and comes last. */
export function nameLast<T>(head: readonly string[], cells: readonly T[]): readonly T[] {
  return NAMES.has(head[0] ?? '') ? [...cells.slice(1), ...cells.slice(0, 1)] : cells;
}

const NAMES: ReadonlySet<string> = new Set(['method', 'name', 'caller']);

/** Methods by key and place, shares and changes by their texts, numbers with at most three decimals. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellText).join('; ');
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  if (!isData(value)) return printableLine(String(value));
  const { key, place, text } = value;
  if (typeof key === 'string')
    return printableLine(
      isData(place) ? `${key} (${place.certain === false ? '~' : ''}${place.file}:${place.line})` : key,
    );
  if (typeof text === 'string') return printableLine(text);
  return Object.values(value).map(cellText).filter(Boolean).join(' ');
}

export function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
