// The 68-byte header of a JFR chunk, and the run of chunks that makes a file.
import type { Problem } from '../../base/problem.ts';
import type { ByteSource } from '../byte-source.ts';
import { Cursor, PADDING } from './cursor.ts';

export const HEADER_SIZE = 68;
/** Chunks beyond this do not fit 32-bit offsets; recorders rotate three orders of magnitude earlier. */
const MAX_CHUNK_SIZE = 2 ** 31 - 2 ** 16;
const MAGIC = 0x464c5200;
/** Bytes that the size and the type of an event take at most. */
const EVENT_START = 18;

/** One chunk as its header describes it and as the file really holds it. */
export type ChunkHeader = {
  /** Where it starts in the file. */
  readonly position: number;
  /** Bytes that may be read: the header's size, or less when the file ends before. */
  readonly available: number;
  readonly major: number;
  readonly minor: number;
  /** Offset of the latest checkpoint and metadata event; 0 when there is none yet or it is beyond what is available. */
  readonly checkpointOffset: number;
  readonly metadataOffset: number;
  readonly startMillis: number;
  /** Nanoseconds since the epoch. */
  readonly startNanos: bigint;
  /** 0 when the recorder had not written it yet. */
  readonly durationMillis: number;
  readonly startTicks: number;
  readonly ticksPerSecond: number;
  readonly compressed: boolean;
  /** Finished by the recorder and wholly inside the file. */
  readonly complete: boolean;
  /** Why it is not, where that has to be told together with what of it could be kept; null when all is well. */
  readonly flaw: string | null;
};

/** The chunks of a file and what is wrong with its structure. */
type ChunkList = { readonly chunks: readonly ChunkHeader[]; readonly problems: readonly Problem[] };

/** Whether bytes start as a JFR file does. */
export function isJfr(start: Uint8Array): boolean {
  return start.length >= 4 && new DataView(start.buffer, start.byteOffset).getUint32(0) === MAGIC;
}

/**
 * Finds all chunks by their headers; reads 68 bytes a chunk, and more only to find the next chunk behind a broken one.
 * Errors in one chunk stand in its `flaw`; the problems are about bytes between chunks, or bytes that cannot be read.
 */
export function listChunks(source: ByteSource): ChunkList {
  const chunks: ChunkHeader[] = [];
  const problems: Problem[] = [];
  const report = (position: number, severity: Problem['severity'], message: string, remedy?: string) =>
    problems.push({ severity, message, file: source.name, place: `byte ${position}`, ...(remedy ? { remedy } : {}) });
  for (let position = 0; position < source.size; ) {
    const bytes = new Uint8Array(HEADER_SIZE);
    const read = source.read(position, bytes);
    if (read < HEADER_SIZE && isJfr(bytes)) {
      report(position, 'warning', 'the file ends inside a chunk header');
      break;
    }
    const view = new DataView(bytes.buffer);
    if (view.getUint32(0) !== MAGIC) {
      report(position, 'warning', 'here a chunk should start, but something else stands here');
      position = nextChunk(source, position, 1);
      continue;
    }
    const [major, minor] = [view.getUint16(4), view.getUint16(6)];
    const size = view.getBigUint64(8);
    if (major !== 1 && major !== 2) {
      report(position, 'error', ...refusal(major, minor));
      position = skipRefused(source, position, size);
      continue;
    }
    const chunk = readHeader(view, position, source.size);
    const end = position + Number(size);
    // The size of an unfinished chunk may be stale or made up: only a chunk at its end proves it.
    const trusted = chunk.complete || (size >= HEADER_SIZE && end <= source.size && startsChunk(source, end));
    const next = trusted ? end : nextChunk(source, position, HEADER_SIZE);
    const available = Math.min(chunk.available, next - position);
    if (available > MAX_CHUNK_SIZE) {
      const message = `a chunk of ${available} bytes is too large to read`;
      report(position, 'warning', message, 'record with a smaller maxchunksize');
    } else {
      const flaw = flawOf(chunk, size, available, next, source.size);
      const inside = (offset: number) => (offset < available ? offset : 0);
      const [checkpointOffset, metadataOffset] = [inside(chunk.checkpointOffset), inside(chunk.metadataOffset)];
      chunks.push({ ...chunk, available, checkpointOffset, metadataOffset, flaw });
    }
    position = next;
  }
  return { chunks, problems };
}

function flawOf(chunk: ChunkHeader, size: bigint, available: number, next: number, fileSize: number): string | null {
  if (size > fileSize - chunk.position) {
    const what = next < fileSize ? 'the next one starts' : 'the file ends';
    return `the chunk says it has ${size} bytes, but ${what} after ${available}`;
  }
  return chunk.complete ? null : UNFINISHED;
}

