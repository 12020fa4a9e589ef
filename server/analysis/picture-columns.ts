// A layout as columns, which travel between threads and to pages.
import type { Amount } from '../metrics/analysis.ts';
import type { Layout } from '../metrics/parts/lay-out.ts';
import type { Part } from '../metrics/parts/parts.ts';

/** One row a box, then one row a run of parts that are too narrow. */
export type PictureColumns = {
  /** Two numbers a box. */
  readonly id: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly weight: Float64Array;
  readonly count: Float64Array;
  /** What the box's method ran itself. */
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

const PICTURE_FLAG = {
  /** The search fits the method. */
  hit: 1,
  /** The method is in no package of the project. */
  library: 2,
  /** It calls something below the last row. */
  deeper: 4,
  /** Several frames of libraries are in it. */
  folded: 8,
} as const;

type Marks = {
  readonly fits: Uint8Array;
  readonly library: Uint8Array;
  readonly selfOf: (part: Part) => Amount;
};

export function pictureColumns({ boxes, cuts }: Layout, { fits, library, selfOf }: Marks): PictureColumns {
  const columns = emptyColumns(boxes.length, cuts.length);
  for (const [at, { part, start, end, row, above, id, isDeeper }] of boxes.entries()) {
    columns.id[2 * at] = id[0];
    columns.id[2 * at + 1] = id[1];
    columns.start[at] = start;
    columns.end[at] = end;
    columns.weight[at] = part.total.weight;
    columns.count[at] = part.total.count;
    columns.self[at] = selfOf(part).weight;
    columns.parent[at] = above;
    columns.method[at] = part.method;
    columns.row[at] = row;
    columns.flags[at] =
      (fits[part.method] === 1 ? PICTURE_FLAG.hit : 0) |
      (library[part.method] === 1 ? PICTURE_FLAG.library : 0) |
      (isDeeper ? PICTURE_FLAG.deeper : 0) |
      (part.isFolded ? PICTURE_FLAG.folded : 0);
  }
  for (const [at, { start, end, amount, above, parts }] of cuts.entries()) {
    columns.cuts.start[at] = start;
    columns.cuts.end[at] = end;
    columns.cuts.weight[at] = amount.weight;
    columns.cuts.count[at] = amount.count;
    columns.cuts.parent[at] = above;
    columns.cuts.parts[at] = parts.length;
    columns.cuts.hits[at] = parts.reduce((sum, { method }) => sum + fits[method]!, 0);
  }
  return columns;
}

function emptyColumns(boxes: number, cuts: number): PictureColumns {
  return {
    id: new Int32Array(2 * boxes),
    start: new Float64Array(boxes),
    end: new Float64Array(boxes),
    weight: new Float64Array(boxes),
    count: new Float64Array(boxes),
    self: new Float64Array(boxes),
    parent: new Int32Array(boxes),
    method: new Int32Array(boxes),
    row: new Int32Array(boxes),
    flags: new Uint8Array(boxes),
    cuts: {
      start: new Float64Array(cuts),
      end: new Float64Array(cuts),
      weight: new Float64Array(cuts),
      count: new Float64Array(cuts),
      parent: new Int32Array(cuts),
      parts: new Int32Array(cuts),
      hits: new Int32Array(cuts),
    },
  };
}
