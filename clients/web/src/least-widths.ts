// The one rule of what is too narrow to be drawn: half a pixel, in a ring chart at the ring's outer radius.
import type { Span } from './page-types.ts';
import { innerRadius, type Projection } from './projections.ts';

const LEAST_PIXELS = 0.5;

/** For each row from `rows[0]` on, the last for all further: the least width as a share of the window that is asked for. */
export function leastWidths(projection: Projection, window: Span, rows: readonly [number, number]): number[] {
  if (projection.kind === 'icicle') {
    const visible = projection.visible[1] - projection.visible[0];
    return [(LEAST_PIXELS / Math.max(1, projection.width)) * (visible / (window[1] - window[0]))];
  }
  const least: number[] = [];
  for (let row = rows[0]; row < Math.max(rows[0] + 1, Math.min(rows[1], projection.rings)); row++)
    least.push(Math.min(1, LEAST_PIXELS / (2 * Math.PI * innerRadius(projection, row + 1))));
  return least;
}
