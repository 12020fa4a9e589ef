// Tests the written form of shares: class by the exact share, half-up rounding, counts below 0.1 %.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountOfWhole } from '../../../server/features/hover/amount-text.ts';
import {
  groupDigits,
  intervalInProse,
  reaches,
  shareInHint,
  shareInProse,
  shareWithCounts,
} from '../../../server/features/text/format-share.ts';

const share = (part: number, whole: number) => ({ part, whole, samples: part });

describe('a share in a hint', () => {
  test.each([
    [62, 100, '62%'],
    [1, 1, '100%'],
    [125, 1000, '13%'],
    [124, 1000, '12%'],
    [1, 10, '10%'],
    [996, 10_000, '10.0%'],
    [34, 1000, '3.4%'],
    [345, 10_000, '3.5%'],
    [1, 100, '1.0%'],
    [999, 100_000, '1.00%'],
    [25, 10_000, '0.25%'],
    [1, 1000, '0.10%'],
    [9_999, 10_000_000, '9,999 samples'],
    [1, 100_000, '1 sample'],
    [0, 100, '0 samples'],
    [0, 0, '0 samples'],
  ])('%d of %d is %s', (part, whole, text) => expect(shareInHint(share(part, whole))).toBe(text));

  test('nanoseconds beyond 2^53 / 1000 are still exact', () => {
    const whole = 9_007_199_254_740_000;
    expect(shareInHint({ part: whole / 8, whole, samples: 12 })).toBe('13%');
    expect(shareInHint({ part: whole / 1000, whole, samples: 12 })).toBe('0.10%');
    expect(shareInHint({ part: whole / 1000 - 1, whole, samples: 12 })).toBe('12 samples');
  });

  test('equals long division on whole numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 1e12 }), (a, b) => {
        const [part, whole] = a < b ? [a, b] : [b, a];
        expect(shareInHint({ part, whole, samples: 7 })).toBe(longDivision(BigInt(part), BigInt(whole)));
      }),
    );
  });
});

function longDivision(part: bigint, whole: bigint): string {
  if (part * 1000n < whole) return '7 samples';
  const digits = part * 10n >= whole ? 0 : part * 100n >= whole ? 1 : 2;
  const scale = 100n * 10n ** BigInt(digits);
  let scaled = (part * scale) / whole;
  if (((part * scale) % whole) * 2n >= whole) scaled += 1n;
  const text = scaled.toString().padStart(digits + 1, '0');
  return digits === 0 ? `${text}%` : `${text.slice(0, -digits)}.${text.slice(-digits)}%`;
}

test('prose has a space before the percent sign and the counts beside it', () => {
  expect(shareInProse(share(62, 100))).toBe('62 %');
  expect(shareWithCounts(share(1400, 2260), 2260)).toBe('62 % · 1,400 of 2,260');
  expect(shareWithCounts(share(1, 22_600), 22_600)).toBe('1 of 22,600');
  const amounts = amountOfWhole(0.15e9, 25e9, { unit: 'nanoseconds' });
  expect(shareWithCounts(share(1400, 2260), 2260, amounts)).toBe('62 % · 150 ms of 25 s · 1,400 of 2,260');
  expect(amountOfWhole(1, 2, { unit: 'samples' })).toBe('');
});

test('an interval keeps the precision of its lower end, and has none where that is next to nothing', () => {
  expect(intervalInProse(0.554, 0.681)).toBe('55–68 %');
  expect(intervalInProse(0.0234, 0.1012)).toBe('2.3–10.1 %');
  expect(intervalInProse(0.9996, 1)).toBe('> 99.9 %');
  expect(intervalInProse(0.6201, 0.6249)).toBe('62 %');
  expect(intervalInProse(0.001, 0.0312)).toBe('0.10–3.12 %');
  expect([0.0312, 0.12, 0.004, 0.0002].map(high => intervalInProse(0.0009, high))).toEqual([
    '< 3.1 %',
    '< 12 %',
    '< 0.40 %',
    '< 0.10 %',
  ]);
});

test('a threshold is reached by a share that equals it', () => {
  for (let whole = 1000; whole < 100_000; whole += 1000) expect(reaches(whole / 1000, whole, 0.001)).toBe(true);
  expect(reaches(1, 1001, 0.001)).toBe(false);
  expect(reaches(0, 0, 0.001)).toBe(false);
});

test('digits are grouped', () => {
  expect([1, 999, 1000, 1_234_567].map(groupDigits)).toEqual(['1', '999', '1,000', '1,234,567']);
});

test('parts and wholes that are no whole numbers have no more digits than others', () => {
  const nanos = fc.double({ min: 1, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(nanos, fc.double({ min: 0.001, max: 1, noNaN: true }), (whole, share) => {
      expect(shareInHint({ part: whole * share, whole, samples: 1 })).toMatch(/^\d{1,3}(?:\.\d{1,2})?%$|^1 sample$/);
    }),
  );
  expect(shareInHint({ part: 46_123_456_789.123, whole: 46_123_456_789.125, samples: 474 })).toBe('100%');
});
