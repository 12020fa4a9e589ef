// A text in chunks: an edit costs what it changes, however long the text is and wherever the edit before was.
import type { Range } from 'vscode-languageserver/node';

/** Characters of a chunk; long texts have larger ones, so that they are not too many to go through. */
const CHUNK = 512;
const MOST_CHUNKS = 4_096;
/** Chunks that are passed at once on the way to a line. */
const BLOCK = 64;

type Place = { readonly chunk: number; readonly offset: number };

/** Positions mean what they mean in the protocol: lines end at \n, \r\n or \r; behind a line's end is its end. */
export class ChunkedText {
  readonly #size: number;
  /** None is empty but for an empty text; none ends between \r and \n. */
  #chunks: string[];
  /** Line breaks of each chunk; -1 where they are not counted yet. */
  #breaks: number[];
  #length: number;
  /** Line breaks of each block of chunks, as far as they are added up. */
  #blocks: number[] = [];
  /** Whether there may be a \r: most texts have none, and each look for one costs as much as one for \n. */
  #hasReturns: boolean;

  constructor(text: string) {
    this.#hasReturns = text.includes('\r');
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
    this.#hasReturns ||= text.includes('\r');
    const isOrdered = start.line < end.line || (start.line === end.line && start.character <= end.character);
    const [first, last] = isOrdered ? [start, end] : [end, start];
    const line = this.#lineStart(first.line);
    const from = this.#along(line, first.character);
    const to = this.#along(last.line === first.line ? line : this.#lineStart(last.line), last.character);
    const before = this.#lengthOf(from, to);
    const old = this.#chunks[from.chunk]!;
    const head = old.slice(0, from.offset);
    const tail = this.#chunks[to.chunk]!.slice(to.offset);
    const made = `${head}${text}${tail}`;
    this.#length += text.length - before;
    if (from.chunk === to.chunk && made !== '' && made.length <= 2 * this.#size) {
      this.#chunks[from.chunk] = made;
      this.#recount(from.chunk, text, old.slice(from.offset, to.offset), made);
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
    this.#forgetFrom(from.chunk);
    this.#join(from.chunk, from.chunk + parts.length - 1);
  }

  /** Puts \r and \n together again at the ends of what has changed. */
  #join(first: number, last: number): void {
    if (this.#chunks.length === 0) [this.#chunks, this.#breaks] = [[''], [-1]];
    if (!this.#hasReturns) return;
    for (const behind of first === last + 1 ? [first] : [last + 1, first]) {
      const [before, after] = [this.#chunks[behind - 1], this.#chunks[behind]];
      if (before === undefined || after === undefined || !before.endsWith('\r') || !after.startsWith('\n')) continue;
      this.#chunks.splice(behind - 1, 2, `${before}\n`, ...(after === '\n' ? [] : [after.slice(1)]));
      this.#breaks.splice(behind - 1, 2, -1, ...(after === '\n' ? [] : [-1]));
      this.#forgetFrom(behind - 1);
    }
  }

  /** Forgets the sums of the blocks from this chunk on, which has other chunks behind it now. */
  #forgetFrom(chunk: number): void {
    this.#blocks.length = Math.min(this.#blocks.length, Math.floor(chunk / BLOCK));
  }

  #recount(chunk: number, added: string, gone: string, made: string): void {
    const before = this.#breaks[chunk]!;
    if (before < 0) return;
    // A line break with a \r depends on the characters beside it.
    const now = this.#hasReturns ? this.#count(made) : before + this.#count(added) - this.#count(gone);
    this.#breaks[chunk] = now;
    const block = Math.floor(chunk / BLOCK);
    if (block < this.#blocks.length) this.#blocks[block]! += now - before;
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
    if (this.#breaks[chunk]! < 0) this.#breaks[chunk] = this.#count(this.#chunks[chunk]!);
    return this.#breaks[chunk]!;
  }

  /** Adds up the line breaks of the first block without a sum, which is full. */
  #addUp(block: number): number {
    let sum = 0;
    for (let chunk = block * BLOCK; chunk < (block + 1) * BLOCK; chunk++) sum += this.#breaksOf(chunk);
    this.#blocks.push(sum);
    return sum;
  }

  /** Where a line begins; the end of the text where there is no such line. */
  #lineStart(line: number): Place {
    const last = this.#chunks.length - 1;
    let passed = 0;
    let block = 0;
    for (; (block + 1) * BLOCK <= last; block++) {
      const inBlock = this.#blocks[block] ?? this.#addUp(block);
      if (line <= passed + inBlock) break;
      passed += inBlock;
    }
    let chunk = block * BLOCK;
    for (; chunk < last; chunk++) {
      const inChunk = this.#breaksOf(chunk);
      if (line <= passed + inChunk) break;
      passed += inChunk;
    }
    if (line > passed + this.#breaksOf(chunk)) return { chunk, offset: this.#chunks[chunk]!.length };
    return { chunk, offset: this.#behindBreaks(this.#chunks[chunk]!, line - passed) };
  }

  /** The place so many characters behind another, or the end of its line. */
  #along({ chunk, offset }: Place, characters: number): Place {
    const last = this.#chunks.length - 1;
    for (let left = characters; ; offset = 0) {
      const text = this.#chunks[chunk]!;
      const end = this.#nextBreak(text, offset);
      if (end < text.length || offset + left < text.length || chunk === last)
        return { chunk, offset: Math.min(offset + left, end) };
      left -= text.length - offset;
      chunk++;
    }
  }

  /** Line breaks of a text. */
  #count(text: string): number {
    if (this.#hasReturns && text.includes('\r')) return text.match(/\r\n?|\n/g)?.length ?? 0;
    let count = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
    return count;
  }

  /** Offset behind so many line breaks of a text that has them. */
  #behindBreaks(text: string, count: number): number {
    let at = 0;
    for (let left = count; left > 0; left--) {
      const end = this.#nextBreak(text, at);
      at = this.#hasReturns && text.startsWith('\r\n', end) ? end + 2 : end + 1;
    }
    return at;
  }

  /** Offset of the next line break from `from` on; the length where there is none. */
  #nextBreak(text: string, from: number): number {
    const feed = text.indexOf('\n', from);
    const end = feed < 0 ? text.length : feed;
    const back = this.#hasReturns ? text.indexOf('\r', from) : -1;
    return back < 0 ? end : Math.min(back, end);
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
