// Compares a share with the same share of a baseline: angle and colour of the arrow, and what a test says of the difference.
import type { Verdict } from '../../model/verdict.ts';

/** How a share moved against its baseline. Clients draw it neutral unless the verdict is `slower` or `faster`. */
export type Comparison = {
  /** Whole degrees from −90 (twice the share or more) to 90 (half or less). */
  readonly angle: number;
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly verdict: Verdict;
};

/** Compares two shares of the same method or call. They alone are no evidence: only several JVMs of each side can be tested. */
export function compareShares(baseline: number, current: number): Comparison {
  const angle = changeAngle(baseline, current);
  return { angle, ...changeColour(angle), verdict: 'notTested' };
}

/**
 * The angle of the change in whole degrees. With d = current/baseline clamped to [0.5, 2]: 90·(1/d − 1) for d < 1, −90·(d − 1) else,
 * truncated towards zero. Both 0 give 0, a new share −45, a vanished one 45.
 */
function changeAngle(baseline: number, current: number): number {
  if (baseline <= 0) return current <= 0 ? 0 : -45;
  if (current <= 0) return 45;
  const d = Math.min(2, Math.max(0.5, current / baseline));
  const angle = d < 1 ? 90 * (1 / d - 1) : -90 * (d - 1);
  // Quotients of decimal shares miss whole degrees by some 1e-14; truncation must not turn that into a degree.
  return Math.trunc(angle + Math.sign(angle) * 1e-9) + 0;
}

/** The colour of an angle: |angle|·255/90, rounded, into red when the share grew and into green when it shrank; blue is the rest. */
function changeColour(angle: number): { red: number; green: number; blue: number } {
  const strength = Math.round((Math.abs(angle) * 255) / 90);
  return { red: angle < 0 ? strength : 0, green: angle > 0 ? strength : 0, blue: 255 - strength };
}

/** The arrow of an angle: up means a larger share. Less than ten degrees have none: the level arrow stands for calls alone. */
export function changeArrow(angle: number): '' | '↗' | '↘' | '↑' | '↓' {
  const size = Math.abs(angle);
  if (size < 10) return '';
  if (size < 60) return angle < 0 ? '↗' : '↘';
  return angle < 0 ? '↑' : '↓';
}
