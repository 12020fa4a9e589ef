// Undoes gzip, zstd, deflate and xz around a recording, in memory or in a temporary file, and refuses what would grow without end.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { messageOf } from '../base/message-of.ts';
import type { Outcome } from '../base/problem.ts';
import { errorCode, readWhole } from '../base/regular-file.ts';
import { type ByteSource, memorySource } from './byte-source.ts';
import { type Compression, compressionOf } from './compression.ts';
import type { IngestOptions } from './ingest.ts';

const BLOCK_SIZE = 1 << 18;
/** The most bytes in memory; more bytes go to a temporary file. */
const MAX_IN_MEMORY = 64 << 20;
/** Recordings shrink to a fifth, texts of equal stacks to a hundredth; a file that grows beyond this was made to do harm. */
const MAX_RATIO = 250;
const MAX_SIZE = 4 * 2 ** 30;
/** zstd frames in one file: parallel compressors make one of some megabytes each. Each takes 0.3 ms to begin. */
const MANY_FRAMES = 1000;
const MIN_FRAME = 1 << 12;

/**
 * The content of a compressed source, under the same name; the caller closes it. A stream that breaks off gives the bytes before
 * that, with a problem. Null when nothing came out, when it would be larger than 250 times the file (at least 64 MiB, at
 * most 4 GiB), or when reading was cancelled.
 */
export async function decompress(
  source: ByteSource,
  kind: Compression,
  options: Pick<IngestOptions, 'signal'>,
): Promise<Outcome<ByteSource | null>> {
  const limit = Math.min(MAX_SIZE, Math.max(MAX_IN_MEMORY, MAX_RATIO * source.size));
  const pool = new Spill(source);
  const failed = (message: string, remedy?: string) => {
    pool.discard();
    const hint = remedy === undefined ? {} : { remedy };
    return { value: null, problems: [{ severity: 'error' as const, message, file: source.name, ...hint }] };
  };
  let position = 0;
  const maxFrames = MANY_FRAMES + source.size / MIN_FRAME;
  for (let frame = 0; frame === 0 || continues(source, kind, position); frame++) {
    if (frame >= maxFrames)
      return failed(`this ${kind} file consists of too many small parts`, 'decompress it first if you trust it');
    const undo = kind === 'xz' ? inflateXz : inflate;
    const inflated = await undo(source, kind, position, part => {
      if (options.signal?.aborted) return 'reading was cancelled';
      if (pool.size + part.length > limit) return `this ${kind} file grows to more than ${limit} bytes`;
      pool.write(part);
      return null;
    });
    if (inflated.refusal !== null) return failed(inflated.refusal, 'decompress it first if you trust it');
    if (inflated.failure !== null) {
      if (pool.size === 0) return failed(nothingInside(kind, inflated.failure), 'copy or record it again');
      const message = `the ${kind} data break off: ${inflated.failure}`;
      const place = `byte ${pool.size} of what is inside`;
      return {
        value: pool.source(),
        problems: [{ severity: 'warning', message, file: source.name, place, isPart: true }],
      };
    }
    if (inflated.consumed === 0) break;
    position += inflated.consumed;
  }
  return pool.size === 0 ? failed(`this ${kind} file holds nothing`) : { value: pool.source(), problems: [] };
}

/** The error of zlib for data that end too early. */
const TOO_SHORT = 'Z_BUF_ERROR';

function nothingInside(kind: Compression, failure: string): string {
  if (failure === TOO_SHORT) return `this ${kind} file breaks off before anything in it can be read`;
  return `this ${kind} file is broken at its start: ${failure}`;
}

/** Whether another zstd frame follows: Node's decoder stops behind the first. Its gzip decoder goes on by itself. */
function continues(source: ByteSource, kind: Compression, position: number): boolean {
  const magic = new Uint8Array(4);
  if (kind !== 'zstd' || source.read(position, magic) < 4) return false;
  const skippable = (magic[0]! & 0xf0) === 0x50 && magic[1] === 0x2a && magic[2] === 0x4d && magic[3] === 0x18;
  return skippable || compressionOf(magic) === 'zstd';
}

type Inflated = {
  /** Compressed bytes that were used. */
  readonly consumed: number;
  /** The refusal of `take`. */
  readonly refusal: string | null;
  /** The error in the compressed bytes. */
  readonly failure: string | null;
};

