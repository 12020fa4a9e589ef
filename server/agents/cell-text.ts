// Values of an answer as Markdown for agents: shares with counts, intervals and amounts, methods with ids and places, numbers with their units.

import { type Data, isData } from '../features/answers/answer-text.ts';
import { amountText } from '../features/hover/amount-text.ts';
import { groupDigits, intervalInProse } from '../features/text/format-share.ts';
import { type ListedMethod, listedText } from '../features/text/listed-method.ts';
import { codeInCell, escapeInline } from '../features/text/markdown.ts';

/** `part`: a fraction of a whole; `metric`: in the unit of the metric that the answer is about. */
type Unit = 'part' | 'metric' | 'nanoseconds' | 'bytes' | 'plain';

const COMPARED_PARTS = ['before', 'now', 'change', 'margin', 'atMost', 'height', 'whole'];
const PREDICTED_TIMES = ['measured', 'change', 'least', 'most', 'low', 'high', 'meanLow', 'meanHigh', 'mean'];

/** Units of bare numbers, by answer and field; a field of an object may be named with it. */
const UNITS: Readonly<Record<string, Readonly<Record<string, Unit>>>> = {
  annotatedFile: { heat: 'part' },
  compare: { ...unitOf(COMPARED_PARTS, 'part'), 'jvms.before': 'plain', 'jvms.now': 'plain' },
  executions: { bytes: 'bytes' },
  paths: { whole: 'metric', idle: 'part' },
  prediction: { ...unitOf(PREDICTED_TIMES, 'nanoseconds'), 'terms.least': 'plain', 'terms.most': 'plain' },
};

/** What cells are of: the answer, and the unit of its metric. */
export type Written = { readonly answer: string; readonly unit: string };

/** Significant digits of a number that has no unit. */
const DIGITS = 4;

/** @param name of the field, @param above of the field or list that holds the object of the field */
export function cellText(written: Written, value: unknown, name: string, above = ''): string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value)) {
    const texts = value.map(each => cellText(written, each, name, above)).filter(text => text !== '');
    return texts.join(name === 'above' ? ' › ' : '; ');
  }
  if (typeof value === 'number') return numberText(value, unitIn(written, name, above), written.unit);
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

function isListed(row: Data): row is Data & ListedMethod {
  return typeof row.className === 'string' && typeof row.method === 'string';
}

function unitIn({ answer }: Written, name: string, above: string): Unit | undefined {
  const units = UNITS[answer];
  return units?.[`${above}.${name}`] ?? units?.[name];
}

function numberText(value: number, unit: Unit | undefined, metricUnit: string): string {
  switch (unit) {
    case 'part':
      return percent(value);
    case 'metric':
      return amountWithUnit(value, metricUnit);
    case 'bytes':
    case 'nanoseconds':
      return signed(value, amountText(Math.abs(value), { unit }));
    default:
      return String(Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)));
  }
}

function signed(value: number, text: string): string {
  return value < 0 ? `-${text}` : text;
}

/** `12.3 %` of a fraction, with sign where it is negative. */
function percent(part: number): string {
  return `${Number((100 * part).toPrecision(3))} %`;
}

/** `1.2 s`, `40 samples`. */
export function amountWithUnit(weight: number, unit: string): string {
  if (unit === 'bytes' || unit === 'nanoseconds') return amountText(weight, { unit });
  return `${groupDigits(weight)} ${unit}`;
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

function unitOf(fields: readonly string[], unit: Unit): Readonly<Record<string, Unit>> {
  return Object.fromEntries(fields.map(field => [field, unit]));
}
