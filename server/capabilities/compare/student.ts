// Student's t distribution: the point that a standardised mean exceeds with a given probability.

/** Cells of the integral: one more digit than a limit of percent needs. */
const CELLS = 4_000;

/**
 * The point t with P(T > t) = `level`, 0 < level < ½, to three digits. With t = √ν · tan θ, the density is proportional to cos^(ν−1) θ.
 * @param freedom ν, at least 1.
 */
export function upperPoint(level: number, freedom: number): number {
  const width = Math.PI / 2 / CELLS;
  const heights = Float64Array.from({ length: CELLS }, (_, at) => Math.cos((at + 0.5) * width) ** (freedom - 1));
  let left = 2 * level * heights.reduce((sum, height) => sum + height, 0);
  let at = CELLS;
  while (left > 0) left -= heights[--at]!;
  // Within the last cell the density hardly changes.
  const theta = (at - left / heights[at]!) * width;
  return Math.sqrt(freedom) * Math.tan(theta);
}
