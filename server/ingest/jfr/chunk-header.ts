// The 68-byte header of a JFR chunk, and the run of chunks that makes a file.
import type { Problem } from '../../base/problem.ts';
import type { ByteSource } from '../byte-source.ts';

export const HEADER_SIZE = 68;
/** Chunks beyond this do not fit 32-bit offsets; recorders rotate three orders of magnitude earlier. */
const MAX_CHUNK_SIZE = 2 ** 31 - 2 ** 16;
const MAGIC = 0x464c5200;

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
  /** 0 when the recorder had not written it yet. */
  readonly durationMillis: number;
  readonly startTicks: number;
  readonly ticksPerSecond: number;
  readonly compressed: boolean;
  /** Finished by the recorder and wholly inside the file. */
  readonly complete: boolean;
};

/** The chunks of a file and what is wrong with its structure. */
export type ChunkList = { readonly chunks: readonly ChunkHeader[]; readonly problems: readonly Problem[] };

/** Whether bytes start as a JFR file does. */
export function isJfr(start: Uint8Array): boolean {
  return start.length >= 4 && new DataView(start.buffer, start.byteOffset).getUint32(0) === MAGIC;
}

/** Finds all chunks by their headers; reads 68 bytes a chunk, and more only to find the next chunk behind a broken one. */
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
      position = nextChunk(source, position + 1);
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
    if (size > source.size - position) {
      report(position, 'warning', `the chunk says it has ${size} bytes, but the file ends after ${chunk.available}`);
    } else if (!chunk.complete) {
      report(position, 'warning', 'the recorder did not finish this chunk: what it had written out is read');
    }
    if (chunk.available > MAX_CHUNK_SIZE) {
      report(
        position,
        'warning',
        `a chunk of ${chunk.available} bytes is too large to read`,
        'record with a smaller maxchunksize',
      );
    } else {
      chunks.push(chunk);
    }
    const next = position + Number(size);
    // The size of an unfinished chunk may be stale or made up: only a chunk at its end proves it.
    const trusted = chunk.complete || (size >= HEADER_SIZE && next <= source.size && startsChunk(source, next));
    position = trusted ? next : nextChunk(source, position + HEADER_SIZE);
  }
  return { chunks, problems };
}

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

function readHeader(view: DataView, position: number, fileSize: number): ChunkHeader {
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
    durationMillis: Math.max(0, Number(view.getBigInt64(40)) / 1e6),
    startTicks: Number(view.getBigInt64(48)),
    ticksPerSecond: Math.max(1, Number(view.getBigInt64(56))),
    compressed: (features & 1) === 1,
    complete: generation === 0 && metadataOffset > 0 && size >= HEADER_SIZE && size <= fileSize - position,
  };
}

/** Whether the file ends at `position` or a chunk starts there. */
function startsChunk(source: ByteSource, position: number): boolean {
  if (position === source.size) return true;
  const start = new Uint8Array(4);
  source.read(position, start);
  return isJfr(start);
}

/** The next place from `position` on where a plausible chunk header stands; the file's size when there is none. */
function nextChunk(source: ByteSource, position: number): number {
  const block = new Uint8Array(1 << 20);
  for (let at = position; at + HEADER_SIZE <= source.size; at += block.length - HEADER_SIZE) {
    const filled = source.read(at, block);
    const view = new DataView(block.buffer, 0, filled);
    for (let i = block.indexOf(0x46); i >= 0 && i + HEADER_SIZE <= filled; i = block.indexOf(0x46, i + 1)) {
      if (view.getUint32(i) !== MAGIC) continue;
      const major = view.getUint16(i + 4);
      const plausible = view.getBigUint64(i + 8) >= HEADER_SIZE && view.getBigUint64(i + 24) < 2n ** 40n;
      if ((major === 1 || major === 2) && view.getUint16(i + 6) <= 9 && plausible) return at + i;
    }
    if (filled < block.length) break;
  }
  return source.size;
}
