// Reads text line by line from a source of bytes of any size; memory is bounded by one block and the longest line allowed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ByteSource } from './byte-source.ts';
import type { IngestOptions } from './ingest.ts';
import type { ProblemList } from './problem-list.ts';

const BLOCK_SIZE = 1 << 20;
/** Characters; a stack of 2,000 frames with long names and descriptors stays far below. */
const MAX_LINE = 1 << 22;

/** Takes a line without its line break and its number from 1; returns false to stop. The line must not be kept: see `ownCopy`. */
type LineVisitor = (line: string, number: number) => boolean;

/**
 * Calls `visit` for every line. UTF-8, or UTF-16 with a byte order mark; bytes that are no text become U+FFFD. Lines that
 * are longer than 4 Mi characters are left out and reported. Between blocks other work of the thread gets its turn;
 * stops when `options.signal` aborts.
 */
export async function readLines(
  source: ByteSource,
  options: Pick<IngestOptions, 'onProgress' | 'signal'>,
  problems: ProblemList,
  visit: LineVisitor,
): Promise<void> {
  const block = Buffer.alloc(Math.min(BLOCK_SIZE, Math.max(1, source.size)));
  const lines = new LineSplitter(problems, visit);
  let decoder: { decode(bytes?: Uint8Array, options?: { stream: boolean }): string } | null = null;
  for (let position = 0; position < source.size && !lines.stopped; ) {
    if (options.signal?.aborted) {
      problems.addPart('reading was cancelled here', `byte ${position}`);
      return;
    }
    const filled = source.read(position, block);
    if (filled === 0) break;
    decoder ??= new TextDecoder(encodingOf(block.subarray(0, filled)));
    position += filled;
    lines.push(decoder.decode(block.subarray(0, filled), { stream: true }));
    options.onProgress?.(position, source.size);
    await nextTurn();
  }
  lines.end(decoder?.decode() ?? '');
}

/** Text at the start of a file, or null where it is none: bytes below space that no text has. */
export function startAsText(start: Uint8Array): string | null {
  const encoding = encodingOf(start);
  if (encoding === 'utf-8') {
    for (const byte of start) {
      if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x1b && byte !== 0x0c) return null;
    }
  }
  return new TextDecoder(encoding).decode(start, { stream: true });
}

/** A copy that holds no other text alive: a part of a string keeps the whole of it. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function encodingOf(start: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

class LineSplitter {
  readonly #problems: ProblemList;
  readonly #visit: LineVisitor;
  /** The beginning of a line whose end has not come yet, in pieces. */
  #open: string[] = [];
  #openLength = 0;
  #number = 0;
  stopped = false;

  constructor(problems: ProblemList, visit: LineVisitor) {
    this.#problems = problems;
    this.#visit = visit;
  }

  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0 && !this.stopped; end = text.indexOf('\n', from)) {
      this.#keep(text.slice(from, end));
      this.#emit();
      from = end + 1;
    }
    this.#keep(text.slice(from));
  }

  end(text: string): void {
    this.push(text);
    if (this.#openLength > 0 && !this.stopped) this.#emit();
  }

  #keep(piece: string): void {
    if (piece === '') return;
    this.#openLength += piece.length;
    if (this.#openLength <= MAX_LINE) this.#open.push(piece);
    else this.#open = [];
  }

  #emit(): void {
    this.#number++;
    if (this.#openLength > MAX_LINE) {
      this.#problems.addPart(`the line is too long: ${this.#openLength} characters`, `line ${this.#number}`);
    } else {
      const line = this.#open.length === 1 ? this.#open[0]! : this.#open.join('');
      this.stopped = this.#visit(line.endsWith('\r') ? line.slice(0, -1) : line, this.#number) === false;
    }
    this.#open = [];
    this.#openLength = 0;
  }
}
