// The question how much of each window of time is what is looked at, or one method of it.
import type { Outcome } from '../../base/problem.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { withSelection } from '../../metrics/other-metrics.ts';
import { spreadOver } from '../../metrics/spread.ts';
import { NO_METHOD, rowOfKey } from './method-list.ts';
import type { Question } from './question.ts';

type WindowShare = {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly part: Amount;
  /** Everything in the window that the same look without its focus holds. */
  readonly whole: Amount;
};

/** In the order of time; windows outside of the span are left out. `of`: key of a method; null for everything in the focus. */
export const timeline: Question<{ readonly of: string | null }, Outcome<readonly WindowShare[] | null>> = (
  data,
  { of },
  pause,
) => {
  const { analysis, profile } = data;
  const row = of === null ? null : rowOfKey(data, of);
  if (of !== null && row === null) return { value: null, problems: [NO_METHOD] };
  const { focus: _focus, ...selection } = analysis.selection;
  const parts = spreadOver(analysis, 'window', row === null ? null : [row], pause);
  pause();
  const wholes = spreadOver(withSelection(analysis, selection), 'window', null, pause);
  const rows = profile.windows.flatMap(({ startMillis, endMillis }, at): WindowShare[] => {
    if (selection.windows !== undefined && selection.windows[at] !== 1) return [];
    const of = ({ weight, count }: typeof parts) => ({ weight: weight[at]!, count: count[at]! });
    return [{ from: startMillis, to: endMillis, part: of(parts), whole: of(wholes) }];
  });
  return { value: rows.sort((one, other) => one.from - other.from || one.to - other.to), problems: [] };
};
