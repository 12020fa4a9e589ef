// A layout as columns, which travel between threads and to pages.
import type { Layout } from '../metrics/parts/lay-out.ts';

/** One row a box, then one row a run of parts that are too narrow. */
export type PictureColumns = {
  /** Two numbers a box. */
  readonly id: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly weight: Float64Array;
  readonly count: Float64Array;
  readonly self: Float64Array;
  /** Row of the box above; −1 for those of the first row. */
  readonly parent: Int32Array;
  /** Row of the method table. */
  readonly method: Int32Array;
  /** Row of the picture. */
  readonly row: Int32Array;
  /** Bits of PICTURE_FLAG. */
  readonly flags: Uint8Array;
  readonly cuts: {
    readonly start: Float64Array;
    readonly end: Float64Array;
    readonly weight: Float64Array;
    readonly count: Float64Array;
    readonly parent: Int32Array;
    readonly parts: Int32Array;
    /** How many of the parts are hits of the search. */
    readonly hits: Int32Array;
  };
};

export const PICTURE_FLAG = {
  /** The search fits the method. */
  hit: 1,
  /** The method is in no package of the project. */
  library: 2,
  /** It calls something below the last row. */
  deeper: 4,
  /** Several frames of libraries are in it. */
  folded: 8,
} as const;

type Marks = { readonly fits: Uint8Array; readonly library: Uint8Array };

export function pictureColumns({ boxes, cuts }: Layout, { fits, library }: Marks): PictureColumns {
  const id = new Int32Array(2 * boxes.length);
  for (const [at, box] of boxes.entries()) id.set(box.id, 2 * at);
  const flagsOf = ({ part: { method, isFolded }, isDeeper }: Layout['boxes'][number]): number =>
    (fits[method] === 1 ? PICTURE_FLAG.hit : 0) |
    (library[method] === 1 ? PICTURE_FLAG.library : 0) |
    (isDeeper ? PICTURE_FLAG.deeper : 0) |
    (isFolded ? PICTURE_FLAG.folded : 0);
  return {
    id,
    start: Float64Array.from(boxes, ({ start }) => start),
    end: Float64Array.from(boxes, ({ end }) => end),
    weight: Float64Array.from(boxes, ({ part }) => part.total.weight),
    count: Float64Array.from(boxes, ({ part }) => part.total.count),
    self: Float64Array.from(boxes, ({ part }) => part.own?.weight ?? 0),
    parent: Int32Array.from(boxes, ({ above }) => above),
    method: Int32Array.from(boxes, ({ part }) => part.method),
    row: Int32Array.from(boxes, ({ row }) => row),
    flags: Uint8Array.from(boxes, flagsOf),
    cuts: {
      start: Float64Array.from(cuts, ({ start }) => start),
      end: Float64Array.from(cuts, ({ end }) => end),
      weight: Float64Array.from(cuts, ({ amount }) => amount.weight),
      count: Float64Array.from(cuts, ({ amount }) => amount.count),
      parent: Int32Array.from(cuts, ({ above }) => above),
      parts: Int32Array.from(cuts, ({ parts }) => parts.length),
      hits: Int32Array.from(cuts, ({ parts }) => parts.reduce((sum, { method }) => sum + fits[method]!, 0)),
    },
  };
}
