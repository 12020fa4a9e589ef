// Reads a chunk that a JVM is still writing: each time the parts that are new; what later parts may refer to is kept, the rest is not.
import { Buffer } from 'node:buffer';
import { type ChunkHeader, HEADER_SIZE, readHeader } from './chunk-header.ts';
import { Cursor, PADDING } from './cursor.ts';
import { ChunkFold } from './fold-chunk.ts';
import type { FoldTarget } from './fold-target.ts';
import { FormatError } from './format-error.ts';
import type { PoolRange } from './pools.ts';
import type { WindowPlan } from './windows.ts';

/** Bytes that are read at once; an event larger than that is read whole. */
const STEP = 64 << 10;
/** Samples are added when so many bytes of stacks and other constants have come. */
const MOST_UNSETTLED = 256 << 10;
/** No event is as large: JVMs rotate chunks of some 12 MB. */
const LARGEST_EVENT = 256 << 20;
/** The byte of the header that says how far the chunk is. */
const GENERATION_AT = 64;
const BEING_UPDATED = 255;
/** The kept bytes of a chunk have room to grow by a quarter from part to part, in pages of so many bytes. */
const PAGE = 4096;
/** A desk larger than this is not kept. */
const LARGEST_DESK = 4 << 20;
const NO_BYTES = new Uint8Array(0);
const NO_NODES = new Int32Array(0);

/** Where parts are read, behind what is kept of their chunk: one for all chunks, of which one is read at a time. */
let desk: Uint8Array = NO_BYTES;

/** Where the chunk stands: random access, whatever happens to the file's name. */
export type ChunkBytes = {
  /** Fills `target` from `position` on as far as there are bytes; returns how many were read. */
  read(position: number, target: Uint8Array): number;
};

/**
 * `waiting`: nothing new; `grown`: something was read, and there will be more; `finished`: the JVM has closed the chunk and all of it
 * was read; `broken`: the bytes there cannot be read on.
 */
export type ChunkState = 'waiting' | 'grown' | 'finished' | 'broken';

/** One chunk from its start, or from where an earlier reading ended. */
export class LiveChunk {
  readonly #bytes: ChunkBytes;
  readonly #target: FoldTarget;
  readonly #header = new Uint8Array(HEADER_SIZE);
  #cursor: Cursor | null = null;
  #fold: ChunkFold | null = null;
  #metadataOffset = 0;
  /** Where what is kept stands while nothing is read. */
  #own: Uint8Array = NO_BYTES;
  /** The bytes of pools that are kept, from the start of the cursor's memory on. */
  #kept = 0;
  /** The kept bytes that stay: behind them stand the ranges that came since samples were added. */
  #settled = 0;
  readonly #unsettled: PoolRange[] = [];
  #position = HEADER_SIZE;
  #isBroken = false;

  /** `target` has samples and pools of its own, which serve one chunk after the other. */
  constructor(bytes: ChunkBytes, target: FoldTarget) {
    this.#bytes = bytes;
    this.#target = target;
    target.samples.clear();
    target.pools.clear();
  }

  /** Up to which byte the chunk has been read. */
  get position(): number {
    return this.#position;
  }

