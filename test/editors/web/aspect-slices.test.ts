// Slices of time: the area of each bucket is its weight, whatever windows overlap, and a gap has no slice.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slicesOf } from '../../../clients/web/src/aspect-slices.ts';

const BUCKETS = 3;
const spans = fc
  .array(
    fc.record({
      from: fc.integer({ min: 0, max: 60 }),
      length: fc.integer({ min: 0, max: 20 }),
      weights: fc.array(fc.nat(100), { minLength: BUCKETS, maxLength: BUCKETS }),
    }),
    { maxLength: 12 },
  )
  .map(all => all.sort((a, b) => a.from - b.from));

test('the areas are the weights, at each moment the rates of the windows that cover it', () => {
  fc.assert(
    fc.property(spans, all => {
      const windows = all.map(({ from, length }) => ({ from, to: from + length }));
      const weights = Array.from({ length: BUCKETS }, (_, bucket) => all.map(each => each.weights[bucket]!));
      const slices = slicesOf(windows, weights);
      for (const [bucket, own] of weights.entries()) {
        const area = slices.reduce((sum, { from, to, rates }) => sum + (rates[bucket]! * (to - from)) / 1000, 0);
        expect(area).toBeCloseTo(
          own.reduce((sum, weight) => sum + weight, 0),
          6,
        );
      }
      for (let moment = 0; moment < 85; moment++) {
        const covering = all.filter(({ from, length }) => moment >= from && moment < Math.max(from + length, from + 1));
        const slice = slices.find(({ from, to }) => moment >= from && moment < to);
        expect(slice === undefined).toBe(covering.length === 0);
        for (const [bucket, rate] of slice?.rates.entries() ?? [])
          expect(rate).toBeCloseTo(
            covering.reduce((sum, { length, weights: own }) => sum + (1000 * own[bucket]!) / Math.max(1, length), 0),
            6,
          );
      }
      for (const [at, { from, to }] of slices.entries()) {
        expect(to).toBeGreaterThan(from);
        expect(from).toBeGreaterThanOrEqual(slices[at - 1]?.to ?? 0);
      }
    }),
  );
});
