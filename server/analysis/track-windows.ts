// The windows of tracks: windows that no pixel tells apart are one.

type Extent = { readonly from: number; readonly to: number };

export type TrackWindows = {
  /** From the begin of the first window to the end of the last one, in milliseconds since the epoch; both 0 without windows. */
  readonly whole: Extent;
  /** In the order of their begins. Windows of several JVMs may overlap. */
  readonly windows: readonly Extent[];
  /** The number of its window for each of the given times; −1 outside of the span. */
  readonly of: Int32Array;
  /** Whether a window is several of the given times. */
  readonly isJoined: boolean;
};

/**
 * Joins times that begin in the same pixel and end in the same pixel: a gap of more than a pixel stays, and no edge moves by more.
 * @param times in the order of their begins
 * @param span part of the whole, in [0, 1]; times that do not touch it are left out
 * @param pixels of the span
 */
export function trackWindows(
  times: readonly Extent[],
  [begin, end]: readonly [number, number],
  pixels: number,
): TrackWindows {
  const from = times.reduce((least, time) => Math.min(least, time.from), Number.POSITIVE_INFINITY);
  const to = times.reduce((most, time) => Math.max(most, time.to), Number.NEGATIVE_INFINITY);
  const whole = times.length === 0 ? { from: 0, to: 0 } : { from, to };
  const long = whole.to - whole.from;
  const shown = { from: whole.from + begin * long, to: whole.from + end * long };
  const pixelOf = (moment: number): number =>
    long > 0 ? Math.floor(((moment - whole.from) / long / Math.max(Number.EPSILON, end - begin)) * pixels) : 0;
  const windows: { from: number; to: number }[] = [];
  const numbers = new Map<string, number>();
  let isJoined = false;
  const of = Int32Array.from(times, time => {
    if (time.to < shown.from || time.from > shown.to) return -1;
    const key = `${pixelOf(time.from)} ${pixelOf(time.to)}`;
    const number = numbers.get(key);
    if (number === undefined) {
      numbers.set(key, windows.length);
      return windows.push({ from: time.from, to: time.to }) - 1;
    }
    const window = windows[number]!;
    window.to = Math.max(window.to, time.to);
    isJoined = true;
    return number;
  });
  return { whole, windows, of, isJoined };
}
