// Writes what metrics measure for people: times, bytes and numbers in the unit that fits their size.
import { isWeighted, type Metric } from '../../cct/profile.ts';
import { groupDigits } from '../text/format-share.ts';

/** Size of a unit, its name, and from how many of it on it is used. */
const NANOSECONDS = [
  [60e9, 'min', 10],
  [1e9, 's', 1],
  [1e6, 'ms', 1],
  [1e3, 'µs', 1],
  [1, 'ns', 1],
] as const;

const BYTES = [
  [1024 ** 4, 'TiB', 1],
  [1024 ** 3, 'GiB', 1],
  [1024 ** 2, 'MiB', 1],
  [1024, 'KiB', 1],
  [1, 'bytes', 1],
] as const;

/** `1.2 s`, `340 ms`, `1.5 GiB`, `1,234`: three digits, or all where there are more. */
export function amountText(weight: number, { unit }: Pick<Metric, 'unit'>): string {
  if (unit === 'samples' || unit === 'invocations') return groupDigits(weight);
  const scale = unit === 'bytes' ? BYTES : NANOSECONDS;
  // Rounding up must not leave 1,000 of a smaller unit.
  const [size, name] = scale.find(([each, , least]) => weight >= each * least * 0.9995) ?? scale[scale.length - 1]!;
  const value = weight / size;
  const digits = size === 1 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  const text = digits === 0 ? groupDigits(value) : value.toFixed(digits).replace(/\.?0+$/, '');
  return `${text} ${name}`;
}

/** `150 ms of 25 s`: what a share is made of; empty for metrics that only count. */
export function amountOfWhole(part: number, whole: number, metric: Pick<Metric, 'unit'>): string {
  return isWeighted(metric) ? `${amountText(part, metric)} of ${amountText(whole, metric)}` : '';
}
