// The question how much of each window of time is what is looked at, or one method of it.
import { windowTimes } from '../../cct/jvms.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { withSelection } from '../../metrics/other-metrics.ts';
import { spreadOver } from '../../metrics/spread.ts';
import type { Question } from './question.ts';

type WindowShare = {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly part: Amount;
  /** Everything in the window that the same look without its focus and path holds. */
  readonly whole: Amount;
};

/** In the order of time; windows outside of the span are left out. `methods`: rows that are taken as one; null for everything in the focus and on the path. */
export const timeline: Question<{ readonly methods: readonly number[] | null }, readonly WindowShare[]> = (
  { analysis, profile },
  { methods },
  pause,
) => {
  const { focus: _focus, path: _path, ...selection } = analysis.selection;
  const parts = spreadOver(analysis, 'window', methods, pause);
  pause();
  const wholes = spreadOver(withSelection(analysis, selection), 'window', null, pause);
  return windowTimes(profile.windows).flatMap(({ startMillis, endMillis, from, to }): WindowShare[] => {
    if (selection.windows !== undefined && selection.windows[from] !== 1) return [];
    const sum = (column: Float64Array) => column.subarray(from, to).reduce((all, each) => all + each, 0);
    const of = ({ weight, count }: typeof parts) => ({ weight: sum(weight), count: sum(count) });
    return [{ from: startMillis, to: endMillis, part: of(parts), whole: of(wholes) }];
  });
};
