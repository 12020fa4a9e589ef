// Bars of time: their places are in proportion to time, gaps stay gaps, and a point leads to the bar under it or the nearest one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barAt, barsOf } from '../../../clients/web/src/time-bars.ts';

/** Windows one after the other: the length of each, and of the gap before it. */
const someWindows = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 1000 })), {
    minLength: 1,
    maxLength: 30,
  })
  .map(lengths => {
    let now = 1_700_000_000_000;
    return lengths.map(([gap, length]) => {
      const from = now + gap;
      now = from + length;
      return { from, to: now };
    });
  });

test('lengths and gaps are those of time', () => {
  fc.assert(
    fc.property(someWindows, windows => {
      const bars = barsOf(windows);
      const whole = windows.at(-1)!.to - windows[0]!.from;
      expect(bars[0]!.left).toBe(0);
      expect(bars.at(-1)!.left + bars.at(-1)!.width).toBeCloseTo(1, 9);
      for (const [at, { from, to }] of windows.entries()) {
        expect(bars[at]!.width * whole).toBeCloseTo(to - from, 3);
        const before = windows[at - 1];
        if (before !== undefined)
          expect((bars[at]!.left - bars[at - 1]!.left - bars[at - 1]!.width) * whole).toBeCloseTo(from - before.to, 3);
      }
    }),
  );
});

test('a point leads to its bar, in a gap to the nearest one', () => {
  fc.assert(
    fc.property(someWindows, windows => {
      const bars = barsOf(windows);
      for (const [at, { left, width }] of bars.entries()) expect(barAt(bars, left + width / 2)).toBe(at);
    }),
  );
  const bars = barsOf([
    { from: 0, to: 10 },
    { from: 90, to: 100 },
  ]);
  expect([0, 0.3, 0.7, 1].map(place => barAt(bars, place))).toEqual([0, 0, 1, 1]);
});

test('windows without a length are equally wide', () => {
  expect(barsOf([{ from: 5, to: 5 }])).toEqual([{ left: 0, width: 1 }]);
});
