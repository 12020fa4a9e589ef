// Checks intervals and comparisons against published and worked values.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeArrow, compareShares } from '../../../server/capabilities/compare/comparison.ts';
import { effectiveSampleSize, wilsonInterval } from '../../../server/metrics/interval.ts';

/** Degrees of the arrow. */
const changeAngle = (baseline: number, current: number) => compareShares(baseline, current).angle;

describe('change of a share', () => {
  test.each([
    [0.05, 90, 255],
    [0.067, 44, 125],
    [0.083, 18, 51],
    [0.1, 0, 0],
    [0.133, -29, 82],
    [0.167, -60, 170],
    [0.2, -90, 255],
  ])('from 0.1 to %f turns the arrow to %i degrees', (current, angle, strength) => {
    const grew = current > 0.1;
    const colour = { red: grew ? strength : 0, green: grew ? 0 : strength, blue: 255 - strength };
    expect(compareShares(0.1, current)).toMatchObject({ angle, ...colour });
  });

  test('from and to nothing', () => {
    expect([changeAngle(0, 0), changeAngle(0, 0.3), changeAngle(0.3, 0)]).toEqual([0, -45, 45]);
  });

  test('more than twice and less than half are at the stops', () => {
    expect([changeAngle(0.1, 0.9), changeAngle(0.9, 0.1)]).toEqual([-90, 90]);
  });

  test('whole degrees are not lost to rounding of decimals', () => {
    expect(changeAngle(0.1, 0.11)).toBe(-9);
    expect(changeAngle(0.3, 0.33)).toBe(-9);
    expect(changeAngle(0.11, 0.1)).toBe(9);
  });

  test.each([
    [0, ''],
    [9, ''],
    [-9, ''],
    [10, '↘'],
    [-10, '↗'],
    [59, '↘'],
    [60, '↓'],
    [-60, '↑'],
    [-90, '↑'],
  ])('%i degrees read %s', (angle, arrow) => expect(changeArrow(angle)).toBe(arrow));
});

test('however many samples show a difference, it is not tested', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(share, share, (before, now) => compareShares(before, now).verdict === 'notTested'));
  expect(compareShares(0.1, 0.2)).toEqual({ angle: -90, red: 255, green: 0, blue: 0, verdict: 'notTested' });
});

describe('the Wilson interval', () => {
  test.each([
    // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i', (part, whole, low, high) => {
    const interval = wilsonInterval(part / whole, whole);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  test('holds the share and stays within [0, 1]', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.1, max: 1e9, noNaN: true }),
        (share, n) => {
          const { low, high } = wilsonInterval(share, n);
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
          expect(low).toBeLessThanOrEqual(share + 1e-12);
          expect(high).toBeGreaterThanOrEqual(share - 1e-12);
        },
      ),
    );
    expect(wilsonInterval(0.5, 0)).toEqual({ low: 0, high: 1 });
  });
});

test('the effective sample size shrinks with uneven weights', () => {
  expect(effectiveSampleSize(4, 4)).toBe(4);
  expect(effectiveSampleSize(10, 82)).toBeCloseTo(1.2195, 4);
  expect(effectiveSampleSize(0, 0)).toBe(0);
});
