// Tells what a profile could not take as it stood in the file: names and amounts beyond what any real program has.
import type { ProfileBuilder } from '../cct/builder.ts';
import { LARGEST_AMOUNT, LONGEST_TEXT } from '../cct/limits.ts';
import type { ProblemList } from './problem-list.ts';

/** To be called once a file, when everything has been added. */
export function sayLimits({ shortenedTexts, clampedAmounts }: ProfileBuilder, problems: ProblemList): void {
  if (shortenedTexts > 0) {
    const message = `${shortenedTexts} names of more than ${LONGEST_TEXT} characters were shortened`;
    problems.say('warning', message);
  }
  if (clampedAmounts > 0) {
    const message = `${clampedAmounts} counts or weights that are negative, no number, or above ${LARGEST_AMOUNT} were clamped`;
    problems.say('warning', message);
  }
}
