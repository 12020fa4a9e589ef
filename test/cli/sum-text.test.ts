// Tests how `insitu import` says what came in: each metric in its own unit.
import { expect, test } from 'vitest';
import { sumText } from '../../server/cli/sum-text.ts';

test('samples, calls, times and bytes have their units', () => {
  const text = (id: string, unit: Parameters<typeof sumText>[0]['unit'], samples: number, weight: number) =>
    sumText({ id, unit, samples, weight });
  expect(text('cpu', 'samples', 1226, 1226)).toBe('1,226 samples of cpu');
  expect(text('lock', 'nanoseconds', 3, 1_500_000_000)).toBe('1.5 s of lock');
  expect(text('alloc', 'bytes', 40, 12 << 20)).toBe('12 MiB of alloc');
  expect(text('calls', 'invocations', 5, 5)).toBe('5 calls');
  expect(text('orders', 'invocations', 5, 1005)).toBe('1,005 of orders');
  expect(text('weight', 'samples', 56_070_000_000, 56_070_000_000)).toBe('56,070,000,000 of weight');
});
