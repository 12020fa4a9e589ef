// Draws a frame in either projection: boxes with their names, runs of what is too narrow, hits, glow and the selection.

import { BOX_FLAG } from 'insitu/views';
import { shareText } from './amount-words.ts';
import type { BoxFills } from './box-fills.ts';
import type { Label, Pen, Rectangle, Sector, Shape } from './drawing-pen.ts';
import { FONT_SIZE } from './drawing-pen.ts';
import type { Frame } from './frame-decoder.ts';
import { rangeIn } from './hit-test.ts';
import { fitted } from './name-trimming.ts';
import type { Mapping } from './page-types.ts';
import { textColour } from './palette.ts';
import {
  angleOf,
  innerRadius,
  type Projection,
  RIM,
  type Ring,
  ROW_HEIGHT,
  rowsOnScreen,
  xOf,
  yOf,
} from './projections.ts';

/** Colours of what is not a box; system colours where the user wants those. */
export type Inks = {
  readonly background: string;
  readonly text: string;
  readonly selection: string;
  readonly hit: string;
  readonly recent: string;
  readonly hatch: string;
  /** Of the strip of time: bars, what is behind them, and times below. */
  readonly bar: string;
  readonly track: string;
  readonly axis: string;
  /** Instead of all colours of boxes; null for their own. */
  readonly box: string | null;
};

export type Scene = {
  readonly frame: Frame;
  readonly mapping: Mapping;
  readonly projection: Projection;
  readonly fills: BoxFills;
  readonly inks: Inks;
  /** Boxes; −1 for none. */
  readonly selected: number;
  readonly hovered: number;
  /** Row of the frame's methods; −1 for none. */
  readonly highlighted: number;
  readonly recent: ((box: number) => number) | null;
  /** Whether hits of the search lie below the box, in rows that are not drawn. */
  readonly leadsToHit?: (box: number) => boolean;
};

const LEAST_HIT = 3;
const LEAST_LABEL = 22;
const PADDING = 4;

/** Where a span of a row lies. */
export function shapeOf(projection: Projection, row: number, start: number, end: number): Shape {
  if (projection.kind === 'icicle') {
    const x = xOf(projection, start);
    return { kind: 'rectangle', x, y: yOf(projection, row), width: xOf(projection, end) - x, height: ROW_HEIGHT - 1 };
  }
  return {
    kind: 'sector',
    x: projection.x,
    y: projection.y,
    inner: innerRadius(projection, row),
    outer: innerRadius(projection, row + 1),
    from: angleOf(start),
    to: angleOf(end),
  };
}

/** A visible box or run, in the order of drawing. */
type Drawn = { readonly box: number; readonly row: number; readonly shape: Shape };

export function shapeOfBox({ frame: { boxes }, mapping, projection }: Scene, box: number): Shape {
  const place = (fraction: number): number => fraction * mapping.scale + mapping.shift;
  const [start, end] = [place(boxes.start[box] ?? 0), place(boxes.end[box] ?? 0)];
  return shapeOf(projection, (boxes.row[box] ?? 0) - mapping.rows, start, end);
}

/** Length along the row, in pixels. */
function lengthOf(shape: Shape): number {
  return shape.kind === 'rectangle' ? shape.width : (shape.to - shape.from) * shape.outer;
}

function widened(shape: Shape, least: number, projection: Projection): Shape {
  const missing = least - lengthOf(shape);
  if (missing <= 0) return shape;
  if (shape.kind === 'rectangle') {
    const most = projection.kind === 'icicle' ? projection.width - least : Number.POSITIVE_INFINITY;
    return { ...shape, x: Math.max(0, Math.min(most, shape.x - missing / 2)), width: least };
  }
  const half = missing / 2 / shape.outer;
  return { ...shape, from: shape.from - half, to: shape.to + half };
}

/** Wide boxes leave a pixel to the next one. */
function parted(shape: Shape): Shape {
  if (shape.kind === 'rectangle') return shape.width > 3 ? { ...shape, width: shape.width - 1 } : shape;
  return shape;
}

function visibleSpan(projection: Projection, mapping: Mapping): [number, number] {
  const [from, to] = projection.kind === 'icicle' ? projection.visible : [0, 1];
  return [(from - mapping.shift) / mapping.scale, (to - mapping.shift) / mapping.scale];
}

function visibleRows(projection: Projection): [number, number] {
  return projection.kind === 'icicle' ? rowsOnScreen(projection) : [0, projection.rings];
}

