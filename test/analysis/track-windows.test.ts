// Windows of tracks that are joined: each time is in one, whose edges are less than a pixel away, and there are few of them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trackWindows } from '../../server/analysis/track-windows.ts';
import { runs } from '../support/runs.ts';

/** Times one after the other, with gaps, from several JVMs. */
const drawnTimes = fc
  .array(fc.record({ from: fc.nat(10_000), long: fc.nat(900) }), { minLength: 1, maxLength: 60 })
  .map(drawn => drawn.map(({ from, long }) => ({ from, to: from + long })).sort((a, b) => a.from - b.from));
const drawnSpan = fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 10 })).map(([begin, long]) => [begin, begin + long]);
const pixels = fc.integer({ min: 1, max: 200 });

test('each time that touches the span is in one window, less than a pixel from its edges', () => {
  fc.assert(
    fc.property(drawnTimes, drawnSpan, pixels, (times, [begin = 0, end = 1], width) => {
      const span = [begin / 20, end / 20] as const;
      const { whole, windows, of, isJoined } = trackWindows(times, span, width);
      expect([whole.from, whole.to]).toEqual([times[0]!.from, Math.max(...times.map(({ to }) => to))]);
      const [from, long] = [whole.from, whole.to - whole.from];
      const pixel = (long * (span[1] - span[0])) / width;
      for (const [at, time] of times.entries()) {
        const isIn = time.to >= from + span[0] * long && time.from <= from + span[1] * long;
        expect(of[at]! >= 0).toBe(isIn);
        const window = windows[of[at]!];
        if (window === undefined) continue;
        const [before, behind] = [time.from - window.from, window.to - time.to];
        expect(Math.min(before, behind)).toBeGreaterThanOrEqual(0);
        if (pixel > 0) expect(Math.max(before, behind)).toBeLessThan(pixel);
      }
      const used = of.filter(number => number >= 0);
      expect(new Set(used).size).toBe(windows.length);
      expect(isJoined).toBe(windows.length < used.length);
      expect(windows.map(window => window.from)).toEqual(windows.map(window => window.from).toSorted((a, b) => a - b));
    }),
    { numRuns: runs(500) },
  );
});

test('times one behind the other make two windows a pixel at most', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 900 }), pixels, (drawn, width) => {
      let to = 0;
      const times = drawn.map(long => {
        const from = to;
        to += long;
        return { from, to };
      });
      expect(trackWindows(times, [0, 1], width).windows.length).toBeLessThanOrEqual(2 * width);
    }),
    { numRuns: runs(200) },
  );
});

test('times without a length are kept', () => {
  const { windows, of } = trackWindows([{ from: 5, to: 5 }], [0, 1], 100);
  expect([windows, [...of]]).toEqual([[{ from: 5, to: 5 }], [0]]);
  expect(trackWindows([], [0, 1], 100)).toEqual({
    ...{ whole: { from: 0, to: 0 }, windows: [], of: new Int32Array(0), isJoined: false },
  });
});
