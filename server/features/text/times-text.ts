// Response times in words, for lists, hovers and tables.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import { joined } from '../../base/printable.ts';
import { PARTIAL_METHOD, ROOT_METHOD } from '../../cct/profile.ts';
import { hasUnknownCallers } from '../../metrics/call-cost.ts';
import type { MethodResponseTimes, ResponseTimes } from '../../metrics/response-times.ts';
import { amountText } from '../hover/amount-text.ts';
import { groupDigits, plural } from './format-share.ts';

/** `1.2 ms`. */
export function nanosText(nanos: number): string {
  return amountText(nanos, { unit: 'nanoseconds' });
}

/** `12 calls`, `1 call`. */
export function callsText(count: number): string {
  return plural(count, 'call');
}

/** `12.3`, `0.05`: calls a second; `-` where it is not known. */
export function perSecondText({ perSecond }: Pick<ResponseTimes, 'perSecond'>): string {
  if (perSecond === null) return '-';
  if (perSecond >= 99.95) return groupDigits(Math.round(perSecond));
  return String(Number(perSecond.toPrecision(2)));
}

/** `mean 1.2 ms · 50 % within 1 ms · 95 % within 3.1 ms · 0.2 to 9 ms · 1,234 calls · 12 a second`, with `callers not known` where that is so. */
export function responseTimesText(times: ResponseTimes & Partial<Pick<MethodResponseTimes, 'callers'>>): string {
  const { mean, p50, p95, least, greatest, count, perSecond } = times;
  return joined([
    `mean ${nanosText(mean)}`,
    p50 === null ? '' : `50 % within ${nanosText(p50)}`,
    p95 === null ? '' : `95 % within ${nanosText(p95)}`,
    `${nanosText(least)} to ${nanosText(greatest)}`,
    callsText(count),
    perSecond === null ? '' : `${perSecondText(times)} a second`,
    times.callers !== undefined && hasUnknownCallers({ callers: times.callers }) ? 'callers not known' : '',
  ]);
}

/** Whether a caller is a method, and no other word for what called. */
export function isMethod(caller: number): boolean {
  return caller > PARTIAL_METHOD;
}

/** The words for a caller that is no method. */
export function callerWords(caller: number): string {
  return caller === ROOT_METHOD ? 'nothing that was recorded' : 'an unknown caller';
}

/** Whether response times were recorded at all. */
export function hasTimes({ profile }: LoadedData): boolean {
  return profile.times !== undefined;
}