export function paint(pen: Pen, scene: Scene): void {
  const { frame, mapping, projection, fills, inks, recent } = scene;
  const { boxes, rows, firstRow } = frame;
  const [from, to] = visibleSpan(projection, mapping);
  const [top, bottom] = visibleRows(projection);
  const later: Drawn[] = [];
  for (let row = top; row < bottom; row++) {
    const inFrame = row + mapping.rows;
    const sorted = rows[inFrame - firstRow];
    const [first, last] = rangeIn(frame, inFrame, from, to);
    for (let at = first; at < last; at++) {
      const box = sorted?.[at] ?? 0;
      if ((boxes.end[box] ?? 0) < from) continue;
      const shape = shapeOfBox(scene, box);
      const fill = inks.box ?? fills.fillOf(box);
      pen.fill(parted(shape), fill);
      const isHatched = inks.box === null && fills.isHatched(box);
      if (isHatched) pen.hatch(parted(shape), inks.hatch);
      if (lengthOf(shape) > 3 && inks.box !== null) pen.outline(shape, inks.text, 1);
      else if (lengthOf(shape) > 3 && shape.kind === 'sector') pen.outline(shape, inks.background, 0.75);
      if (lengthOf(shape) >= LEAST_LABEL)
        writeName(pen, scene, box, shape, {
          colour: inks.box === null ? textColour(fill) : inks.text,
          paper: isHatched ? fill : null,
        });
      const isMarked = ((boxes.flags[box] ?? 0) & BOX_FLAG.hit) !== 0 || (recent?.(box) ?? 0) > 0.1;
      if (isMarked || (boxes.method[box] === scene.highlighted && scene.highlighted >= 0))
        later.push({ box, row, shape });
      if (projection.kind === 'ring' && row === bottom - 1) paintRim(pen, scene, projection, box, shape);
      if (scene.leadsToHit?.(box) === true) pen.fill(outerEdge(widened(shape, LEAST_HIT, projection)), inks.hit);
    }
    paintCuts(pen, scene, row, from, to);
  }
  for (const drawn of later) paintMark(pen, scene, drawn);
  // Above a root whose frame is still awaited there is no place.
  for (const [box, width] of [
    [scene.hovered, 1],
    [scene.selected, 2],
  ] as const)
    if (box >= 0 && (boxes.row[box] ?? 0) >= mapping.rows)
      outlineTwice(pen, widened(shapeOfBox(scene, box), LEAST_HIT, projection), inks, width);
}

/** Readable on any colour below. */
function outlineTwice(pen: Pen, shape: Shape, inks: Inks, width: number): void {
  pen.outline(shape, inks.background, width + 2);
  pen.outline(shape, inks.selection, width);
}

function paintMark(pen: Pen, { frame, inks, recent, highlighted, projection }: Scene, { box, shape }: Drawn): void {
  const glow = recent?.(box) ?? 0;
  if (glow > 0.1) pen.outline(inset(shape, 1), inks.recent, 1 + 2 * Math.min(1, glow));
  const isHit = ((frame.boxes.flags[box] ?? 0) & BOX_FLAG.hit) !== 0;
  if (!isHit && frame.boxes.method[box] !== highlighted) return;
  markHit(pen, shape, inks, projection);
}

/** At least 3 px wide; an outline of less than twice that would be nothing but outline. */
function markHit(pen: Pen, shape: Shape, inks: Inks, projection: Projection): void {
  if (lengthOf(shape) < 2 * LEAST_HIT) pen.fill(widened(shape, LEAST_HIT, projection), inks.hit);
  else pen.outline(inset(shape, 1), inks.hit, 2);
}

/** The edge of a box towards what it calls. */
function outerEdge(shape: Shape): Shape {
  if (shape.kind === 'rectangle') return { ...shape, y: shape.y + shape.height - LEAST_HIT, height: LEAST_HIT };
  return { ...shape, inner: shape.outer - LEAST_HIT };
}

function inset(shape: Shape, by: number): Shape {
  if (shape.kind === 'rectangle')
    return {
      ...shape,
      x: shape.x + by,
      y: shape.y + by,
      width: Math.max(0, shape.width - 2 * by - 1),
      height: shape.height - 2 * by,
    };
  return { ...shape, inner: shape.inner + by, outer: shape.outer - by };
}

function paintCuts(pen: Pen, { frame, mapping, projection, inks }: Scene, row: number, from: number, to: number): void {
  const { cuts, cutRows, firstRow } = frame;
  const place = (fraction: number): number => fraction * mapping.scale + mapping.shift;
  for (const cut of cutRows[row + mapping.rows - firstRow] ?? []) {
    const [start, end] = [cuts.start[cut] ?? 0, cuts.end[cut] ?? 0];
    if (end < from || start > to) continue;
    const shape = shapeOf(projection, row, place(start), place(end));
    if (lengthOf(shape) >= 1) pen.hatch(shape, inks.hatch);
    if ((cuts.hits[cut] ?? 0) > 0) markHit(pen, shape, inks, projection);
    if (shape.kind === 'rectangle' && shape.width > 70) {
      const text = fitted(cutNames(frame, cut), shape.width - 2 * PADDING, pen.widthOf);
      const middle = shape.y + shape.height / 2;
      const paper: Rectangle = {
        ...shape,
        x: shape.x + 2,
        width: pen.widthOf(text) + 4,
        y: shape.y + 2,
        height: shape.height - 4,
      };
      pen.fill(paper, inks.background);
      pen.write({ text, x: shape.x + PADDING, y: middle, align: 'left', turn: 0, colour: inks.text });
    }
  }
}

