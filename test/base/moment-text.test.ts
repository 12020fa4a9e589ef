// Tests how moments are written for people, in the zone of this machine, and for programs, in UTC.
import { afterEach, expect, test, vi } from 'vitest';
import { isoTime, momentText, timeSpan } from '../../server/base/moment-text.ts';

afterEach(() => vi.unstubAllEnvs());

const AUTUMN = Date.UTC(2026, 9, 24, 22, 30, 5);

test.each([
  ['UTC', '2026-10-24 22:30:05 +00:00'],
  ['Europe/Berlin', '2026-10-25 00:30:05 +02:00'],
  ['America/St_Johns', '2026-10-24 20:00:05 -02:30'],
  ['Asia/Kolkata', '2026-10-25 04:00:05 +05:30'],
])('in %s', (zone, text) => {
  vi.stubEnv('TZ', zone);
  expect(momentText(AUTUMN)).toBe(text);
  expect(Date.parse(text.replace(' ', 'T').replace(' ', ''))).toBe(AUTUMN);
  expect(isoTime(AUTUMN)).toBe('2026-10-24T22:30:05.000Z');
});

test('a span has its date and offset once where they are the same', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(timeSpan(AUTUMN, AUTUMN + 60_000)).toBe('2026-10-25 00:30:05 to 00:31:05 +02:00');
  expect(timeSpan(AUTUMN - 3_600_000, AUTUMN)).toBe('2026-10-24 23:30:05 to 2026-10-25 00:30:05 +02:00');
  // Clocks go back at three.
  expect(timeSpan(AUTUMN, AUTUMN + 3 * 3_600_000)).toBe('2026-10-25 00:30:05 +02:00 to 2026-10-25 02:30:05 +01:00');
});

test.each([Number.NaN, 8.64e15 + 1, Number.POSITIVE_INFINITY])('%d is no moment of the calendar', millis => {
  expect(momentText(millis)).toBe('an unknown time');
  expect(timeSpan(0, millis)).toMatch(/to an unknown time$/);
  expect(isoTime(millis)).toBeNull();
});
