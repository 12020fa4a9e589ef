// The pen that pictures are drawn with, and their shapes: rectangles of an icicle and sectors of rings.

/** Lengths are CSS pixels. */
export type Rectangle = {
  readonly kind: 'rectangle';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** Angles clockwise from the right, as a canvas counts them. */
export type Sector = {
  readonly kind: 'sector';
  readonly x: number;
  readonly y: number;
  readonly inner: number;
  readonly outer: number;
  readonly from: number;
  readonly to: number;
};

export type Shape = Rectangle | Sector;

/** A text whose middle left (or middle) is at a point, turned around it. */
export type Label = {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly align: 'left' | 'center';
  readonly turn: number;
  readonly colour: string;
};

/** A canvas, or a document that is exported. */
export type Pen = {
  readonly fill: (shape: Shape, colour: string) => void;
  /** Diagonal lines, for parts that are too narrow or too deep to be drawn. */
  readonly hatch: (shape: Shape, colour: string) => void;
  readonly outline: (shape: Shape, colour: string, width: number) => void;
  readonly write: (label: Label) => void;
  readonly widthOf: (text: string) => number;
};

export const FONT_SIZE = 12;
export const FONT_FAMILY = 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
