// The oracle of all metrics: naive counts over raw stacks, and random stacks full of recursion.
import fc from 'fast-check';
import type { Amount } from '../../../server/metrics/analysis.ts';
import type { RawFrame, RawSample } from './profiles.ts';

const METHODS = ['A.run', 'A.go', 'B.run', 'B.go(I)', 'C.hop'];

/** Few methods and lines, so that every kind of recursion and every kind of equal sibling comes up. */
export function rawSamples(options: { metrics?: number; truncated?: boolean } = {}): fc.Arbitrary<RawSample[]> {
  const frame = fc.record({ method: fc.constantFrom(...METHODS), line: fc.integer({ min: 0, max: 3 }) });
  const sample = fc.record({
    frames: fc.array(frame, { maxLength: 9, size: 'max' }),
    truncated: options.truncated === true ? fc.boolean() : fc.constant(false),
    metric: fc.nat((options.metrics ?? 1) - 1),
    thread: fc.nat(2),
    window: fc.nat(2),
    count: fc.integer({ min: 1, max: 4 }),
    weight: fc.integer({ min: 1, max: 1000 }),
  });
  const unweighted = sample.map(each => (each.metric === 0 ? { ...each, weight: each.count } : each));
  return fc.array(unweighted, { minLength: 1, maxLength: 30 });
}

/** Some of the methods, at least one. */
export function methodSets(): fc.Arbitrary<string[]> {
  return fc.subarray(METHODS, { minLength: 1, maxLength: 3 });
}

/** Sum over the samples for which `holds` is true, each once. */
export function amountOf(samples: readonly RawSample[], holds: (frames: readonly RawFrame[]) => boolean): Amount {
  let weight = 0;
  let count = 0;
  for (const sample of samples) {
    if (!holds(sample.frames)) continue;
    weight += sample.weight ?? sample.count ?? 1;
    count += sample.count ?? 1;
  }
  return { weight, count };
}

/** Sums by key, each sample once a key however often the key occurs in its stack. */
export function amountsBy(
  samples: readonly RawSample[],
  keysOf: (frames: readonly RawFrame[], sample: RawSample) => readonly string[],
): Record<string, Amount> {
  const sums: Record<string, Amount> = {};
  for (const sample of samples) {
    for (const key of new Set(keysOf(sample.frames, sample))) {
      const old = sums[key] ?? { weight: 0, count: 0 };
      sums[key] = {
        weight: old.weight + (sample.weight ?? sample.count ?? 1),
        count: old.count + (sample.count ?? 1),
      };
    }
  }
  return sums;
}

/** Adjacent frames of a stack as [caller, callee]. */
export function callsIn(frames: readonly RawFrame[]): [RawFrame, RawFrame][] {
  return frames.slice(1).map((callee, i) => [frames[i]!, callee]);
}
