// Offsets → lines, and the set of lines on which a declaration's own code stands.

const buffer = { starts: new Int32Array(1 << 12) };

/** Whether a line of Java ends at this UTF-16 unit: with `\n`, `\r` or `\r\n` (JLS 3.4). */
export function isLineBreak(unit: number): boolean {
  return unit === 10 || unit === 13;
}

/** Offset of the break that ends the line around `offset`, or of the text's end. */
export function lineEndFrom(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && !isLineBreak(text.charCodeAt(end))) end++;
  return end;
}

/** Offset of the first character of the line around `offset`. */
export function lineStartOf(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) start--;
  return start;
}

/** Offset at which each line starts. */
export function lineStartsOf(text: string): Int32Array {
  let { starts } = buffer;
  let count = 1;
  const add = (start: number): void => {
    if (count === starts.length) {
      const more = new Int32Array(2 * count);
      more.set(starts);
      starts = buffer.starts = more;
    }
    starts[count++] = start;
  };
  if (text.includes('\r')) {
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) add(i + 1);
    }
  } else for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) add(i + 1);
  return starts.slice(0, count);
}

/** 1-based line of an offset. */
export function lineAt(starts: Int32Array, offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

/** A piece of a declaration that is not its own code, with the nearest characters around it that are not white space. */
export type Hole = {
  readonly start: number;
  readonly end: number;
  readonly inkBefore: number;
  readonly inkAfter: number;
};

/**
 * Lines of the own code between `start` and `end` as sorted, disjoint, inclusive pairs: without the holes, which are the
 * declarations inside, in source order.
 */
export function ownLines(starts: Int32Array, start: number, end: number, holes: Iterable<Hole>): [number, number][] {
  const pairs: [number, number][] = [];
  let from = start;
  for (const hole of holes) {
    if (hole.start < from || hole.end > end) continue;
    add(pairs, starts, from, hole.inkBefore);
    from = Math.min(hole.inkAfter, end);
  }
  add(pairs, starts, from, Math.max(from, end - 1));
  return pairs;
}

function add(pairs: [number, number][], starts: Int32Array, from: number, to: number): void {
  if (to < from) return;
  const first = lineAt(starts, from);
  const last = lineAt(starts, to);
  const previous = pairs.at(-1);
  if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
  else pairs.push([first, last]);
}

/** Offset of the last character before `end` that is not white space, −1 for none. */
export function lastInk(text: string, end: number): number {
  let i = end - 1;
  while (i >= 0 && text.charCodeAt(i) <= 32) i--;
  return i;
}

/** Offset of the first character from `start` on that is not white space. */
export function firstInk(text: string, start: number): number {
  let i = start;
  while (i < text.length && text.charCodeAt(i) <= 32) i++;
  return i;
}
