// The windows of a profile as spans of time for pictures and lists, which have room for few spans.
import { windowTimes } from '../cct/jvms.ts';
import type { Analysis } from './analysis.ts';

export type TimeSpans = {
  /** Milliseconds since the epoch, in the order of time. */
  readonly spans: readonly { readonly from: number; readonly to: number }[];
  /** The span of each row of the windows; −1 for a window that is not chosen. */
  readonly spanOfWindow: Int32Array;
};

/** The chosen windows; neighbouring windows are taken as one where there are more than `most`. */
export function timeSpans({ profile, selection }: Pick<Analysis, 'profile' | 'selection'>, most: number): TimeSpans {
  const { windows: chosen } = selection;
  const times = windowTimes(profile.windows).filter(({ from }) => chosen === undefined || chosen[from] === 1);
  const size = Math.max(1, Math.ceil(times.length / most));
  const parts = Array.from({ length: Math.ceil(times.length / size) }, (_, i) => times.slice(i * size, (i + 1) * size));
  const spanOfWindow = new Int32Array(profile.windows.length).fill(-1);
  for (const [span, own] of parts.entries()) for (const { from, to } of own) spanOfWindow.fill(span, from, to);
  const spans = parts.map(own => ({
    from: own[0]!.startMillis,
    to: own.reduce((latest, { endMillis }) => Math.max(latest, endMillis), own[0]!.endMillis),
  }));
  return { spans, spanOfWindow };
}
