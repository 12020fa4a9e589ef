// The question how much of each window of time is what is looked at, or one method of it.
import { windowTimes } from '../../cct/jvms.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { withSelection } from '../../metrics/other-metrics.ts';
import { hottestOfWindows } from '../../metrics/own-times.ts';
import { spreadOver } from '../../metrics/spread.ts';
import type { LoadedData } from '../loaded-data.ts';
import type { Question } from './question.ts';

type WindowShare = {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly part: Amount;
  /** Everything in the window that the same look without its focus and path holds. */
  readonly whole: Amount;
  /** Methods with most own time in the window, by their rows, the hottest first. */
  readonly hottest: readonly { readonly method: number; readonly own: Amount }[];
};

type TimelineWish = {
  /** Rows that are taken as one; null for everything in the focus and on the path. */
  readonly methods: readonly number[] | null;
  /** Methods that each window names. */
  readonly hottest: number;
};

/** In the order of time; windows outside of the span are left out. */
export const timeline: Question<TimelineWish, readonly WindowShare[]> = (data, { methods, hottest }, pause) => {
  const { analysis, profile } = data;
  const { focus: _focus, path: _path, ...selection } = analysis.selection;
  const parts = spreadOver(analysis, 'window', methods, pause);
  pause();
  const wholes = spreadOver(withSelection(analysis, selection), 'window', null, pause);
  const shown = windowTimes(profile.windows).filter(({ from }) => selection.windows?.[from] !== 0);
  pause();
  const named = hottest > 0 ? hottestIn(data, shown, hottest) : [];
  return shown.map(({ startMillis, endMillis, from, to }, at) => {
    const sum = (column: Float64Array) => column.subarray(from, to).reduce((all, each) => all + each, 0);
    const of = ({ weight, count }: typeof parts) => ({ weight: sum(weight), count: sum(count) });
    return { from: startMillis, to: endMillis, part: of(parts), whole: of(wholes), hottest: named[at] ?? [] };
  });
};

function hottestIn(
  { analysis, profile, values, own }: LoadedData,
  shown: readonly { readonly from: number; readonly to: number }[],
  most: number,
) {
  const groupOfWindow = new Int32Array(profile.windows.length).fill(-1);
  for (const [group, { from, to }] of shown.entries()) groupOfWindow.fill(group, from, to);
  return hottestOfWindows(analysis, own.isOwn, { groupOfWindow, groups: shown.length, own: values.own, most });
}
