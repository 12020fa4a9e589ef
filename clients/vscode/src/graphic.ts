// The word-sized graphic of a method as a small SVG picture: callers, bar of share and self time, callees, threads, and the change.
import type { EditorChange, HintData } from 'insitu/protocol';
import { type Background, changeColour, heatColour, isDirected } from './colours.ts';
import { type HeatScale, heatLevel } from './heat.ts';

/** A picture that stands in a line of text; its size is in parts of the text's own size. */
export type Graphic = { readonly svg: string; readonly width: number; readonly height: number };

const HEIGHT = 12;
/** Pictures stand on the line that letters stand on, and so would be higher than these. */
const LOWERED = 1.5;
const BAR_WIDTH = 48;
const MARK_WIDTH = 6;
const GAP = 4;
/** From this share of a method on, a caller or callee has a mark, and a group of threads a square. */
const LEAST_AROUND = 0.1;
const LEAST_THREADS = 0.05;
const MOST_MARKS = 3;
const MOST_SQUARES = 6;
const LEAST_DEGREES = 10;
/** The empty part of a bar. */
const TRACK = { dark: { fill: '#ffffff', opacity: 0.14 }, light: { fill: '#000000', opacity: 0.1 } } as const;

type Piece = { readonly width: number; readonly draw: (left: number) => string };

/** Null where the hint does not know its surroundings, as hints of calls and lines do not. */
export function graphicOf(data: HintData, stale: boolean, scale: HeatScale, background: Background): Graphic | null {
  const { change } = data;
  const arrow = change !== undefined && hasArrow(change) ? [changeArrow(change, background)] : [];
  const { selfOfMethod, callers, callees, threads } = data;
  const known = selfOfMethod !== undefined && callers !== undefined && callees !== undefined && threads !== undefined;
  if (!known && arrow.length === 0) return null;
  const colourOf = (heat: number): string => heatColour(heatLevel(heat, scale), stale, background);
  /** Callers, callees and threads have shares of the method; their colours too go by the share of everything. */
  const colourInside = (share: number): string => colourOf(share * data.heat);
  const around = known
    ? [
        ...marks(callers.largest, LEAST_AROUND, MOST_MARKS, colourInside, callerMark),
        bar(data.heat, selfOfMethod.share, colourOf(data.heat), background),
        ...marks(callees.largest, LEAST_AROUND, MOST_MARKS, colourInside, calleeMark),
        ...marks(
          threads.groups.map(({ share }) => share),
          LEAST_THREADS,
          MOST_SQUARES,
          colourInside,
          square,
        ),
      ]
    : [];
  return beside([...arrow, ...around]);
}

function beside(pieces: readonly Piece[]): Graphic {
  let left = 0;
  const drawn = pieces.map((piece, index) => {
    const text = piece.draw(left);
    left += piece.width + (index < pieces.length - 1 ? GAP : 0);
    return text;
  });
  const size = `width="${left}" height="${HEIGHT}" viewBox="0 0 ${left} ${HEIGHT}"`;
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" ${size}><g transform="translate(0 ${LOWERED})">${drawn.join('')}</g></svg>`,
    width: left,
    height: HEIGHT,
  };
}

/** As in the text: a change that no test confirms, one of a few degrees, and one from or to nothing have none. */
function hasArrow({ verdict, angle, baseline, current }: EditorChange): boolean {
  return isDirected(verdict) && Math.abs(angle) >= LEAST_DEGREES && baseline > 0 && current > 0;
}

/** An arrow turned by the change's angle: up for a larger share. */
function changeArrow(change: EditorChange, background: Background): Piece {
  const colour = changeColour(change, background);
  const middle = HEIGHT / 2;
  // Positive angles are smaller shares, and SVG turns clockwise.
  const draw = (left: number): string =>
    `<g transform="translate(${left} 0) rotate(${change.angle} ${middle} ${middle})" stroke="${colour}" fill="none" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"><path d="M1.5 6H10.5M7 2.5L10.5 6L7 9.5"/></g>`;
  return { width: HEIGHT, draw };
}

/** As long as the share; the full part of it is the method's own. */
function bar(share: number, self: number, colour: string, background: Background): Piece {
  const whole = Math.min(Math.max(share, 0), 1) * BAR_WIDTH;
  const own = whole * Math.min(Math.max(self, 0), 1);
  const part = (left: number, width: number, fill: string, opacity = 1): string =>
    `<rect x="${rounded(left)}" y="2" width="${rounded(width)}" height="8" rx="1" fill="${fill}" fill-opacity="${opacity}"/>`;
  const draw = (left: number): string =>
    part(left, BAR_WIDTH, TRACK[background].fill, TRACK[background].opacity) +
    part(left, whole, colour, 0.5) +
    part(left, own, colour);
  return { width: BAR_WIDTH, draw };
}

function marks(
  shares: readonly number[],
  least: number,
  most: number,
  colourOf: (share: number) => string,
  shape: (left: number, colour: string) => string,
): Piece[] {
  const shown = shares.slice(0, most).filter(share => share >= least);
  if (shown.length === 0) return [];
  const draw = (left: number): string =>
    shown.map((share, index) => shape(left + index * MARK_WIDTH, colourOf(share))).join('');
  return [{ width: shown.length * MARK_WIDTH, draw }];
}

function callerMark(left: number, colour: string): string {
  return `<path d="M${left + 5} 2.5L${left} 6L${left + 5} 9.5Z" fill="${colour}"/>`;
}

function calleeMark(left: number, colour: string): string {
  return `<path d="M${left} 2.5L${left + 5} 6L${left} 9.5Z" fill="${colour}"/>`;
}

function square(left: number, colour: string): string {
  return `<rect x="${left}" y="3.5" width="5" height="5" fill="${colour}"/>`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
