// The columns of pictures and of tracks: the worker fills them, frames carry them in this order, and the page reads them. Names, order and kinds stand here alone.

/** `u32x2`: two numbers of 32 bits a row. */
export type ColumnKind = 'u32x2' | 'f64' | 'i32' | 'u8';

/** The columns of a table; `Pairs` is what the two numbers of `u32x2` are kept in. */
export type ColumnsOf<Table, Pairs> = {
  readonly [Name in keyof Table]: Table[Name] extends 'f64'
    ? Float64Array
    : Table[Name] extends 'i32'
      ? Int32Array
      : Table[Name] extends 'u8'
        ? Uint8Array
        : Pairs;
};

/** A row for each box. */
export const BOX_COLUMNS = {
  /** 64 bits of a hash of the call path, two numbers a box: the same part has the same one in every frame. */
  id: 'u32x2',
  /** Of the window; may begin before 0 or end behind 1. */
  start: 'f64',
  end: 'f64',
  /** Total, and what the method ran itself, in callers too. */
  weight: 'f64',
  count: 'f64',
  self: 'f64',
  /** Row of the box above in this frame; −1 for the first. */
  parent: 'i32',
  /** Row of `FrameHeader.methods`; −1 for the root of everything. */
  method: 'i32',
  /** Row of the picture; the root is 0. */
  row: 'i32',
  /** Bits of `BOX_FLAG`. */
  flags: 'u8',
} as const;

/** At most one run for each box, at the right end of what it calls. */
export const CUT_COLUMNS = {
  start: 'f64',
  end: 'f64',
  weight: 'f64',
  count: 'f64',
  /** Row of the box whose callees these are. */
  parent: 'i32',
  /** How many parts. */
  parts: 'i32',
  /** Of them, how many are hits of the search, or are known to lead to one. */
  hits: 'i32',
} as const;

/** With a baseline: a row for each box. */
export const BASELINE_COLUMNS = {
  /** Of the same call path there, each a share of the baseline's whole. */
  share: 'f64',
  /** Number in `VERDICTS`. */
  verdict: 'u8',
} as const;

/** A row for each window of a thread and each kind that it has there; rows of one thread stand one after the other, by window. */
export const TRACK_COLUMNS = {
  /** Row of `TracksHeader.windows`. */
  window: 'i32',
  /** Row of `TracksHeader.kinds`. */
  kind: 'i32',
  weight: 'f64',
} as const;

export type TrackColumns = ColumnsOf<typeof TRACK_COLUMNS, never>;

export const BOX_FLAG = {
  /** The search fits its method. */
  hit: 1,
  /** In no package of the project. */
  library: 2,
  /** The part calls something, but the last row that was asked for ends here. */
  deeper: 4,
  /** Several frames of libraries are in it. */
  folded: 8,
  /** The baseline has no such call path. */
  added: 16,
} as const;
