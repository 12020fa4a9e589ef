// Whether chance explains the difference of two sampled amounts, and between which ends the difference lies.
import { wilsonInterval } from '../interval.ts';

/** A sampled amount: a part of a whole of so many (effective) samples. */
type SampledAmount = { readonly amount: number; readonly whole: number; readonly samples: number };

export type Difference = {
  /** 95 % interval of now − before, of sampling error alone: Newcombe's from the Wilson intervals of both. */
  readonly low: number;
  readonly high: number;
  /** How likely chance makes a difference of this size where there is none; 1 where nothing can be said. */
  readonly chance: number;
};

export function differenceOf(before: SampledAmount, now: SampledAmount): Difference {
  const [then, later] = [endsOf(before), endsOf(now)];
  const difference = now.amount - before.amount;
  return {
    low: difference - Math.hypot(now.amount - later.low, then.high - before.amount),
    high: difference + Math.hypot(later.high - now.amount, before.amount - then.low),
    chance: chanceOf(before, now),
  };
}

function endsOf({ amount, whole, samples }: SampledAmount): { low: number; high: number } {
  const { low, high } = wilsonInterval(whole > 0 ? Math.min(1, amount / whole) : 0, samples);
  return { low: low * whole, high: high * whole };
}

/** Two-sided test of equal amounts, with the variance of both pooled. Of equal wholes it is that of two proportions. */
function chanceOf(before: SampledAmount, now: SampledAmount): number {
  if (!(before.samples > 0 && now.samples > 0)) return 1;
  const [one, other] = [before.whole / before.samples, now.whole / now.samples];
  const pooled = (before.amount / one + now.amount / other) / (1 / one + 1 / other);
  const rest = before.whole === now.whole ? 1 - pooled / before.whole : 1;
  const variance = pooled * rest * (one + other);
  return variance > 0 ? twoSided(Math.abs(now.amount - before.amount) / Math.sqrt(variance)) : 1;
}

/** P(|Z| > z) of a normal Z: Abramowitz and Stegun 7.1.26, right to 1.5e-7. */
function twoSided(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.min(1, sum * Math.exp(-x * x));
}

/** Which of the tests hold when so many are made, one byte each: Benjamini and Hochberg, at most 5 % of those found are chance. */
export function significantOf(chances: readonly number[]): Uint8Array {
  const order = chances.map((_, at) => at).sort((a, b) => chances[a]! - chances[b]!);
  let last = -1;
  for (const [rank, at] of order.entries()) if (chances[at]! <= (0.05 * (rank + 1)) / chances.length) last = rank;
  const found = new Uint8Array(chances.length);
  for (const at of order.slice(0, last + 1)) found[at] = 1;
  return found;
}
