// A text in chunks: an edit costs what it changes and the way from the edit before, however long the text is.
import type { Position, Range } from 'vscode-languageserver/node';

/** Characters of a chunk; long texts have larger ones, so that they are not too many to go through. */
const CHUNK = 512;
const MOST_CHUNKS = 4_096;

type Place = { readonly chunk: number; readonly offset: number };

/** Positions mean what they mean in the protocol: lines end at \n, \r\n or \r; behind a line's end is its end. */
export class ChunkedText {
  readonly #size: number;
  /** None is empty but for an empty text; none ends between \r and \n. */
  #chunks: string[];
  /** Line breaks of each chunk; -1 where they are not counted yet. */
  #breaks: number[];
  #length: number;
  /** The chunk of the last edit and the number of line breaks before it: edits that come together stand near each other. */
  #at = 0;
  #line = 0;

  constructor(text: string) {
    this.#size = Math.max(CHUNK, Math.ceil(text.length / MOST_CHUNKS));
    this.#chunks = this.#cut(text);
    this.#breaks = this.#chunks.map(() => -1);
    this.#length = text.length;
  }

  /** In UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  /** In UTF-8. */
  get bytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0);
  }

  toString(): string {
    return this.#chunks.join('');
  }

  replace({ start, end }: Range, text: string): void {
    const isOrdered = start.line < end.line || (start.line === end.line && start.character <= end.character);
    const to = this.#placeOf(isOrdered ? end : start);
    const from = this.#placeOf(isOrdered ? start : end);
    const before = this.#lengthOf(from, to);
    const head = this.#chunks[from.chunk]!.slice(0, from.offset);
    const tail = this.#chunks[to.chunk]!.slice(to.offset);
    const made = `${head}${text}${tail}`;
    this.#length += text.length - before;
    if (from.chunk === to.chunk && made !== '' && made.length <= 2 * this.#size) {
      this.#chunks[from.chunk] = made;
      this.#breaks[from.chunk] = -1;
      this.#join(from.chunk, from.chunk);
      return;
    }
    const parts = made === '' ? [] : this.#cut(made);
    this.#chunks = spliced(this.#chunks, from.chunk, to.chunk + 1, parts);
    this.#breaks = spliced(
      this.#breaks,
      from.chunk,
      to.chunk + 1,
      parts.map(() => -1),
    );
    this.#join(from.chunk, from.chunk + parts.length - 1);
  }

  /** Puts \r and \n together again at the ends of what has changed. */
  #join(first: number, last: number): void {
    for (const behind of first === last + 1 ? [first] : [last + 1, first]) {
      const [before, after] = [this.#chunks[behind - 1], this.#chunks[behind]];
      if (before === undefined || after === undefined || !before.endsWith('\r') || !after.startsWith('\n')) continue;
      this.#chunks.splice(behind - 1, 2, `${before}\n`, ...(after === '\n' ? [] : [after.slice(1)]));
      this.#breaks.splice(behind - 1, 2, -1, ...(after === '\n' ? [] : [-1]));
    }
    if (this.#chunks.length === 0) [this.#chunks, this.#breaks] = [[''], [-1]];
    // What has moved may have been behind the last chunk.
    if (this.#at < this.#chunks.length && this.#at <= first) return;
    [this.#at, this.#line] = [0, 0];
  }

  #cut(text: string): string[] {
    const parts: string[] = [];
    for (let from = 0; from < text.length; ) {
      let to = from + this.#size;
      if (text[to - 1] === '\r' && text[to] === '\n') to++;
      parts.push(text.slice(from, to));
      from = to;
    }
    return parts.length === 0 ? [''] : parts;
  }

  #breaksOf(chunk: number): number {
    if (this.#breaks[chunk]! < 0) this.#breaks[chunk] = countBreaks(this.#chunks[chunk]!);
    return this.#breaks[chunk]!;
  }

  #placeOf({ line, character }: Position): Place {
    while (line <= this.#line && this.#at > 0) this.#line -= this.#breaksOf(--this.#at);
    const last = this.#chunks.length - 1;
    while (this.#at < last && line > this.#line + this.#breaksOf(this.#at)) this.#line += this.#breaksOf(this.#at++);
    let chunk = this.#at;
    if (line > this.#line + this.#breaksOf(chunk)) return { chunk, offset: this.#chunks[chunk]!.length };
    let offset = behindBreaks(this.#chunks[chunk]!, line - this.#line);
    for (let left = character; ; offset = 0) {
      const text = this.#chunks[chunk]!;
      const end = nextBreak(text, offset);
      if (end < text.length || offset + left < text.length || chunk === last)
        return { chunk, offset: Math.min(offset + left, end) };
      left -= text.length - offset;
      chunk++;
    }
  }

  #lengthOf(from: Place, to: Place): number {
    let length = to.offset - from.offset;
    for (let chunk = from.chunk; chunk < to.chunk; chunk++) length += this.#chunks[chunk]!.length;
    return length;
  }
}

/** A large text in place of a few parts would be too many arguments for `splice`. */
function spliced<T>(all: readonly T[], from: number, to: number, parts: readonly T[]): T[] {
  return [...all.slice(0, from), ...parts, ...all.slice(to)];
}

function countBreaks(text: string): number {
  if (text.includes('\r')) return text.match(/\r\n?|\n/g)?.length ?? 0;
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Offset behind so many line breaks of a text that has them. */
function behindBreaks(text: string, count: number): number {
  let at = 0;
  for (let left = count; left > 0; left--) {
    const end = nextBreak(text, at);
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
  }
  return at;
}

/** Offset of the next line break from `from` on; the length where there is none. */
function nextBreak(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const end = feed < 0 ? text.length : feed;
  const back = text.lastIndexOf('\r', end);
  return back < from ? end : text.indexOf('\r', from);
}
