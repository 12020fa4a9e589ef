// Numbers of answers with their units, as agents and people read them.

import { amountText } from '../hover/amount-text.ts';
import { groupDigits } from '../text/format-share.ts';

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

/** The answer that numbers belong to, and the unit of its metric. */
export type Written = { readonly answer: string; readonly unit: string };

/** A number without a unit is written by `plain`. @param above the field or list that holds the object of the field `name` */
export function numberText(
  { answer, unit: metricUnit }: Written,
  value: number,
  { name, above, plain }: { readonly name: string; readonly above: string; readonly plain: (value: number) => string },
): string {
  const units = UNITS[answer];
  const unit = units?.[`${above}.${name}`] ?? units?.[name];
  switch (unit) {
    case 'part':
      return percent(value);
    case 'metric':
      return amountWithUnit(value, metricUnit);
    case 'bytes':
    case 'nanoseconds':
      return `${value < 0 ? '-' : ''}${amountText(Math.abs(value), { unit })}`;
    default:
      return plain(value);
  }
}

/** `12.3 %` of a fraction, with sign where it is negative. */
export function percent(part: number): string {
  return `${Number((100 * part).toPrecision(3))} %`;
}

/** `1.2 s`, `40 samples`. */
export function amountWithUnit(weight: number, unit: string): string {
  if (unit === 'bytes' || unit === 'nanoseconds') return amountText(weight, { unit });
  return `${groupDigits(weight)} ${unit}`;
}

function unitOf(fields: readonly string[], unit: Unit): Readonly<Record<string, Unit>> {
  return Object.fromEntries(fields.map(field => [field, unit]));
}
