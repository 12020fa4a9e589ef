// The columns of a frame as the server writes them, repeated here because the page imports nothing of the server; a test compares both.

export const BOX_COLUMNS = {
  id: 'u32x2',
  start: 'f64',
  end: 'f64',
  weight: 'f64',
  count: 'f64',
  self: 'f64',
  parent: 'i32',
  method: 'i32',
  row: 'i32',
  flags: 'u8',
} as const;

export const CUT_COLUMNS = {
  start: 'f64',
  end: 'f64',
  weight: 'f64',
  count: 'f64',
  parent: 'i32',
  parts: 'i32',
  hits: 'i32',
} as const;

export const BASELINE_COLUMNS = { share: 'f64', change: 'i8' } as const;

export const BOX_FLAG = { hit: 1, library: 2, deeper: 4, folded: 8, added: 16 } as const;
