// Reads the bytes of pictures and tracks into columns, and finds the boxes of each row in the order from left to right.
import type { ColumnKind, ColumnsOf, FrameHeader, TracksHeader } from 'insitu/views';
import { BASELINE_COLUMNS, BOX_COLUMNS, CUT_COLUMNS, TRACK_COLUMNS } from 'insitu/views';

/** 64 bits of two numbers arrive as 53 bits of one: enough to tell the call paths of 20,000 boxes apart. */
type Decoded<Table> = ColumnsOf<Table, Float64Array>;

/** Boxes are row numbers of these columns; they live as long as the frame. */
type Boxes = Decoded<typeof BOX_COLUMNS>;

type Cuts = Decoded<typeof CUT_COLUMNS>;

export type Frame = {
  readonly header: FrameHeader;
  readonly boxes: Boxes;
  readonly cuts: Cuts;
  readonly baseline: Decoded<typeof BASELINE_COLUMNS> | null;
  /** Row of the picture of `rows[0]`. */
  readonly firstRow: number;
  /** For each row its boxes, by `start`. */
  readonly rows: readonly Int32Array[];
  /** For each row its runs of parts that are too narrow, by `start`; a run is one row below the box that it belongs to. */
  readonly cutRows: readonly Int32Array[];
  /** The run below a box: its row in `cuts`; −1 for none. */
  readonly cutOf: Int32Array;
  /** null where each box is one call. */
  readonly chains: Chains | null;
};

/** The data of a frame with folded chains beside its boxes. */
export type Chains = {
  /** The frame with a box for each call. */
  readonly calls: Frame;
  /** For each box its calls, from the first one on: boxes of `calls`. */
  readonly members: readonly (readonly number[])[];
  /** For each box of `calls` the box that it is drawn as; −1 where it is not drawn. */
  readonly drawnAs: Int32Array;
  /** Weight of what leaves bands before their last call: it is a gap in the picture. */
  readonly left: number;
};

const BYTES: Readonly<Record<ColumnKind, number>> = { u32x2: 8, f64: 8, i32: 4, u8: 1 };

const aligned = (offset: number): number => Math.ceil(offset / 8) * 8;

/** One column after the other, each at a multiple of 8. */
class Columns {
  readonly #bytes: ArrayBuffer;
  #offset: number;

  constructor(bytes: ArrayBuffer, offset: number) {
    this.#bytes = bytes;
    this.#offset = offset;
  }

  read<Table extends Readonly<Record<string, ColumnKind>>>(table: Table, length: number): Decoded<Table> {
    const columns = Object.entries(table).map(([name, kind]) => [name, this.#column(kind, length)]);
    return Object.fromEntries(columns);
  }

  #column(kind: ColumnKind, length: number): ArrayBufferView {
    const offset = aligned(this.#offset);
    this.#offset = offset + length * BYTES[kind];
    if (this.#offset > this.#bytes.byteLength) throw new RangeError('the picture ends before its last column');
    if (kind === 'f64') return new Float64Array(this.#bytes, offset, length);
    if (kind === 'i32') return new Int32Array(this.#bytes, offset, length);
    if (kind === 'u8') return new Uint8Array(this.#bytes, offset, length);
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

function unpacked<Header>(bytes: ArrayBuffer): { readonly header: Header; readonly columns: Columns } {
  if (bytes.byteLength < 4) throw new RangeError('the picture is empty');
  const length = new DataView(bytes).getUint32(0, true);
  if (4 + length > bytes.byteLength) throw new RangeError('the picture ends in its header');
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as Header;
  return { header, columns: new Columns(bytes, 4 + length) };
}

export type Tracks = { readonly header: TracksHeader; readonly columns: Decoded<typeof TRACK_COLUMNS> };

/** @throws {RangeError} of bytes that are no tracks. */
export function decodeTracks(bytes: ArrayBuffer): Tracks {
  const { header, columns } = unpacked<TracksHeader>(bytes);
  return { header, columns: columns.read(TRACK_COLUMNS, header.cells) };
}

/** @throws {RangeError} of bytes that are no frame. */
export function decodeFrame(bytes: ArrayBuffer): Frame {
  const { header, columns } = unpacked<FrameHeader>(bytes);
  const boxes = columns.read(BOX_COLUMNS, header.boxes);
  const cuts = columns.read(CUT_COLUMNS, header.cuts);
  const baseline = header.baseline ? columns.read(BASELINE_COLUMNS, header.boxes) : null;
  return { header, boxes, cuts, baseline, ...ordered(boxes, cuts), chains: null };
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