/** `214 more, 3.1 %`, and shorter. */
function cutNames({ cuts, header }: Frame, cut: number): string[] {
  const more = `${cuts.parts[cut] ?? 0} more`;
  const amount = { weight: cuts.weight[cut] ?? 0, count: cuts.count[cut] ?? 0 };
  return [`${more}, ${shareText(amount, header.whole)}`, more];
}

/** Says that there is more outside of the last ring. */
function paintRim(pen: Pen, { frame, inks }: Scene, ring: Ring, box: number, shape: Shape): void {
  if (((frame.boxes.flags[box] ?? 0) & BOX_FLAG.deeper) === 0 || shape.kind !== 'sector') return;
  pen.fill({ ...shape, inner: ring.radius + 2, outer: ring.radius + RIM - 1 }, inks.hatch);
}

type Placed = Omit<Label, 'colour'>;

/** `paper` is put below a name that would stand on lines. */
type NameInks = { readonly colour: string; readonly paper: string | null };

function writeName(pen: Pen, scene: Scene, box: number, shape: Shape, { colour, paper }: NameInks): void {
  const names = scene.fills.namesOf(box);
  const labels = shape.kind === 'rectangle' ? nameInRow(pen, scene, shape, names) : nameInRing(pen, shape, names);
  for (const label of labels) {
    if (paper !== null && shape.kind === 'rectangle') {
      const width = Math.min(pen.widthOf(label.text) + 4, shape.x + shape.width - label.x);
      pen.fill({ ...shape, x: label.x - 2, width, y: shape.y + 2, height: shape.height - 4 }, paper);
    }
    pen.write({ ...label, colour });
  }
}

/** A box that begins left of the screen keeps its name in view. */
function nameInRow(pen: Pen, { projection }: Scene, shape: Rectangle, names: readonly string[]): Placed[] {
  const screen = projection.kind === 'icicle' ? projection.width : 0;
  const left = Math.max(0, shape.x);
  const width = Math.min(screen, shape.x + shape.width) - left - 2 * PADDING;
  if (width < LEAST_LABEL - 2 * PADDING) return [];
  const text = fitted(names, width, pen.widthOf);
  return text === '' ? [] : [{ text, x: left + PADDING, y: shape.y + shape.height / 2 + 0.5, align: 'left', turn: 0 }];
}

/** Where a line of text fits between the edges of a ring: straight if the name fits as it is, else bent. */
function nameInRing(pen: Pen, sector: Sector, names: readonly string[]): Placed[] {
  const { x, y, inner, outer, from, to } = sector;
  const half = FONT_SIZE / 2 + 1;
  if (inner === 0) {
    const text = fitted(names, 2 * Math.sqrt(Math.max(0, outer * outer - half * half)) - 2 * PADDING, pen.widthOf);
    return [{ text, x, y, align: 'center', turn: 0 }];
  }
  if (outer - inner < 2 * half) return [];
  // The longest line is as near to the inner edge as it gets.
  const chord = 2 * Math.sqrt(Math.max(0, outer * outer - (inner + 2 * half + 0.5) ** 2));
  const angle = (to - from) / 2;
  const wedge = angle >= Math.PI / 2 ? chord : 2 * inner * Math.tan(angle);
  const width = Math.min(chord, wedge) - PADDING;
  const arc = (to - from) * inner - 2 * PADDING;
  const straight = names.find(name => pen.widthOf(name) <= width);
  if (straight === undefined && arc > width) return bent(pen, sector, fitted(names, arc, pen.widthOf));
  const text = straight ?? fitted(names, width, pen.widthOf);
  if (text === '') return [];
  const turn = (from + to) / 2;
  const upright = Math.sin(turn) > 0 ? -Math.PI / 2 : Math.PI / 2;
  const middle = inner + half + 0.5;
  return [{ text, ...pointAt({ x, y }, middle, turn), align: 'center', turn: turn + upright }];
}

function pointAt(
  centre: { readonly x: number; readonly y: number },
  radius: number,
  turn: number,
): { x: number; y: number } {
  return { x: centre.x + radius * Math.cos(turn), y: centre.y + radius * Math.sin(turn) };
}

/** Letter by letter along the middle of the ring; in the lower half from right to left, so that no letter stands on its head. */
function bent(pen: Pen, { x, y, inner, outer, from, to }: Sector, text: string): Placed[] {
  const middle = (inner + outer) / 2;
  const centre = (from + to) / 2;
  const direction = Math.sin(centre) > 0 ? -1 : 1;
  let turn = centre - (direction * pen.widthOf(text)) / middle / 2;
  return Array.from(text, letter => {
    const step = (direction * pen.widthOf(letter)) / middle;
    const at = turn + step / 2;
    turn += step;
    return { text: letter, ...pointAt({ x, y }, middle, at), align: 'center', turn: at + (direction * Math.PI) / 2 };
  });
}
