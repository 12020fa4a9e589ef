// Where moments lie on the strip of time, and which of them are written below it.

/** Milliseconds since the epoch. */
export type Extent = { readonly from: number; readonly to: number };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The distances between the texts below the strip. */
const STEPS = [
  ...[1, 2, 5, 10, 30].map(count => count * SECOND),
  ...[1, 2, 5, 10, 30].map(count => count * MINUTE),
  ...[1, 3, 6, 12].map(count => count * HOUR),
  ...[1, 2, 7, 14, 28, 91, 365].map(count => count * DAY),
];

export function placeOf({ from, to }: Extent, moment: number, width: number): number {
  return to > from ? ((moment - from) / (to - from)) * width : 0;
}

export function momentAt({ from, to }: Extent, x: number, width: number): number {
  return from + (Math.max(0, Math.min(width, x)) / Math.max(1, width)) * (to - from);
}

export type Tick = { readonly moment: number; readonly text: string };

/**
 * Moments at round times of the reader's zone, at least `apart` pixels from each other.
 * @param offset milliseconds that the zone is ahead of UTC.
 */
export function ticksOf(extent: Extent, width: number, apart: number, offset: number): readonly Tick[] {
  const { from, to } = extent;
  const least = ((to - from) * apart) / Math.max(1, width);
  const step = STEPS.find(each => each >= least);
  if (step === undefined || to <= from) return [];
  const ticks: Tick[] = [];
  for (let local = Math.ceil((from + offset) / step) * step; local <= to + offset; local += step) {
    const text = new Date(local).toISOString();
    ticks.push({
      moment: local - offset,
      text: step >= DAY || local % DAY === 0 ? text.slice(5, 10) : text.slice(11, step >= MINUTE ? 16 : 19),
    });
  }
  return ticks;
}

/** The span of whole windows between two moments; null where there is none. */
export function spanOver(windows: readonly Extent[], one: number, other: number): Extent | null {
  const [first, last] = one < other ? [one, other] : [other, one];
  const touched = windows.filter(({ from, to }) => to > first && from <= last);
  const [begin, end] = [touched[0], touched.at(-1)];
  return begin === undefined || end === undefined ? null : { from: begin.from, to: end.to };
}
