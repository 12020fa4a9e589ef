// Reads the bytes of a picture into columns, and finds the boxes of each row in the order from left to right.
import type { FrameHeader } from 'insitu/views';
import { BASELINE_COLUMNS, BOX_COLUMNS, CUT_COLUMNS } from 'insitu/views';

/** Boxes are row numbers of these columns; they live as long as the frame. */
export type Boxes = {
  /** 53 bits of the call path's hash: enough to tell 20,000 boxes apart. */
  readonly id: Float64Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly weight: Float64Array;
  readonly count: Float64Array;
  readonly self: Float64Array;
  readonly parent: Int32Array;
  readonly method: Int32Array;
  readonly row: Int32Array;
  readonly flags: Uint8Array;
};

export type Cuts = {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly weight: Float64Array;
  readonly count: Float64Array;
  readonly parent: Int32Array;
  readonly parts: Int32Array;
  readonly hits: Int32Array;
};

export type Frame = {
  readonly header: FrameHeader;
  readonly boxes: Boxes;
  readonly cuts: Cuts;
  readonly baseline: { readonly share: Float64Array; readonly verdict: Uint8Array } | null;
  /** Row of the picture of `rows[0]`. */
  readonly firstRow: number;
  /** For each row its boxes, by `start`. */
  readonly rows: readonly Int32Array[];
  /** For each row its runs of parts that are too narrow, by `start`; a run is one row below the box that it belongs to. */
  readonly cutRows: readonly Int32Array[];
  /** The run below a box: its row in `cuts`; −1 for none. */
  readonly cutOf: Int32Array;
};

type ColumnType = 'u32x2' | 'f64' | 'i32' | 'u8';
const BYTES: Readonly<Record<ColumnType, number>> = { u32x2: 8, f64: 8, i32: 4, u8: 1 };

const aligned = (offset: number): number => Math.ceil(offset / 8) * 8;

/** One column after the other, each at a multiple of 8. */
class Columns {
  readonly #bytes: ArrayBuffer;
  #offset: number;

  constructor(bytes: ArrayBuffer, offset: number) {
    this.#bytes = bytes;
    this.#offset = offset;
  }

  read(types: Readonly<Record<string, ColumnType>>, length: number): Record<string, ArrayBufferView> {
    const columns: Record<string, ArrayBufferView> = {};
    for (const [name, type] of Object.entries(types)) columns[name] = this.#column(type, length);
    return columns;
  }

  #column(type: ColumnType, length: number): ArrayBufferView {
    const offset = aligned(this.#offset);
    this.#offset = offset + length * BYTES[type];
    if (this.#offset > this.#bytes.byteLength) throw new RangeError('the picture ends before its last column');
    if (type === 'f64') return new Float64Array(this.#bytes, offset, length);
    if (type === 'i32') return new Int32Array(this.#bytes, offset, length);
    if (type === 'u8') return new Uint8Array(this.#bytes, offset, length);
    return shortened(new Uint32Array(this.#bytes, offset, 2 * length));
  }
}

/** Of 64 bits as two numbers, 53 as one. */
function shortened(pairs: Uint32Array): Float64Array {
  return Float64Array.from({ length: pairs.length / 2 }, (_, at) => {
    const [low, high] = [pairs[2 * at] ?? 0, pairs[2 * at + 1] ?? 0];
    return (high & 0x1fffff) * 2 ** 32 + low;
  });
}

/** Row numbers, grouped by `rowOf` from `first` on and sorted by `start` within a group. */
function grouped(start: Float64Array, rowOf: (at: number) => number, first: number): Int32Array[] {
  const groups: number[][] = [];
  for (let at = 0; at < start.length; at++) {
    const row = rowOf(at) - first;
    while (groups.length <= row) groups.push([]);
    groups[row]?.push(at);
  }
  return groups.map(group => Int32Array.from(group.sort((a, b) => (start[a] ?? 0) - (start[b] ?? 0) || a - b)));
}

/** @throws {RangeError} of bytes that are no frame. */
export function decodeFrame(bytes: ArrayBuffer): Frame {
  if (bytes.byteLength < 4) throw new RangeError('the picture is empty');
  const length = new DataView(bytes).getUint32(0, true);
  if (4 + length > bytes.byteLength) throw new RangeError('the picture ends in its header');
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as FrameHeader;
  const columns = new Columns(bytes, 4 + length);
  // The names and types of `Boxes` and `Cuts` are those of the tables.
  const boxes = columns.read(BOX_COLUMNS, header.boxes) as Boxes;
  const cuts = columns.read(CUT_COLUMNS, header.cuts) as Cuts;
  const baseline = header.baseline ? (columns.read(BASELINE_COLUMNS, header.boxes) as Frame['baseline']) : null;
  return { header, boxes, cuts, baseline, ...ordered(boxes, cuts) };
}

function ordered(boxes: Boxes, cuts: Cuts): Pick<Frame, 'firstRow' | 'rows' | 'cutRows' | 'cutOf'> {
  const firstRow = boxes.row.reduce((least, row) => Math.min(least, row), boxes.row[0] ?? 0);
  const cutOf = new Int32Array(boxes.row.length).fill(-1);
  cuts.parent.forEach((box, at) => {
    cutOf[box] = at;
  });
  const rowOfCut = (at: number): number => (boxes.row[cuts.parent[at] ?? 0] ?? 0) + 1;
  return {
    firstRow,
    rows: grouped(boxes.start, at => boxes.row[at] ?? 0, firstRow),
    cutRows: grouped(cuts.start, rowOfCut, firstRow),
    cutOf,
  };
}
