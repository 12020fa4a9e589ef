// Columns of rows: what never changes of each row stands in a list, its places in an Int32Array that an edit shifts in one pass.

/**
 * Rows of one kind, sorted by their second number. Never changed once made, so that outlines may share them.
 *
 * `numbers` holds `width` integers a row: first a row number of the table of declarations (−1 for none), then offsets (−1 for
 * what is not there), the sort key first among them.
 */
export type Columns<Head> = {
  readonly width: number;
  readonly heads: readonly Head[];
  readonly numbers: Int32Array;
};

/** Numbers of a declaration; the ink is the nearest visible text before and behind it (around the class body of an anonymous class). */
export const Place = {
  parent: 0,
  start: 1,
  end: 2,
  nameStart: 3,
  nameEnd: 4,
  bodyStart: 5,
  bodyEnd: 6,
  turn: 7,
  inkBefore: 8,
  inkAfter: 9,
} as const;
export const DECLARATION_WIDTH = 10;
/** Numbers of a call or a local: row of its declaration, start of its name. */
export const OwnedPlace = { declaration: 0, nameStart: 1 } as const;
export const OWNED_WIDTH = 2;

/** An edit as columns see it: the rows that `[start, end)` held are replaced, and what lies at or behind `end` moves. */
export type Shift = {
  /** Offset before the first replaced row. */
  readonly start: number;
  readonly end: number;
  /** Added to offsets. */
  readonly by: number;
  /** Row numbers from here on move, too. */
  readonly row: number;
  readonly rowsBy: number;
};

/** First row whose sort key is at least `offset`. */
export function firstRowFrom({ width, heads, numbers }: Columns<unknown>, offset: number): number {
  let low = 0;
  let high = heads.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle * width + 1]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The columns with the rows `from` to `to` (exclusive) replaced by `fresh` and everything else shifted. */
export function replaceRows<Head>(
  old: Columns<Head>,
  from: number,
  to: number,
  fresh: Columns<Head>,
  shift: Shift,
): Columns<Head> {
  const { width } = old;
  const heads = replaced(old.heads, from, to, fresh.heads);
  const numbers = new Int32Array(heads.length * width);
  const behind = (from + fresh.heads.length) * width;
  numbers.set(old.numbers.subarray(0, from * width));
  numbers.set(fresh.numbers, from * width);
  numbers.set(old.numbers.subarray(to * width), behind);
  shiftNumbers(numbers, 0, from * width, width, shift);
  shiftNumbers(numbers, behind, numbers.length, width, shift);
  return { width, heads, numbers };
}

function replaced<Head>(old: readonly Head[], from: number, to: number, fresh: readonly Head[]): Head[] {
  const behind = from + fresh.length;
  const result = new Array<Head>(behind + old.length - to);
  for (let i = 0; i < from; i++) result[i] = old[i]!;
  for (let i = from; i < behind; i++) result[i] = fresh[i - from]!;
  for (let i = behind; i < result.length; i++) result[i] = old[i - behind + to]!;
  return result;
}

function shiftNumbers(numbers: Int32Array, first: number, last: number, width: number, shift: Shift): void {
  const { end, by, row, rowsBy } = shift;
  for (let at = first; at < last; at += width) {
    if (numbers[at]! >= row) numbers[at] = numbers[at]! + rowsBy;
    for (let i = at + 1; i < at + width; i++) if (numbers[i]! >= end) numbers[i] = numbers[i]! + by;
  }
}

/** Sorted numbers (line starts), with the numbers inside `(start, end)` replaced by `fresh` and the numbers from `end` on moved. */
export function replaceStarts(old: Int32Array, fresh: Int32Array, { start, end, by }: Shift): Int32Array {
  const from = firstAbove(old, start);
  const to = firstAbove(old, end - 1);
  const result = new Int32Array(from + fresh.length + old.length - to);
  result.set(old.subarray(0, from));
  result.set(fresh, from);
  const moved = from + fresh.length - to;
  for (let i = to; i < old.length; i++) result[i + moved] = old[i]! + by;
  return result;
}

/** Index of the first number above a limit. */
function firstAbove(numbers: Int32Array, limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
