// The rows of tracks: groups of threads, single threads of unfolded groups, and how dense their kinds are at each pixel.
import type { Tracks } from './frame-decoder.ts';
import type { Extent } from './strip-scale.ts';

export type TrackRow = {
  /** Lasts as long as the group or thread has its name. */
  readonly key: string;
  readonly name: string;
  readonly group: string;
  readonly level: 1 | 2;
  readonly weight: number;
  readonly running: number;
  /** Number of threads that a group unfolds to; 0 for single threads. */
  readonly threads: number;
  readonly isOpen: boolean;
  /** Its rows of the columns: the first one, and the one behind the last. */
  readonly rows: readonly [from: number, to: number];
};

export const HEIGHTS = { 1: 28, 2: 14 } as const;

export function trackRows({ header }: Tracks, unfolded: ReadonlySet<string>): TrackRow[] {
  const found: TrackRow[] = [];
  let at = 0;
  for (const { threads, ...group } of header.groups) {
    const key = JSON.stringify([group.group, group.name]);
    const isOpen = threads.length > 1 && unfolded.has(key);
    const from = at;
    const single = threads.map((thread): TrackRow => {
      const begin = at;
      at += thread.rows;
      const { name, weight, running } = thread;
      const own = { name, weight, running, group: group.group, rows: [begin, at] as const };
      return { key: `${key} ${name}`, level: 2, threads: 0, isOpen: false, ...own };
    });
    const count = threads.length > 1 ? threads.length : 0;
    found.push({ key, level: 1, threads: count, isOpen, rows: [from, at], ...group });
    if (isOpen) found.push(...single);
  }
  return found;
}

/** Pixel by pixel how much of each kind there is in a unit of time; kinds stand one after the other. */
export type Densities = { readonly values: Float64Array; readonly most: number };

/** Of the time of `extent`, on so many pixels. A gap in time has nothing. */
export function densitiesOf(
  { header, columns }: Tracks,
  [from, to]: TrackRow['rows'],
  extent: Extent,
  width: number,
): Densities {
  const { windows, kinds } = header;
  const values = new Float64Array(width * kinds.length);
  const scale = width / Math.max(1, extent.to - extent.from);
  for (let row = from; row < to; row++) {
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

/** What a row has of each kind in the windows at a moment, most first; nothing in a gap. */
export function kindsAt(
  { header, columns }: Tracks,
  [from, to]: TrackRow['rows'],
  moment: number,
): { readonly window: Extent | null; readonly kinds: readonly (readonly [kind: number, weight: number])[] } {
  const sums = new Map<number, number>();
  const isAround = (window: Extent): boolean =>
    window.from <= moment && (moment < window.to || window.from === window.to);
  const around = header.windows.filter(isAround);
  const window =
    around.length === 0
      ? null
      : { from: Math.min(...around.map(each => each.from)), to: Math.max(...around.map(each => each.to)) };
  for (let row = from; row < to; row++) {
    const own = header.windows[columns.window[row] ?? 0];
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
