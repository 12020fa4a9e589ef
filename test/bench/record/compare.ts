// Compares CPU times of interleaved runs and says what can be said: below a limit, above it, or nothing.

/** A relative difference with the 95 % interval of its mean. */
export type Difference = { readonly mean: number; readonly from: number; readonly to: number };

/** Student's t for 95 %, two-sided, by degrees of freedom; beyond the table that of the normal distribution. */
const T95 = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09,
];

/** How much more `measured[i]` is than `plain[i]`, over all pairs. */
export function differenceOf(plain: readonly number[], measured: readonly number[]): Difference {
  const ratios = plain.map((value, i) => measured[i]! / value - 1);
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1);
  const half = (T95[ratios.length - 2] ?? 2.05) * Math.sqrt(variance / ratios.length);
  return { mean, from: mean - half, to: mean + half };
}

/** A figure's verdict against a limit, in words. */
export function verdictOf({ from, to }: Difference, limit: number): string {
  if (to <= limit) return 'below the limit with 95 %';
  return from > limit ? 'above the limit with 95 %' : 'not resolvable here';
}
