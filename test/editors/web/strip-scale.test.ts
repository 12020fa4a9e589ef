// The scale of the strip of time: moments and pixels, round times below it, and spans of whole windows.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { momentAt, placeOf, spanOver, ticksOf } from '../../../clients/web/src/strip-scale.ts';

const FIRST = Date.UTC(2026, 10, 20, 16, 26, 8);
const extents = fc
  .tuple(fc.nat(1_000_000), fc.integer({ min: 1, max: 3e9 }))
  .map(([shift, length]) => ({ from: FIRST + shift, to: FIRST + shift + length }));
const widths = fc.integer({ min: 20, max: 4000 });

test('a place leads back to its moment', () => {
  fc.assert(
    fc.property(extents, widths, fc.double({ min: 0, max: 1, noNaN: true }), (extent, width, part) => {
      const x = part * width;
      expect(placeOf(extent, momentAt(extent, x, width), width)).toBeCloseTo(x, 3);
    }),
  );
});

test('times below the strip are round, in it, in order and far enough apart', () => {
  fc.assert(
    fc.property(extents, widths, fc.constantFrom(0, 3_600_000, -12_600_000), (extent, width, offset) => {
      const ticks = ticksOf(extent, width, 100, offset);
      for (const [at, { moment }] of ticks.entries()) {
        expect(moment).toBeGreaterThanOrEqual(extent.from);
        expect(moment).toBeLessThanOrEqual(extent.to);
        expect((moment + offset) % 1000).toBe(0);
        const before = ticks[at - 1];
        if (before !== undefined)
          expect(placeOf(extent, moment, width) - placeOf(extent, before.moment, width)).toBeGreaterThanOrEqual(99.9);
      }
    }),
  );
  const texts = (length: number): string[] =>
    ticksOf({ from: FIRST, to: FIRST + length }, 500, 100, 0).map(({ text }) => text);
  expect(texts(30_000)).toEqual(['16:26:10', '16:26:20', '16:26:30']);
  expect(texts(3_600_000)).toEqual(['16:30', '17:00']);
  expect(texts(3 * 86_400_000)).toEqual(['11-21', '11-22', '11-23']);
});

test('dragging takes the windows that it touches, in either direction, and nothing in a gap', () => {
  const windows = [0, 10, 40].map(from => ({ from, to: from + 10 }));
  for (const [one, other] of [
    [5, 15],
    [15, 5],
  ] as const)
    expect(spanOver(windows, one, other)).toEqual({ from: 0, to: 20 });
  expect(spanOver(windows, 15, 45)).toEqual({ from: 10, to: 50 });
  expect(spanOver(windows, 25, 30)).toBeNull();
});
