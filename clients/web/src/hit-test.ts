// Finds what is at a place of a picture by binary search in its row, for all forms of pictures.
import type { Frame } from './frame-decoder.ts';

/** First of `sorted` that does not begin left of `place`; its length when there is none. */
export function firstFrom(sorted: Int32Array, start: Float64Array, place: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((start[sorted[middle] ?? 0] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function at(sorted: Int32Array | undefined, start: Float64Array, end: Float64Array, place: number): number {
  if (sorted === undefined || sorted.length === 0) return -1;
  const next = firstFrom(sorted, start, place);
  // One that begins exactly there, or the one before, if it reaches so far.
  for (const candidate of [sorted[next], sorted[next - 1]])
    if (candidate !== undefined && (start[candidate] ?? 1) <= place && place < (end[candidate] ?? 0)) return candidate;
  return -1;
}

/** The box of that row that covers a fraction of the frame's window; −1 for none. */
export function boxAt({ boxes, rows, firstRow }: Frame, row: number, place: number): number {
  return at(rows[row - firstRow], boxes.start, boxes.end, place);
}

/** The run of parts that are too narrow, likewise. */
export function cutAt({ cuts, cutRows, firstRow }: Frame, row: number, place: number): number {
  return at(cutRows[row - firstRow], cuts.start, cuts.end, place);
}

/** The boxes of a row that have a part of [from, to]: positions in `rows[row − firstRow]`, the last one excluded. */
export function rangeIn({ boxes, rows, firstRow }: Frame, row: number, from: number, to: number): [number, number] {
  const sorted = rows[row - firstRow];
  if (sorted === undefined) return [0, 0];
  const first = firstFrom(sorted, boxes.start, from);
  return [Math.max(0, first - 1), firstFrom(sorted, boxes.start, to)];
}
