// How sure a share is: the Wilson score interval, for counts and for weighted samples.

type Interval = { readonly low: number; readonly high: number };

/** The normal quantile of a two-sided 95 % interval. */
const Z_95 = 1.959963984540054;

/**
 * Wilson's 95 % score interval of a share (E. B. Wilson, 1927).
 * @param share in [0, 1]
 * @param samples number of (effective) samples behind the whole; 0 gives [0, 1]
 */
export function wilsonInterval(share: number, samples: number): Interval {
  if (!(samples > 0)) return { low: 0, high: 1 };
  const z2 = Z_95 * Z_95;
  const middle = (share + z2 / (2 * samples)) / (1 + z2 / samples);
  const half = (Z_95 / (1 + z2 / samples)) * Math.sqrt((share * (1 - share)) / samples + z2 / (4 * samples * samples));
  return { low: share <= 0 ? 0 : Math.max(0, middle - half), high: share >= 1 ? 1 : Math.min(1, middle + half) };
}

/** n_eff = (Σw)²/Σw²: how many equally weighted samples carry the same sampling error. 0 without weight. */
export function effectiveSampleSize(weight: number, weightSquares: number): number {
  return weightSquares > 0 ? (weight * weight) / weightSquares : 0;
}
