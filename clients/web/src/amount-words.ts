// Writes amounts as the hints do: shares as docs/hints.md says, counts and units in words.

import { format } from 'd3-format';
import type { ViewAmount } from 'insitu/views';
import type { Shown } from './address-state.ts';

/** `1,234`. */
export const grouped = format(',.0f');
const threeDigits = format(',.3~r');

export function samplesText(count: number): string {
  // Where the recording does not tell how many there are, counts are infinite, and null in JSON.
  if (count === null || count === Number.POSITIVE_INFINITY) return 'number of samples unknown';
  return count === 1 ? '1 sample' : `${grouped(count)} samples`;
}

/** `62 %`, `3.4 %`, `0.25 %`; null below 0.1 %, and where there is no whole. */
export function percentText(part: number, whole: number): string | null {
  const share = part / whole;
  if (!(whole > 0) || !(share >= 0.001 * (1 - 1e-12))) return null;
  // Half a digit up, also where the nearest binary number lies below it.
  const digits = share >= 0.1 ? 0 : share >= 0.01 ? 1 : 2;
  return `${(Math.floor(share * 100 * 10 ** digits + 0.5 + 1e-9) / 10 ** digits).toFixed(digits)} %`;
}

/** A share as a text in every case: `62 %`, `< 0.1 %`, or `0` for nothing. */
export function partText(part: number, whole: number): string {
  return part === 0 ? '0' : (percentText(part, whole) ?? '< 0.1 %');
}

export function shareText({ weight, count }: ViewAmount, whole: ViewAmount): string {
  return percentText(weight, whole.weight) ?? samplesText(count);
}

const NANOSECONDS = [
  ['h', 3.6e12],
  ['min', 6e10],
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
] as const;
const BYTES = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
  ['bytes', 1],
] as const;

/** A weight in the metric's unit: `1.2 s`, `34 MB`, `1,234 samples`. */
export function weightText(weight: number, unit: string): string {
  if (unit === 'samples') return samplesText(weight);
  const units: readonly (readonly [string, number])[] | null =
    unit === 'nanoseconds' ? NANOSECONDS : unit === 'bytes' ? BYTES : null;
  if (units === null) return `${grouped(weight)} ${unit}`;
  const [name, size] = units.find(([, least]) => weight >= least) ?? units[units.length - 1] ?? [unit, 1];
  const value = weight / size;
  return `${value >= 1000 ? grouped(value) : threeDigits(value)} ${name}`;
}

/** `1.2 ms`; a dash where it is not known. */
export function nanosText(nanos: number | null): string {
  return nanos === null ? '–' : weightText(Number(nanos.toPrecision(3)), 'nanoseconds');
}

/** `688`, `0.05`: calls a second; a dash where it is not known. */
export function perSecondText(perSecond: number | null): string {
  if (perSecond === null) return '–';
  return perSecond >= 99.95 ? grouped(perSecond) : String(Number(perSecond.toPrecision(2)));
}

/** `1,234 calls`, `1 call`. */
export function callsText(count: number): string {
  return plural(count, 'call');
}

/** As the switch of the header wants amounts to be written. */
export function amountText(amount: ViewAmount, whole: ViewAmount, unit: string, amounts: Shown['amounts']): string {
  if (amounts === 'count') return samplesText(amount.count);
  return amounts === 'absolute' ? weightText(amount.weight, unit) : shareText(amount, whole);
}

/** `12 s`, `3 min`, `5 h`, `2 days`. */
export function durationText(millis: number): string {
  const seconds = Math.max(0, Math.round(millis / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** `2026-11-23 19:34:05` in the time of the browser. */
export function momentText(millis: number): string {
  const at = new Date(millis - new Date(millis).getTimezoneOffset() * 60_000);
  return Number.isNaN(at.getTime()) ? '–' : at.toISOString().slice(0, 19).replace('T', ' ');
}

/** `+9`, `−0.4`, `±0`: percentage points, whole from 1 on. */
export function pointsText(difference: number): string {
  const points = 100 * Math.abs(difference);
  const text = points.toFixed(points >= 1 || points < 0.005 ? 0 : points >= 0.1 ? 1 : 2);
  return Number(text) === 0 ? '±0' : `${difference < 0 ? '−' : '+'}${text}`;
}

/** A number of things in words: `1 part`, `214 parts`. */
export function plural(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;
}
