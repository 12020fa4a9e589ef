// The same trouble is told once in a while, whatever other trouble comes between.
import { afterEach, expect, test, vi } from 'vitest';
import { Told } from '../../server/record/told.ts';

afterEach(() => {
  vi.useRealTimers();
});

const trouble = (file: string, message = 'the disk is full') => ({ severity: 'error', message, file }) as const;

test('two JVMs with the same trouble are told of once each', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const told = new Told();
  expect(told.isNews(trouble('a'))).toBe(true);
  expect(told.isNews(trouble('b'))).toBe(true);
  for (let second = 0; second < 60; second++) {
    vi.advanceTimersByTime(1000);
    expect(told.isNews(trouble('a'))).toBe(false);
    expect(told.isNews(trouble('b'))).toBe(false);
  }
  expect(told.isNews(trouble('a', 'it is gone'))).toBe(true);
  vi.advanceTimersByTime(600_000);
  expect(told.isNews(trouble('a'))).toBe(true);
});

test('what is remembered does not grow with the trouble', () => {
  const told = new Told();
  for (let number = 0; number < 2000; number++) expect(told.isNews(trouble(`file ${number}`))).toBe(true);
  expect(told.isNews(trouble('file 1999'))).toBe(false);
  expect(told.isNews(trouble('file 0'))).toBe(true);
});
