// Values of an answer as Markdown for agents: shares with counts, intervals and amounts, methods with ids and places, numbers with their units.

import { type Data, isData, isListed } from '../features/answers/answer-text.ts';
import { amountWithUnit, numberText, percent, type Written } from '../features/answers/number-text.ts';
import { intervalInProse } from '../features/text/format-share.ts';
import { listedText } from '../features/text/listed-method.ts';
import { codeInCell, escapeInline } from '../features/text/markdown.ts';

/** Significant digits of a number that has no unit. */
const DIGITS = 4;

function plainNumber(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)));
}

/** @param name of the field, @param above of the field or list that holds the object of the field */
export function cellText(written: Written, value: unknown, name: string, above = ''): string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value)) {
    const texts = value.map(each => cellText(written, each, name, above)).filter(text => text !== '');
    return texts.join(name === 'above' ? ' › ' : '; ');
  }
  if (typeof value === 'number') return numberText(written, value, { name, above, plain: plainNumber });
  if (!isData(value)) return escapeInline(String(value));
  if (isShare(value)) return shareText(value, written.unit);
  if (isMethod(value)) return methodText(value);
  if (isChange(value)) return changeText(value);
  const { named, others } = withoutMethod(value);
  const texts = Object.entries(others).map(([field, each]) => [field, cellText(written, each, field, name)] as const);
  const shown = texts.filter(([, text]) => text !== '').map(([field, text]) => `${field} ${text}`);
  return [...(named === null ? [] : [named]), ...(shown.length === 0 ? [] : [shown.join(', ')])].join(': ');
}

/** The method that fields of a row name, as code, and the other fields. */
export function withoutMethod(row: Data): { readonly named: string | null; readonly others: Data } {
  if (!isListed(row)) return { named: null, others: row };
  const { className: _class, method: _method, descriptor: _descriptor, ...others } = row;
  return { named: codeInCell(listedText(row)), others };
}

/** `41% (140 of 342, 37–46 %, 1.2 s)`. */
function shareText({ text, count, of, weight, interval }: Share, unit: string): string {
  const details = [
    ...(typeof count === 'number' && typeof of === 'number' ? [`${count} of ${of}`] : []),
    ...(Array.isArray(interval) ? [intervalInProse(interval[0], interval[1])] : []),
    ...(unit === 'samples' ? [] : [amountWithUnit(weight, unit)]),
  ];
  return escapeInline(details.length === 0 ? text : `${text} (${details.join(', ')})`);
}

type Share = {
  readonly text: string;
  readonly weight: number;
  readonly count: number | null;
  readonly of: number | null;
  readonly interval: readonly [number, number] | null;
};

function isShare(value: Data): value is Data & Share {
  return typeof value.share === 'number' && typeof value.text === 'string' && typeof value.weight === 'number';
}

/** The name as a parameter takes it, the place of the declaration, and the id. */
function methodText({ key, id, place }: NamedMethod): string {
  const at = place === null ? [] : [`${place.file}:${place.line}${place.certain ? '' : ' or another declaration'}`];
  const details = [...at.map(escapeInline), ...(id === '' ? [] : [codeInCell(`id:${id}`)])];
  return `${codeInCell(key)}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}

type NamedMethod = {
  readonly key: string;
  readonly id: string;
  readonly place: { readonly file: string; readonly line: number; readonly certain: boolean } | null;
};

function isMethod(value: Data): value is Data & NamedMethod {
  return typeof value.key === 'string' && typeof value.id === 'string';
}

/** `+4.1 (12 % → 16.1 %, notTested)`: points, shares of everything before and now, and what the test says. */
function changeText({ text, baseline, current, verdict }: Change): string {
  return escapeInline(`${text} (${percent(baseline)} → ${percent(current)}, ${verdict})`);
}

type Change = {
  readonly text: string;
  readonly baseline: number;
  readonly current: number;
  readonly verdict: string;
};

function isChange(value: Data): value is Data & Change {
  return typeof value.verdict === 'string' && typeof value.baseline === 'number' && typeof value.current === 'number';
}
