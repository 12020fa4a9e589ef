// The cells of tracks that are asked for: the visible rows and time and a little more, as fine as the pixels.
import type { AskTracks } from 'insitu/views';
import type { Span } from './page-types.ts';

export type Wanted = Pick<AskTracks, 'rows' | 'span' | 'pixels'>;

/** Rows that are asked for above and below the visible ones. */
const ROWS_BESIDE = 20;
/** A span is asked anew when less than this part of it is seen. */
const LEAST_SEEN = 1 / 4;
const MOST_PIXELS = 16_384;

/** A power of two, so that a little more width asks for nothing new. */
function pixelsOf(width: number): number {
  return Math.min(MOST_PIXELS, 2 ** Math.ceil(Math.log2(Math.max(512, width))));
}

export type Seen = {
  readonly rows: readonly [from: number, to: number];
  readonly zoom: Span;
  /** In pixels of the screen. */
  readonly width: number;
};

/** The wish for the cells of the visible part: the same wish while it covers that part. */
export function wishFor(before: Wanted, seen: Seen, isJoined: boolean): Wanted {
  const [first, end] = seen.rows;
  const hasRows = first >= before.rows[0] && end <= before.rows[1];
  const rows = hasRows ? before.rows : ([Math.max(0, first - ROWS_BESIDE), end + ROWS_BESIDE] as const);
  const [from, to] = seen.zoom;
  const long = to - from;
  const isIn = from >= before.span[0] && to <= before.span[1];
  const whole = before.span[1] - before.span[0];
  const hasPixels = before.pixels >= pixelsOf((seen.width * whole) / long);
  const isSharp = !isJoined || (hasPixels && long >= LEAST_SEEN * whole);
  if (isIn && isSharp) return hasRows ? before : { ...before, rows };
  const span = [Math.max(0, from - long), Math.min(1, to + long)] as const;
  return { rows, span, pixels: pixelsOf((seen.width * (span[1] - span[0])) / long) };
}