/** Hands over the content of one compressed stream; `take` returns null to go on, else why not. */
async function inflate(
  source: ByteSource,
  kind: Compression,
  position: number,
  take: (part: Uint8Array) => string | null,
): Promise<Inflated> {
  // Memory for long matches: at most 128 MiB, what zstd itself allows without being asked.
  const stream = kind === 'gzip' ? createGunzip() : kind === 'deflate' ? createInflate() : createZstdDecompress();
  const input = Readable.from(blocks(source, position), { objectMode: false });
  input.on('error', error => stream.destroy(error));
  const result = (refusal: string | null, failure: string | null) => ({
    consumed: stream.bytesWritten,
    refusal,
    failure,
  });
  try {
    for await (const part of input.pipe(stream)) {
      const refusal = take(part);
      if (refusal !== null) return result(refusal, null);
    }
    return result(null, null);
  } catch (error) {
    return result(null, errorCode(error) || 'unknown error');
  } finally {
    input.destroy();
    stream.destroy();
  }
}

/** By number: what the decoder of xz says, in words. */
const XZ_FLAWS: Readonly<Record<string, string>> = {
  3: 'it needs too much memory',
  4: 'it needs too much memory',
  6: 'it was made with a check or a filter that is not known (xz --check=crc64 is)',
  7: 'the data are broken',
  8: TOO_SHORT,
};

/** Of xz all streams in one go. */
async function inflateXz(
  source: ByteSource,
  _kind: Compression,
  position: number,
  take: (part: Uint8Array) => string | null,
): Promise<Inflated> {
  const { XzReadableStream } = (await import('xz-decompress')).default;
  const consumed = source.size;
  try {
    for await (const part of new XzReadableStream(ReadableStream.from(blocks(source, position)))) {
      const refusal = take(part);
      if (refusal !== null) return { consumed, refusal, failure: null };
    }
    return { consumed, refusal: null, failure: null };
  } catch (error) {
    const message = messageOf(error);
    const [, code = ''] = /error code (\d+)/.exec(message) ?? [];
    return { consumed, refusal: null, failure: XZ_FLAWS[code] ?? message };
  }
}

function* blocks(source: ByteSource, start: number): Generator<Buffer> {
  for (let position = start; position < source.size; ) {
    const block = Buffer.alloc(Math.min(BLOCK_SIZE, source.size - position));
    const filled = source.read(position, block);
    if (filled === 0) return;
    position += filled;
    yield block.subarray(0, filled);
  }
}

/** Bytes that come one after the other: in memory while they are few, then in a temporary file. */
class Spill {
  readonly #outer: Pick<ByteSource, 'name' | 'modifiedMillis'>;
  #parts: Uint8Array[] = [];
  #path = '';
  #descriptor = -1;
  size = 0;

  constructor({ name, modifiedMillis }: ByteSource) {
    this.#outer = { name, ...(modifiedMillis === undefined ? {} : { modifiedMillis }) };
  }

  write(part: Uint8Array): void {
    this.size += part.length;
    if (this.#descriptor >= 0) writeWhole(this.#descriptor, part);
    else this.#parts.push(part);
    if (this.#descriptor < 0 && this.size > MAX_IN_MEMORY) this.#open();
  }

  #open(): void {
    this.#path = join(tmpdir(), `insitu-${randomUUID()}`);
    this.#descriptor = openSync(this.#path, 'wx+', 0o600);
    // Nameless from now on where the system allows it, so that nothing stays behind however the process ends.
    this.#remove();
    for (const held of this.#parts) writeWhole(this.#descriptor, held);
    this.#parts = [];
  }

  #remove(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // Windows keeps a file that is open; it is removed again after closing.
    }
  }

  discard(): void {
    this.#parts = [];
    if (this.#descriptor < 0) return;
    closeSync(this.#descriptor);
    this.#descriptor = -1;
    this.#remove();
  }

  /** Everything written; closing it discards it. */
  source(): ByteSource {
    if (this.#descriptor < 0) {
      return { ...memorySource(this.#outer.name, Buffer.concat(this.#parts, this.size)), ...this.#outer };
    }
    const { size } = this;
    return {
      ...this.#outer,
      size,
      read: (position, target) => readWhole(this.#descriptor, target, position),
      close: () => this.discard(),
    };
  }
}

function writeWhole(descriptor: number, part: Uint8Array): void {
  for (let at = 0; at < part.length; ) at += writeSync(descriptor, part, at);
}
