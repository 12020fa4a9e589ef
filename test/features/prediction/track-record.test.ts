// Tests what earlier predictions do to new ones: how wide intervals become, and when hints fall silent.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PredictedFile } from '../../../server/analysis/prediction/prediction.ts';
import type { AnsweredPrediction } from '../../../server/features/prediction/backtest.ts';
import { calibrated, trackRecordOf } from '../../../server/features/prediction/track-record.ts';

/** Of a method that was predicted to take 100 ns, 90 to 120. */
function answered(measured: number): AnsweredPrediction {
  const about = { method: 'Shop.run', path: 'Shop.java', line: 2, runs: 10, unknown: 0, cause: '' } as const;
  return { ...about, before: 80, predicted: 100, interval: [90, 120], measured, reliability: 'likely' };
}

test('none without an answer, and no other width from few of them', () => {
  expect(trackRecordOf([])).toBeNull();
  expect(trackRecordOf([answered(500)])).toEqual({
    text: '0 of 1 within × 1.4, 0 in their 80 % interval',
    width: 1,
    holds: true,
  });
});

test('a row without a sum is no miss', () => {
  const without = { ...answered(500), predicted: null, interval: null, reliability: 'unknown' } as const;
  expect(trackRecordOf([without])).toBeNull();
  expect(trackRecordOf([answered(110), without, without])).toEqual({
    text: '1 of 1 within × 1.4, 1 in their 80 % interval; 2 not predicted',
    width: 1,
    holds: true,
  });
});

test('intervals become so wide that 80 % of the answers would have been inside', () => {
  const values = fc.array(fc.integer({ min: 60, max: 200 }), { minLength: 20, maxLength: 60 });
  fc.assert(
    fc.property(values, measured => {
      const { width } = trackRecordOf(measured.map(answered))!;
      const inside = (factor: number) =>
        measured.filter(each => 100 - 10 * factor <= each + 1e-9 && each - 1e-9 <= 100 + 20 * factor).length;
      if (width < 5) expect(inside(width)).toBeGreaterThanOrEqual(0.8 * measured.length);
      if (width > 0.5) expect(inside(width * 0.999)).toBeLessThan(0.8 * measured.length + 1);
    }),
  );
});

test('ten answers of which fewer than half were close silence hints', () => {
  const of = (close: number) =>
    trackRecordOf([...Array(close).fill(110), ...Array(10 - close).fill(900)].map(answered))!;
  expect(of(5).holds).toBe(true);
  expect(of(4).holds).toBe(false);
});

test('a widened interval keeps its prediction, and no method takes less than nothing', () => {
  const about = {
    rows: [2],
    declaration: 0,
    name: 'run',
    title: 'Shop.run',
    line: 2,
    passed: null,
    terms: [],
    unknown: 0,
  };
  const sums = { change: -20, ends: [-20, -20], interval: [-25, -10], mean: [5, 20] } as const;
  const method = { ...about, ...sums, measured: 30, reliability: 'likely', direction: -1 } as const;
  const file: PredictedFile = { methods: [method], callers: [], unpredicted: [], obstacle: null };
  const { methods } = calibrated(file, { text: '', width: 3, holds: true });
  expect(methods).toEqual([{ ...method, interval: [-30, 10], mean: [0, 40] }]);
  expect(calibrated(file, { text: '', width: 1, holds: true })).toBe(file);
});
