// Spans of time to choose from: a few consecutive ones that hold all windows of the loaded data, with their shares.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import { timeSpan } from '../../base/moment-text.ts';
import { windowTimes } from '../../cct/jvms.ts';

/** Together with "all" as many as a message can offer. */
const MOST_SPANS = 7;

type WindowChoice = {
  readonly title: string;
  readonly value: { readonly fromMillis: number; readonly toMillis: number };
};

/** Latest first. */
export function windowChoices({ profile, analysis }: LoadedData): WindowChoice[] {
  const windows = windowTimes(profile.windows);
  const { window, weight, length } = profile.cells[analysis.selection.metric]!;
  const weights = new Float64Array(profile.windows.length);
  for (let i = 0; i < length; i++) weights[window[i]!]! += weight[i]!;
  const all = weights.reduce((sum, own) => sum + own, 0);
  const size = Math.max(1, Math.ceil(windows.length / MOST_SPANS));
  const choices: WindowChoice[] = [];
  for (let from = 0; from < windows.length; from += size) {
    const to = Math.min(windows.length, from + size);
    const [first, last] = [windows[from]!, windows[to - 1]!];
    const own = weights.subarray(first.from, last.to).reduce((sum, each) => sum + each, 0);
    const ends = windows.slice(from, to).map(({ endMillis }) => endMillis);
    const value = { fromMillis: first.startMillis, toMillis: Math.max(...ends) };
    const share = all > 0 ? ` · ${((100 * own) / all).toFixed(0)}%` : '';
    choices.push({ title: `${timeSpan(value.fromMillis, value.toMillis)}${share}`, value });
  }
  return choices.reverse();
}
