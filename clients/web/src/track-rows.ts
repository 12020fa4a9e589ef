// The rows of tracks: groups of threads, single threads of unfolded groups, and how dense their kinds are at each pixel.
import type { TracksHeader } from 'insitu/views';
import type { Tracks } from './frame-decoder.ts';
import type { Extent } from './strip-scale.ts';

export type TrackRow = TracksHeader['tracks'][number] & {
  /** A key that lasts as long as the name of the group or thread; for a group `JSON.stringify([group, name])`. */
  readonly key: string;
  readonly isOpen: boolean;
  /** The place among the siblings, from 1 on, and how many siblings there are. */
  readonly place: readonly [at: number, of: number];
  /** Pixels above it. */
  readonly top: number;
};

/** The cells of one row: the weight in each window of each kind. */
export type TrackCells = Tracks['columns'] & Pick<TracksHeader, 'windows' | 'kinds'>;

export const HEIGHTS = { 1: 28, 2: 14 } as const;

export function trackRows({ tracks }: TracksHeader): TrackRow[] {
  const groups = tracks.reduce((sum, { level }) => sum + (level === 1 ? 1 : 0), 0);
  const rows: TrackRow[] = [];
  let [group, at, below, top] = ['', 0, 0, 0];
  let parent: TracksHeader['tracks'][number] | null = null;
  for (const [row, track] of tracks.entries()) {
    const own = JSON.stringify([track.group, track.name]);
    const isOpen = track.level === 1 && tracks[row + 1]?.level === 2;
    if (track.level === 1) {
      [group, at, below, parent] = [own, at + 1, 0, track];
      rows.push({ ...track, key: own, isOpen, place: [at, groups], top });
    } else {
      below++;
      rows.push({ ...track, key: `${group} ${track.name}`, isOpen, place: [below, parent?.threads ?? 0], top });
    }
    top += HEIGHTS[track.level];
  }
  return rows;
}

/** The rows that have something between two heights, as numbers of the first one and the one behind the last. */
export function rowsBetween(rows: readonly TrackRow[], top: number, bottom: number): readonly [number, number] {
  const behind = (height: number, found: (row: TrackRow) => number): number => {
    let [least, most] = [0, rows.length];
    while (least < most) {
      const middle = (least + most) >> 1;
      if (found(rows[middle]!) > height) most = middle;
      else least = middle + 1;
    }
    return least;
  };
  const first = behind(top, row => row.top + HEIGHTS[row.level]);
  return [
    first,
    Math.max(
      first,
      behind(bottom - 1, row => row.top),
    ),
  ];
}

/** The cells of each row in an answer, by the row's key; rows without cells are left out. */
export function cellsByKey({ header, columns }: Tracks, rows: readonly TrackRow[]): Map<string, TrackCells> {
  const { windows, kinds } = header;
  const found = new Map<string, TrackCells>();
  let at = 0;
  for (const { key, cells } of rows) {
    const of = [at, at + cells] as const;
    at += cells;
    if (cells === 0) continue;
    const own = { window: columns.window.subarray(...of), kind: columns.kind.subarray(...of) };
    found.set(key, { ...own, weight: columns.weight.subarray(...of), windows, kinds });
  }
  return found;
}

/** The weight of each kind in a unit of time: all kinds at the first pixel, then at the next. */
export type Densities = { readonly values: Float64Array; readonly most: number };

/** The densities over the time of `extent`, on `width` pixels; 0 in a gap. */
export function densitiesOf({ windows, kinds, ...columns }: TrackCells, extent: Extent, width: number): Densities {
  const values = new Float64Array(width * kinds.length);
  const scale = width / Math.max(1, extent.to - extent.from);
  for (let row = 0; row < columns.window.length; row++) {
    const window = windows[columns.window[row] ?? 0];
    if (window === undefined) continue;
    const left = (window.from - extent.from) * scale;
    // Windows without a length are seen too.
    const right = Math.max((window.to - extent.from) * scale, left + 1e-3);
    const density = (columns.weight[row] ?? 0) / (right - left);
    const kind = columns.kind[row] ?? 0;
    const end = Math.min(width, Math.ceil(right));
    for (let pixel = Math.max(0, Math.floor(left)); pixel < end; pixel++) {
      const covered = Math.min(right, pixel + 1) - Math.max(left, pixel);
      values[pixel * kinds.length + kind]! += density * covered;
    }
  }
  let most = 0;
  for (let pixel = 0; pixel < width; pixel++) {
    let sum = 0;
    for (let kind = 0; kind < kinds.length; kind++) sum += values[pixel * kinds.length + kind]!;
    most = Math.max(most, sum);
  }
  return { values, most };
}

/** The weight of each kind of a row in the windows at a moment, most first; nothing in a gap. */
export function kindsAt(
  { windows, ...columns }: TrackCells,
  moment: number,
): { readonly window: Extent | null; readonly kinds: readonly (readonly [kind: number, weight: number])[] } {
  const sums = new Map<number, number>();
  const isAround = (window: Extent): boolean =>
    window.from <= moment && (moment < window.to || window.from === window.to);
  const around = windows.filter(isAround);
  const window =
    around.length === 0
      ? null
      : { from: Math.min(...around.map(each => each.from)), to: Math.max(...around.map(each => each.to)) };
  for (let row = 0; row < columns.window.length; row++) {
    const own = windows[columns.window[row] ?? 0];
    if (own === undefined || !isAround(own)) continue;
    const kind = columns.kind[row] ?? 0;
    sums.set(kind, (sums.get(kind) ?? 0) + (columns.weight[row] ?? 0));
  }
  return { window, kinds: [...sums].sort(([, a], [, b]) => b - a) };
}

/**
 * Paints densities as stacks into pixels of 32 bits, the first kind of `order` at the bottom; the densest pixel fills the height.
 * @param colours by kind, as pixels have them
 */
export function paintTrack(
  pixels: Uint32Array,
  { width, height }: { readonly width: number; readonly height: number },
  { values, most }: Densities,
  order: readonly number[],
  colours: readonly number[],
): void {
  if (most === 0) return;
  const kinds = colours.length;
  for (let x = 0; x < width; x++) {
    let sum = 0;
    let floor = height;
    for (const kind of order) {
      sum += values[x * kinds + kind]!;
      const top = height - Math.round((sum / most) * height);
      for (let y = top; y < floor; y++) pixels[y * width + x] = colours[kind]!;
      floor = Math.min(floor, top);
    }
  }
}
