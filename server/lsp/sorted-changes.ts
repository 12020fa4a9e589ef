// Many changes of one message in one pass over the text, where they come in the order of the text or against it, as clients send them.
import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver/node';

type RangeChange = { readonly range: Range; readonly text: string };

/** A piece of the text before that is replaced, by its offsets. */
type Replaced = { readonly from: number; readonly to: number; readonly text: string };

/**
 * The text after changes that are made one after the other, each one's range being of the text after the one before.
 * null where they are in neither order, where one is the whole text, and where \r without \n ends a line: an edit can then join two line ends.
 */
export function changedInOnePass(text: string, changes: readonly TextDocumentContentChangeEvent[]): string | null {
  if (!changes.every(hasRange)) return null;
  if (hasLoneReturn(text) || changes.some(change => hasLoneReturn(change.text))) return null;
  const replaced = forwards(text, changes) ?? backwards(text, changes)?.reverse();
  if (replaced === undefined) return null;
  const parts: string[] = [];
  let at = 0;
  for (const piece of replaced) {
    parts.push(text.slice(at, piece.from), piece.text);
    at = piece.to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

function hasRange(change: TextDocumentContentChangeEvent): change is RangeChange {
  return 'range' in change && change.range !== undefined;
}

/** Each change stands behind what the one before has put in. */
function forwards(text: string, changes: readonly RangeChange[]): Replaced[] | null {
  const walk = new Walk(text);
  const replaced: Replaced[] = [];
  for (const { range, text: inserted } of changes) {
    if (!walk.to(range.start)) return null;
    const from = walk.at;
    const { line, character } = walk;
    if (!walk.to(range.end)) return null;
    replaced.push({ from, to: walk.at, text: inserted });
    walk.standBehind(line, character, inserted);
  }
  return replaced;
}

/** Each change stands before the one before, so that its range is also one of the text before all of them. */
function backwards(text: string, changes: readonly RangeChange[]): Replaced[] | undefined {
  const starts = lineStarts(text);
  const replaced: Replaced[] = [];
  let [limit, limitLine] = [text.length, starts.length];
  for (const { range, text: inserted } of changes) {
    const from = offsetOf(text, starts, range.start);
    const to = offsetOf(text, starts, range.end);
    // Behind the start of the change before nothing is as it was: neither the end of its line nor that of the text.
    const isCut = [range.start, range.end].some(
      ({ line, character }) => line >= limitLine && (starts[line] ?? Number.POSITIVE_INFINITY) + character > limit,
    );
    if (isCut || from > to || to > limit) return undefined;
    replaced.push({ from, to, text: inserted });
    [limit, limitLine] = [from, range.start.line];
  }
  return replaced;
}

/** Goes forwards through a text, in which something may have been put in before. */
class Walk {
  readonly #text: string;
  /** Offset in the text before the changes. */
  at = 0;
  /** The position of that offset in the text with the changes so far. */
  line = 0;
  character = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** False for a position that lies before the present one. */
  to(position: Position): boolean {
    while (position.line > this.line) {
      const feed = this.#text.indexOf('\n', this.at);
      if (feed < 0) {
        this.character += this.#text.length - this.at;
        this.at = this.#text.length;
        return true;
      }
      [this.at, this.line, this.character] = [feed + 1, this.line + 1, 0];
    }
    const further = position.character - this.character;
    if (position.line < this.line || further < 0) return false;
    const to = Math.min(this.at + further, lineEnd(this.#text, this.at));
    this.character += to - this.at;
    this.at = to;
    return true;
  }

  /** Stands behind `inserted`, which begins at this position. */
  standBehind(line: number, character: number, inserted: string): void {
    const last = inserted.lastIndexOf('\n');
    [this.line, this.character] = [line, character + inserted.length];
    if (last < 0) return;
    this.character = inserted.length - last - 1;
    for (let at = last; at >= 0; at = at === 0 ? -1 : inserted.lastIndexOf('\n', at - 1)) this.line++;
  }
}

function offsetOf(text: string, starts: readonly number[], { line, character }: Position): number {
  const start = starts[line];
  return start === undefined ? text.length : Math.min(start + character, lineEnd(text, start));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Where the line ends that holds this offset; the line break is not part of it. */
function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  if (feed < 0) return text.length;
  return feed > from && text[feed - 1] === '\r' ? feed - 1 : feed;
}

function hasLoneReturn(text: string): boolean {
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) if (text[at + 1] !== '\n') return true;
  return false;
}
