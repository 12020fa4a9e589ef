// Compares the CPU times of phases and says what can be said: below a limit, above it, or nothing.

/** CPU seconds of four phases of the same work in a row: plain, measured, measured, plain. What drifts evenly meets both alike. */
export type Block = { readonly plain: readonly [number, number]; readonly measured: readonly [number, number] };

/** A relative difference with the 95 % interval of its mean, of so many blocks. */
export type Difference = {
  readonly mean: number;
  readonly from: number;
  readonly to: number;
  readonly blocks: number;
};

/** Student's t for 95 %, two-sided, by degrees of freedom; what follows is a little less than the last one. */
const T95 = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09,
];
const MOST_SPREAD = 3;
/** Two pairs a block. */
const LEAST_BLOCKS = 10;

/** The mean of the blocks' log ratios, as a ratio, with Student's interval; one block alone can be anything. */
export function differenceOf(blocks: readonly Block[]): Difference {
  const logs = blocks.map(({ plain, measured }) => Math.log((measured[0] * measured[1]) / (plain[0] * plain[1])) / 2);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const t = T95[logs.length - 2] ?? T95.at(-1)!;
  const half = logs.length < 2 ? Number.POSITIVE_INFINITY : t * Math.sqrt(variance / logs.length);
  return { mean: Math.expm1(mean), from: Math.expm1(mean - half), to: Math.expm1(mean + half), blocks: logs.length };
}

/** How far the two phases of one kind are apart: what something else did, whatever the kinds differ by. */
export function spreadOf({ plain, measured }: Block): number {
  return Math.hypot(Math.log(plain[0] / plain[1]), Math.log(measured[0] / measured[1]));
}

/**
 * Without the blocks in which something else went on: whose spread is more than three times that of the middle one. Which of two
 * kinds took longer has no part in it, so it favours none.
 */
export function undisturbed<T extends Block>(blocks: readonly T[]): T[] {
  const spreads = blocks.map(spreadOf).sort((a, b) => a - b);
  const most = MOST_SPREAD * spreads[spreads.length >> 1]!;
  return blocks.filter(block => spreadOf(block) <= most);
}

/** A figure's verdict against a limit, in words; none of fewer than twenty pairs. */
export function verdictOf({ from, to, blocks }: Difference, limit: number): string {
  if (blocks < LEAST_BLOCKS) return 'not resolvable here';
  if (to <= limit) return 'below the limit with 95 %';
  return from > limit ? 'above the limit with 95 %' : 'not resolvable here';
}
