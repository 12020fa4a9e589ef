// Where windows of time lie beside each other: a gap in time is a gap in the picture.
import type { Span } from './page-types.ts';
import type { Extent } from './strip-scale.ts';

/** Left edge and width of each window as parts of the whole time, all equally wide where no time passes. */
export function barsOf(windows: readonly Extent[]): { readonly left: number; readonly width: number }[] {
  const from = windows.reduce((least, window) => Math.min(least, window.from), Number.POSITIVE_INFINITY);
  const to = windows.reduce((most, window) => Math.max(most, window.to), Number.NEGATIVE_INFINITY);
  if (!(to > from)) return windows.map((_, at) => ({ left: at / windows.length, width: 1 / windows.length }));
  return windows.map(window => ({
    left: (window.from - from) / (to - from),
    width: (window.to - window.from) / (to - from),
  }));
}

/** The window at a part of the whole time; in a gap the nearest one. */
export function barAt(bars: readonly { readonly left: number; readonly width: number }[], place: number): number {
  const distance = ({ left, width }: { readonly left: number; readonly width: number }): number =>
    Math.max(left - place, place - left - width, 0);
  return bars.reduce((best, bar, at) => (distance(bar) < distance(bars[best]!) ? at : best), 0);
}

/** The shown rows where only a part of the whole time is seen. */
export function zoomedBars(
  bars: readonly { readonly left: number; readonly width: number }[],
  [from, to]: Span,
): { readonly left: number; readonly width: number }[] {
  return bars.map(({ left, width }) => ({ left: (left - from) / (to - from), width: width / (to - from) }));
}
