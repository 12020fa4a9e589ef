// Spans of time to choose from: a few consecutive ones that hold all windows of the loaded data, with their shares.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import { timeSpan } from '../../base/moment-text.ts';
import { windowTimes } from '../../cct/jvms.ts';

/** Together with "all" as many as a message can offer. */
const MOST_SPANS = 7;

/** Latest first. */
export function windowChoices({ profile, analysis }: LoadedData) {
  const windows = windowTimes(profile.windows);
  const { window, weight, length } = profile.cells[analysis.selection.metric]!;
  const weights = new Float64Array(profile.windows.length);
  for (let i = 0; i < length; i++) weights[window[i]!]! += weight[i]!;
  const all = weights.reduce((sum, own) => sum + own, 0);
  const size = Math.max(1, Math.ceil(windows.length / MOST_SPANS));
  const choices = Array.from({ length: Math.ceil(windows.length / size) }, (_, at) => {
    const some = windows.slice(at * size, (at + 1) * size);
    const own = weights.subarray(some[0]!.from, some.at(-1)!.to).reduce((sum, each) => sum + each, 0);
    const value = {
      from: some[0]!.startMillis,
      to: Math.max(...some.map(({ endMillis }) => endMillis)),
    };
    const share = all > 0 ? ` · ${((100 * own) / all).toFixed(0)}%` : '';
    return { title: `${timeSpan(value.from, value.to)}${share}`, value };
  });
  return choices.reverse();
}
