// Draws shapes and labels on a 2D canvas, sharp at any ratio of pixels.
import { FONT_FAMILY, FONT_SIZE, type Label, type Pen, type Shape } from './drawing-pen.ts';

const FONT = `${FONT_SIZE}px ${FONT_FAMILY}`;
const HATCH_SIZE = 6;

/** Widths of characters in the font of pictures: names are long and many, letters are few. */
class CharacterWidths {
  readonly #known = new Map<string, number>();
  readonly #context: CanvasRenderingContext2D;

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  widthOf = (text: string): number => {
    let width = 0;
    for (const character of text) {
      let known = this.#known.get(character);
      if (known === undefined) {
        this.#context.font = FONT;
        known = this.#context.measureText(character).width;
        this.#known.set(character, known);
      }
      width += known;
    }
    return width;
  };
}

const widths = new CharacterWidths(document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D);

export function widthOfText(text: string): number {
  return widths.widthOf(text);
}

function trace(context: CanvasRenderingContext2D, shape: Shape): void {
  context.beginPath();
  if (shape.kind === 'rectangle') {
    context.rect(shape.x, shape.y, shape.width, shape.height);
    return;
  }
  const { x, y, inner, outer, from, to } = shape;
  context.arc(x, y, outer, from, to);
  if (inner > 0) context.arc(x, y, inner, to, from, true);
  else if (to - from < 2 * Math.PI) context.lineTo(x, y);
  context.closePath();
}

function hatching(context: CanvasRenderingContext2D, colour: string, ratio: number): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = tile.height = HATCH_SIZE * ratio;
  const tileContext = tile.getContext('2d');
  if (tileContext === null) return colour;
  tileContext.scale(ratio, ratio);
  tileContext.strokeStyle = colour;
  tileContext.lineWidth = 1.2;
  tileContext.beginPath();
  for (const shift of [-HATCH_SIZE, 0, HATCH_SIZE]) {
    tileContext.moveTo(shift, HATCH_SIZE);
    tileContext.lineTo(shift + HATCH_SIZE, 0);
  }
  tileContext.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern ?? colour;
}

/** `ratio`: device pixels of a CSS pixel. */
export function canvasPen(context: CanvasRenderingContext2D, ratio: number): Pen {
  const snapped = (length: number): number => Math.round(length * ratio) / ratio;
  const hatches = new Map<string, CanvasPattern | string>();
  context.font = FONT;
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  const fill = (shape: Shape, style: string | CanvasPattern): void => {
    if (context.fillStyle !== style) context.fillStyle = style;
    if (shape.kind === 'rectangle') {
      const [left, right] = [snapped(shape.x), snapped(shape.x + shape.width)];
      context.fillRect(left, shape.y, Math.max(right - left, 1 / ratio), shape.height);
    } else {
      trace(context, shape);
      context.fill();
    }
  };
  return {
    fill,
    hatch: (shape, colour) => {
      let style = hatches.get(colour);
      if (style === undefined) {
        style = hatching(context, colour, ratio);
        hatches.set(colour, style);
      }
      fill(shape, style);
    },
    outline: (shape, colour, width) => {
      context.strokeStyle = colour;
      context.lineWidth = width;
      trace(context, shape);
      context.stroke();
    },
    write: ({ text, x, y, align, turn, colour }: Label) => {
      context.fillStyle = colour;
      context.textAlign = align;
      if (turn === 0) context.fillText(text, x, y);
      else {
        context.save();
        context.translate(x, y);
        context.rotate(turn);
        context.fillText(text, 0, 0);
        context.restore();
      }
    },
    widthOf: widthOfText,
  };
}
