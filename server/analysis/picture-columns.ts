// A layout as columns, which travel between threads and to pages.
import type { Amount } from '../metrics/analysis.ts';
import type { Layout } from '../metrics/parts/lay-out.ts';
import type { Part } from '../metrics/parts/parts.ts';
import {
  type BASELINE_COLUMNS,
  BOX_COLUMNS,
  BOX_FLAG,
  type ColumnKind,
  type ColumnsOf,
  CUT_COLUMNS,
} from './frame-columns.ts';

type Columns<Table> = ColumnsOf<Table, Int32Array>;

/** One row a box, then one row a run of parts that are too narrow. In the worker `method` is a row of the method table. */
export type PictureColumns = Columns<typeof BOX_COLUMNS> & { readonly cuts: Columns<typeof CUT_COLUMNS> };

/** Beside the boxes, where there is a baseline. */
export type BaselineColumns = Columns<typeof BASELINE_COLUMNS>;

type Marks = {
  readonly fits: Uint8Array;
  readonly library: Uint8Array;
  readonly selfOf: (part: Part) => Amount;
};

export function pictureColumns(layout: Layout, marks: Marks): PictureColumns {
  return { ...boxColumns(layout.boxes, marks), cuts: cutColumns(layout.cuts, marks) };
}

function boxColumns(boxes: Layout['boxes'], { fits, library, selfOf }: Marks): Columns<typeof BOX_COLUMNS> {
  const columns = emptyColumns(BOX_COLUMNS, boxes.length);
  // Named once: a column that is looked up for each box takes half as long again.
  const { id, start, end, weight, count, self, parent, method, row, flags } = columns;
  for (const [at, box] of boxes.entries()) {
    const { part } = box;
    id[2 * at] = box.id[0];
    id[2 * at + 1] = box.id[1];
    start[at] = box.start;
    end[at] = box.end;
    weight[at] = part.total.weight;
    count[at] = part.total.count;
    self[at] = selfOf(part).weight;
    parent[at] = box.above;
    method[at] = part.method;
    row[at] = box.row;
    flags[at] =
      (fits[part.method] === 1 ? BOX_FLAG.hit : 0) |
      (library[part.method] === 1 ? BOX_FLAG.library : 0) |
      (box.isDeeper ? BOX_FLAG.deeper : 0) |
      (part.isFolded ? BOX_FLAG.folded : 0);
  }
  return columns;
}

function cutColumns(cuts: Layout['cuts'], { fits }: Marks): PictureColumns['cuts'] {
  const columns = emptyColumns(CUT_COLUMNS, cuts.length);
  for (const [at, { start, end, amount, above, parts }] of cuts.entries()) {
    columns.start[at] = start;
    columns.end[at] = end;
    columns.weight[at] = amount.weight;
    columns.count[at] = amount.count;
    columns.parent[at] = above;
    columns.parts[at] = parts.length;
    columns.hits[at] = parts.reduce((sum, { method }) => sum + fits[method]!, 0);
  }
  return columns;
}

const EMPTY = {
  u32x2: (rows: number) => new Int32Array(2 * rows),
  f64: (rows: number) => new Float64Array(rows),
  i32: (rows: number) => new Int32Array(rows),
  u8: (rows: number) => new Uint8Array(rows),
} as const;

function emptyColumns<Table extends Readonly<Record<string, ColumnKind>>>(table: Table, rows: number): Columns<Table> {
  const columns = Object.entries(table).map(([name, kind]) => [name, EMPTY[kind](rows)]);
  return Object.fromEntries(columns);
}