/** The flaw of a chunk that was copied while it was written, or whose JVM was killed: the events that had been written are there. */
export const UNFINISHED = 'the recorder did not finish this chunk';

function refusal(major: number, minor: number): [message: string, remedy: string] {
  if (major === 0) {
    return [
      `this is an Oracle JDK 7 or 8 recording (format ${major}.${minor}), which is another format`,
      'record with OpenJDK 8u262 or newer, or with JDK 11 or newer',
    ];
  }
  return [`the JFR format ${major}.${minor} is unknown`, 'update insitu, or record with a JDK up to 25'];
}

function skipRefused(source: ByteSource, position: number, size: bigint): number {
  const next = position + Number(size);
  return size >= HEADER_SIZE && next <= source.size ? next : source.size;
}

/** The facts of a header of 68 bytes about a chunk in a file of `fileSize` bytes. */
export function readHeader(view: DataView, position: number, fileSize: number): ChunkHeader {
  const minor = view.getUint16(6);
  const major = view.getUint16(4);
  const size = Number(view.getBigUint64(8));
  const available = Math.min(size < HEADER_SIZE ? fileSize - position : size, fileSize - position);
  const inside = (at: number) => {
    const offset = view.getBigUint64(at);
    return offset >= HEADER_SIZE && offset < available ? Number(offset) : 0;
  };
  const generation = major === 2 && minor >= 1 ? view.getUint8(64) : 0;
  const features = major === 2 && minor >= 1 ? view.getUint16(66) : view.getUint32(64);
  const metadataOffset = inside(24);
  return {
    position,
    available,
    major,
    minor,
    checkpointOffset: inside(16),
    metadataOffset,
    startMillis: Number(view.getBigInt64(32)) / 1e6,
    startNanos: view.getBigInt64(32),
    durationMillis: Math.max(0, Number(view.getBigInt64(40)) / 1e6),
    startTicks: Number(view.getBigInt64(48)),
    ticksPerSecond: Math.max(1, Number(view.getBigInt64(56))),
    compressed: (features & 1) === 1,
    complete: generation === 0 && metadataOffset > 0 && size >= HEADER_SIZE && size <= fileSize - position,
    flaw: null,
  };
}

/** Whether the file ends at `position` or a chunk starts there. */
function startsChunk(source: ByteSource, position: number): boolean {
  if (position === source.size) return true;
  const start = new Uint8Array(4);
  source.read(position, start);
  return isJfr(start);
}

/**
 * Where the next chunk starts behind one at `from` that is broken; the file's size when there is none.
 * @param skip bytes from `from` on that cannot be its start
 */
function nextChunk(source: ByteSource, from: number, skip: number): number {
  const block = new Uint8Array(1 << 20);
  for (let at = from + skip; at + HEADER_SIZE <= source.size; at += block.length - HEADER_SIZE) {
    const filled = source.read(at, block);
    const view = new DataView(block.buffer, 0, filled);
    for (let i = block.indexOf(0x46); i >= 0 && i + HEADER_SIZE <= filled; i = block.indexOf(0x46, i + 1)) {
      if (view.getUint32(i) !== MAGIC) continue;
      if (isPlausible(source, new DataView(block.buffer, i, HEADER_SIZE), at + i, from)) return at + i;
    }
    if (filled < block.length) break;
  }
  return source.size;
}

/** Whether what looks like a header at `position`, inside or behind the broken chunk at `from`, can be one. */
function isPlausible(source: ByteSource, header: DataView, position: number, from: number): boolean {
  const major = header.getUint16(4);
  const size = header.getBigUint64(8);
  if ((major !== 1 && major !== 2) || header.getUint16(6) > 9 || size < HEADER_SIZE) return false;
  // Recorders that flush leave copies of a chunk's header in its data, which tell its size up to their own end.
  if (size === BigInt(position - from + HEADER_SIZE)) return false;
  const inside = (offset: bigint) => offset === 0n || (offset >= HEADER_SIZE && offset < size);
  const metadata = header.getBigUint64(24);
  if (!inside(header.getBigUint64(16)) || !inside(metadata)) return false;
  const { compressed } = readHeader(header, position, source.size);
  return metadata === 0n || mayBeMetadata(source, position + Number(metadata), compressed);
}

/** Whether a metadata event can stand at a place: its type is 0. Nothing speaks against one beyond the end of the file. */
function mayBeMetadata(source: ByteSource, position: number, compressed: boolean): boolean {
  const start = new Uint8Array(EVENT_START + PADDING);
  if (position + EVENT_START > source.size) return true;
  source.read(position, start.subarray(0, EVENT_START));
  const cursor = new Cursor(start, EVENT_START, compressed);
  return cursor.int() > 0 && cursor.key() === 0;
}
