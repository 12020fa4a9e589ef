// The verdicts of a test about changes against the baseline: of a box, as words, and as the sign before a name.
import { VERDICTS, type Verdict } from 'insitu/views';
import type { Frame } from './frame-decoder.ts';

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  notTested: 'not tested',
  cannotTell: 'the test cannot tell',
  same: 'the same',
  slower: '▲ slower',
  faster: '▼ faster',
};

export function verdictOf({ baseline }: Frame, box: number): Verdict {
  return VERDICTS[baseline?.verdict[box] ?? 0] ?? 'notTested';
}

/** Colour never says a direction alone. */
export function directionMark(verdict: Verdict): string {
  return verdict === 'slower' ? '▲ ' : verdict === 'faster' ? '▼ ' : '';
}