  /** The header as it stands now; null while the JVM changes it or has not written it. */
  header(): ChunkHeader | null {
    const bytes = this.#header;
    if (this.#bytes.read(0, bytes) < HEADER_SIZE) return null;
    const generation = bytes[GENERATION_AT]!;
    const version = (bytes[4]! << 24) | (bytes[5]! << 16) | (bytes[6]! << 8) | bytes[7]!;
    const isStreamed = version >= 0x2_0001;
    if (isStreamed && generation === BEING_UPDATED) return null;
    const again = new Uint8Array(1);
    if (this.#bytes.read(GENERATION_AT, again) < 1 || again[0] !== generation) return null;
    const view = new DataView(bytes.buffer);
    if (view.getUint32(0) !== 0x464c5200 || view.getUint16(4) !== 2) return null;
    const header = readHeader(view, 0, Number.MAX_SAFE_INTEGER);
    // Before JDK 14 a chunk tells nothing until it is finished.
    return header.metadataOffset === 0 || (!isStreamed && !header.complete) ? null : header;
  }

  /**
   * Reads what is new into `windows`.
   * @param windows null for what was added before an earlier reading ended, at byte `until`
   * @param most about so many bytes, up to the end of an event; the rest is for the next time
   */
  advance(windows: WindowPlan | null, until = Number.MAX_SAFE_INTEGER, most = Number.POSITIVE_INFINITY): ChunkState {
    if (this.#isBroken) return 'broken';
    const header = this.header();
    if (header === null) return 'waiting';
    const end = Math.min(header.available, until);
    try {
      if (header.metadataOffset !== this.#metadataOffset) this.#takeMetadata(header);
      const from = this.#position;
      while (this.#position < end && this.#position - from < most) {
        this.#takePart(end);
        if (this.#kept - this.#settled > MOST_UNSETTLED) this.#settle(windows, false);
      }
      const isLast = header.complete && end === header.available && this.#position >= end;
      if (this.#position > from || isLast) this.#settle(windows, isLast);
      if (isLast) return 'finished';
      return this.#position > from ? 'grown' : 'waiting';
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#isBroken = true;
      this.#target.report(`the chunk cannot be read on: ${error.message}`, error.offset);
      return 'broken';
    } finally {
      this.#clearDesk();
    }
  }

  /** Adds samples that still wait for their stacks, without them: nothing more will come. */
  giveUp(windows: WindowPlan): void {
    if (this.#fold !== null) this.#settle(windows, true);
  }

  /** The window's samples have been taken: drops them from the profile that the chunk is read into. */
  forgetSamples(): void {
    if (this.#fold === null) this.#target.builder.forgetSamples(NO_NODES);
    else this.#fold.forgetSamples();
  }

  #takeMetadata(header: ChunkHeader): void {
    const start = new Uint8Array(16 + PADDING);
    this.#bytes.read(header.metadataOffset, start.subarray(0, 16));
    const size = new Cursor(start, 16, header.compressed).int();
    if (size <= 0 || size > header.available - header.metadataOffset) {
      throw new FormatError(`metadata of ${size} bytes is impossible`, header.metadataOffset);
    }
    const bytes = new Uint8Array(size + PADDING);
    const read = this.#bytes.read(header.metadataOffset, bytes.subarray(0, size));
    if (read < size) throw new FormatError('the metadata is cut off', header.metadataOffset);
    const layouts = this.#target.metadata.read(new Cursor(bytes, size, header.compressed), 0);
    this.#cursor ??= new Cursor(new Uint8Array(PADDING), 0, header.compressed);
    const before = this.#fold;
    const fold = ChunkFold.follow(header, this.#cursor, layouts, this.#target, before);
    // Stacks that wait are known to their new owner from now on.
    const ranges = this.#unsettled.map(range => (range.entries === before ? { ...range, entries: fold } : range));
    this.#unsettled.splice(0, ranges.length, ...ranges);
    this.#fold = fold;
    this.#metadataOffset = header.metadataOffset;
  }

  /** Reads as many whole events as one step has, at least one. */
  #takePart(end: number): void {
    const from = this.#kept;
    let part = this.#load(Math.min(STEP, end - this.#position));
    if (part.end === from) {
      const size = Math.min(part.firstSize, end - this.#position);
      if (part.firstSize <= 0 || part.firstSize > Math.min(LARGEST_EVENT, end - this.#position)) {
        throw new FormatError(`an event has a size of ${part.firstSize} bytes`, this.#position);
      }
      part = this.#load(size);
      if (part.end === from) throw new FormatError('an event is cut off', this.#position);
    }
    const cursor = this.#cursor!;
    cursor.end = part.end;
    for (const range of this.#fold!.takePart(from, part.checkpoints)) this.#keep(range, range.start, range.end);
    this.#position += part.end - from;
    cursor.end = this.#kept;
  }

  /** Adds what the parts since the last time have brought, and gives up the bytes of stacks that are placed. */
  #settle(windows: WindowPlan | null, isLast: boolean): void {
    const fold = this.#fold!;
    fold.settle(windows, isLast);
    const ranges = this.#unsettled.splice(0);
    this.#kept = this.#settled;
    for (const range of ranges) {
      const isStacks = range.entries === fold;
      if (isStacks && !fold.needs(range.start, range.end)) continue;
      this.#keep(range, range.start, range.end);
    }
    // Stacks that wait stand among what is settled only from the first of them on.
    const waiting = this.#unsettled.findIndex(range => range.entries === fold);
    if (waiting < 0) this.#unsettled.length = 0;
    else this.#unsettled.splice(0, waiting);
    this.#settled = this.#unsettled[0]?.start ?? this.#kept;
    this.#cursor!.end = this.#kept;
  }

  /** Brings the next `size` bytes into memory behind what is kept and finds the events in them. */
  #load(size: number): { end: number; checkpoints: number[]; firstSize: number } {
    const cursor = this.#cursor!;
    const from = this.#kept;
    const needed = from + size + PADDING;
    const kept = cursor.bytes.subarray(0, from);
    if (desk.length < needed) desk = Buffer.allocUnsafeSlow(Math.ceil((needed + (from >> 1)) / STEP) * STEP);
    const bytes = desk;
    if (cursor.bytes !== bytes) bytes.set(kept);
    const read = this.#bytes.read(this.#position, bytes.subarray(from, from + size));
    bytes.fill(0, from + read, from + read + PADDING);
    cursor.attach(bytes, from + read);
    return wholeEvents(cursor, from);
  }

  /** Leaves the desk to other chunks. */
  #clearDesk(): void {
    const cursor = this.#cursor;
    if (cursor === null || cursor.bytes !== desk) return;
    const needed = this.#kept + PADDING;
    if (this.#own.length < needed || this.#own.length > 2 * (needed + PAGE))
      this.#own = Buffer.allocUnsafeSlow(Math.ceil((needed + (needed >> 2)) / PAGE) * PAGE);
    this.#own.set(desk.subarray(0, this.#kept));
    this.#own.fill(0, this.#kept, needed);
    cursor.attach(this.#own, this.#kept);
    if (desk.length > LARGEST_DESK) desk = NO_BYTES;
  }

  /** Moves bytes that are needed further on to the end of what is kept. */
  #keep({ entries, first }: PoolRange, start: number, end: number): void {
    const to = this.#kept;
    this.#cursor!.bytes.copyWithin(to, start, end);
    entries?.move(first, start, end, to - start);
    this.#kept += end - start;
    this.#unsettled.push({ entries, first, start: to, end: this.#kept });
  }
}

/** The events that stand whole between `from` and the cursor's end: where the last one ends, and where checkpoints begin. */
function wholeEvents(cursor: Cursor, from: number): { end: number; checkpoints: number[]; firstSize: number } {
  const checkpoints: number[] = [];
  let at = from;
  let firstSize = 0;
  while (at < cursor.end) {
    cursor.pos = at;
    const size = cursor.int();
    const type = cursor.key();
    if (at === from) firstSize = size;
    if (size <= 0 || size > cursor.end - at) break;
    if (type === 1) checkpoints.push(at);
    at += size;
  }
  return { end: at, checkpoints, firstSize };
}
