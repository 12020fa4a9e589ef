// The question how long methods took from entry to exit, by caller and over time.
import { type MethodResponseTimes, responseTimesOf } from '../../metrics/response-times.ts';
import type { Question } from './question.ts';

/** Of each set, taken as one method; null where nothing recorded it. They are of all threads and of no focus, in the windows looked at. */
export const responseTimes: Question<
  { readonly sets: readonly (readonly number[])[] },
  readonly (MethodResponseTimes | null)[]
> = ({ profile, analysis }, { sets }) => responseTimesOf(profile, sets, analysis.selection.windows);
