// How a share moved against a baseline, and the words for it.
import { isDirected, type Verdict } from '../../model/verdict.ts';
import { type Comparison, changeArrow } from './comparison.ts';
import type { MethodEvidence } from './questions/evidence.ts';

/** How a share moved. Shares are fractions of 1; it is to be drawn neutral unless its verdict is `slower` or `faster`. */
export type ComparedShare = Comparison & {
  readonly baseline: number;
  readonly current: number;
  /** `new`: the baseline has no sample of the method or call; `gone`: only the baseline has. */
  readonly presence: 'both' | 'new' | 'gone';
  /** JVMs of each side behind the verdict; null where they were not asked. */
  readonly jvms: MethodEvidence['jvms'] | null;
};

/**
 * `↗ +9`: the share grew by nine percentage points. A change that no test confirms is the number alone, however large: `+9`. What one
 * side does not have is `new` or `gone`.
 */
export function changeText({ baseline, current, angle, verdict, presence }: ComparedShare): string {
  if (presence !== 'both') return presence;
  const points = (current - baseline) * 100;
  const size = Math.abs(points);
  const digits = size >= 1 || size < 0.005 ? 0 : size >= 0.1 ? 1 : 2;
  const number = size.toFixed(digits);
  if (Number(number) === 0) return '±0';
  const arrow = isDirected(verdict) ? changeArrow(angle) : '';
  return `${arrow}${arrow === '' ? '' : ' '}${points < 0 ? '−' : '+'}${number}`;
}

const VERDICT_TEXT: Readonly<Record<Verdict, string>> = {
  notTested: 'not tested',
  cannotTell: 'the test cannot tell',
  same: 'the same',
  slower: 'slower',
  faster: 'faster',
};

/** `+9 (not tested)`: with what a test says of it; `new` and `gone` need no test. */
export function changeInProse(change: ComparedShare): string {
  const text = changeText(change);
  if (change.presence !== 'both') return text;
  const isFew = change.verdict === 'notTested' && change.jvms !== null;
  const reason = isFew
    ? `: ${change.jvms[0] === 1 ? '1 JVM' : `${change.jvms[0]} JVMs`} before, ${change.jvms[1]} now`
    : '';
  return `${text} (${VERDICT_TEXT[change.verdict]}${reason})`;
}
