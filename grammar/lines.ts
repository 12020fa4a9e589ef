// Offsets → lines, and the set of lines on which a declaration's own code stands.
import type { Draft } from './draft.ts';

/** Offset at which each line starts. A line ends with `\n`, `\r` or `\r\n`. */
export function lineStartsOf(text: string): Int32Array {
  const starts: number[] = [0];
  if (text.includes('\r')) {
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
    }
  } else for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return Int32Array.from(starts);
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

/** What of a declaration is not its owner's code: all of it, or the class body alone when the rest runs in the owner. */
export function holeOf(draft: Draft): readonly [start: number, end: number] {
  const isBodyOnly = draft.kind === 'anonymousClass' || draft.kind === 'enumConstant';
  return isBodyOnly ? [draft.bodyStart, draft.bodyEnd] : [draft.start, draft.end];
}

const isType = (draft: Draft): boolean => draft.binaryName !== '';

/**
 * Lines of the own code of a declaration as sorted, disjoint, inclusive pairs: its span less the spans of the
 * declarations inside; of a type, its header alone.
 */
export function ownLines(
  text: string,
  starts: Int32Array,
  draft: Draft,
  children: readonly Draft[],
): [number, number][] {
  const pairs: [number, number][] = [];
  let from = draft.start;
  const end = isType(draft) && draft.bodyStart >= 0 ? draft.bodyStart + 1 : draft.end;
  for (const child of children) {
    const [holeStart, holeEnd] = holeOf(child);
    if (holeStart < from || holeEnd > end) continue;
    add(pairs, starts, from, lastInk(text, holeStart, from));
    from = firstInk(text, holeEnd, end);
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

const isBlank = (text: string, i: number): boolean => text.charCodeAt(i) <= 32;

/** Offset of the last character before `end` that is not white space. */
function lastInk(text: string, end: number, limit: number): number {
  let i = end - 1;
  while (i >= limit && isBlank(text, i)) i--;
  return i;
}

function firstInk(text: string, start: number, limit: number): number {
  let i = start;
  while (i < limit && isBlank(text, i)) i++;
  return i;
}
