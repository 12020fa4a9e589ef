// Writes any answer for people: the origin of its numbers, its single facts, and its rows as a table.

import { printableLine, printableName } from '../../base/printable.ts';
import { type ListedMethod, listedText } from '../text/listed-method.ts';
import { amountWithUnit, numberText, type Written } from './number-text.ts';

export type Data = Record<string, unknown>;

export function originText(origin: Data): string {
  return originTexts(origin).join(' · ');
}

/** The parts of the line of the origin, each of which tells one thing. */
export function originTexts(origin: Data): readonly string[] {
  const { program, versions, samples, metric, part, ageMinutes, code, baseline, incomplete } = origin;
  return [
    `${program} ${Array.isArray(versions) ? versions.join('; ') : versions}`,
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
export function factLines(written: Written, facts: Data): (readonly [string, string])[] {
  return Object.entries(facts)
    .map(
      ([name, value]) => [name, isRows(value) ? inLine(written, value, name) : cellText(written, value, name)] as const,
    )
    .filter(([, text]) => text !== '');
}

function inLine(written: Written, rows: readonly Data[], name: string): string {
  const more = rows.length - MOST_IN_LINE;
  return `${cellText(written, rows.slice(0, MOST_IN_LINE), name)}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Whether a value is a list that a table can show. */
export function isRows(value: unknown): value is readonly Data[] {
  return Array.isArray(value) && value.length > 0 && value.every(isData);
}

/** Columns that are empty in all rows are left out. */
export function tableOf(
  written: Written,
  rows: readonly Data[],
): { readonly head: string[]; readonly cells: string[][] } {
  const [first = {}] = rows;
  const cells = rows.map(row => new Map(Object.keys(first).map(name => [name, cellText(written, row[name], name)])));
  const head = Object.keys(first).filter(name => cells.some(row => row.get(name) !== ''));
  return { head, cells: cells.map(row => head.map(name => row.get(name) ?? '')) };
}

/** A row of cells in the order in which people read it: the name is wide and comes last. */
export function nameLast<T>(head: readonly string[], cells: readonly T[]): readonly T[] {
  return NAMES.has(head[0] ?? '') ? [...cells.slice(1), ...cells.slice(0, 1)] : cells;
}

const NAMES: ReadonlySet<string> = new Set(['method', 'name', 'caller']);

/** The answer that numbers belong to, and their unit. */
export function writtenOf(answer: string, origin: unknown): Written {
  return { answer, unit: isData(origin) ? String(origin.unit) : '' };
}

/**
 * Methods by key and place, shares with their amounts, changes by their texts, numbers with their units.
 * @param name of the field, @param above of the field that holds the object of the field
 */
function cellText(written: Written, value: unknown, name: string, above = ''): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(each => cellText(written, each, name, above)).join('; ');
  if (typeof value === 'number') return numberText(written, value, { name, above, plain: threeDecimals });
  if (!isData(value)) return printableLine(String(value));
  const { key, place, text } = value;
  if (typeof key === 'string')
    return printableLine(
      isData(place) ? `${key} (${place.certain === false ? '~' : ''}${place.file}:${place.line})` : key,
    );
  if (typeof text === 'string') return printableLine(`${text}${amountBeside(written, value)}`);
  const { unit, weight, ...others } = value;
  const isSum = typeof unit === 'string' && typeof weight === 'number';
  const isNamed = isListed(value);
  const texts = Object.entries(isSum ? others : value).map(([field, each]) =>
    cellText(written, isNamed && NAMED.has(field) ? null : each, field, name),
  );
  const named = isNamed ? listedText(value) : '';
  const sum = isSum ? amountWithUnit(weight, unit) : '';
  return [printableLine(named), ...texts, sum].filter(Boolean).join(' ');
}

/** Fields of a row that are written as the name of its method. */
const NAMED: ReadonlySet<string> = new Set(['className', 'method', 'descriptor']);

/** A method as rows of comparisons name it. */
export function isListed(row: Data): row is Data & ListedMethod {
  return typeof row.className === 'string' && typeof row.method === 'string';
}

/** ` · 1.2 s`, of a share of time or bytes. */
function amountBeside({ unit }: Written, { share, weight }: Data): string {
  const isAmount = typeof share === 'number' && typeof weight === 'number' && weight > 0;
  return isAmount && (unit === 'bytes' || unit === 'nanoseconds') ? ` · ${amountWithUnit(weight, unit)}` : '';
}

function threeDecimals(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

export function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
