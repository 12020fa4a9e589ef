// Where fractions of a row lie on the screen: one layout, and two projections of it, as rows from top to bottom and as rings.
import type { Span } from './page-types.ts';

export const ROW_HEIGHT = 20;
/** A thinner ring could not be seen or hit. */
export const LEAST_RING = 6;
/** The width of the rim that stands for all calls deeper than the last ring. */
export const RIM = 6;

/** Deeper than that, numbers of double precision no longer tell pixels apart: take a part as root instead. */
export const LEAST_ZOOM = 1e-9;

/** Rows below each other, or above each other where callers stand above. Lengths are CSS pixels. */
export type Icicle = {
  readonly kind: 'icicle';
  readonly width: number;
  readonly height: number;
  readonly visible: Span;
  /** How far it is scrolled down. */
  readonly top: number;
  /** Row 0 at the bottom; `top` then counts from the bottom. */
  readonly upwards: boolean;
};

export type Ring = {
  readonly kind: 'ring';
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly rings: number;
  /** Rings get thinner outwards, so that all have the same area. */
  readonly area: boolean;
};

export type Projection = Icicle | Ring;

/** A place in the layout: row, and fraction of the root's width. */
export type Place = { readonly row: number; readonly fraction: number };

/** Radius of the inner edge of a ring; that of its outer edge is the one of `row + 1`. */
export function innerRadius({ radius, rings, area }: Ring, row: number): number {
  return radius * (area ? Math.sqrt(row / rings) : row / rings);
}

/** How many rings of at least 6 px there can be; the outermost one is the thinnest where areas are equal. */
export function mostRings(radius: number, area: boolean): number {
  if (radius <= LEAST_RING) return 1;
  if (!area) return Math.floor(radius / LEAST_RING);
  const inner = 1 - LEAST_RING / radius;
  return Math.max(1, Math.floor(1 / (1 - inner * inner)));
}

/** Left edge of a fraction in an icicle. */
export function xOf({ width, visible: [from, to] }: Icicle, fraction: number): number {
  return ((fraction - from) / (to - from)) * width;
}

/** Upper edge of a row in an icicle. */
export function yOf({ height, top, upwards }: Icicle, row: number): number {
  return upwards ? height + top - (row + 1) * ROW_HEIGHT : row * ROW_HEIGHT - top;
}

/** The rows of an icicle that are on the screen, the last one excluded. */
export function rowsOnScreen({ height, top }: Icicle): [number, number] {
  return [Math.max(0, Math.floor(top / ROW_HEIGHT)), Math.ceil((top + height) / ROW_HEIGHT)];
}

/** Clockwise from the top, as `arc` of a canvas counts it. */
export function angleOf(fraction: number): number {
  return 2 * Math.PI * fraction - Math.PI / 2;
}

/** The place at a point; null outside of a ring chart. */
export function placeAt(projection: Projection, x: number, y: number): Place | null {
  if (projection.kind === 'icicle') {
    const { width, height, visible, top, upwards } = projection;
    const row = Math.floor((upwards ? height + top - y : y + top) / ROW_HEIGHT);
    return { row, fraction: visible[0] + (x / width) * (visible[1] - visible[0]) };
  }
  const [dx, dy] = [x - projection.x, y - projection.y];
  const distance = Math.hypot(dx, dy) / projection.radius;
  if (distance >= 1) return null;
  const row = Math.floor((projection.area ? distance * distance : distance) * projection.rings);
  const turn = (Math.atan2(dy, dx) + Math.PI / 2) / (2 * Math.PI);
  return { row, fraction: turn < 0 ? turn + 1 : turn };
}
