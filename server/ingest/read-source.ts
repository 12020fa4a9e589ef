// Reads a profile from bytes of any known format, told apart by content.
import { messageOf } from '../base/message-of.ts';
import type { Problem } from '../base/problem.ts';
import type { ByteSource } from './byte-source.ts';
import { compressionOf } from './compression.ts';
import type { Ingested, IngestOptions } from './ingest.ts';
import { isJfr } from './jfr/chunk-header.ts';
import { readJfr } from './jfr/read-jfr.ts';

/** As many bytes as a reader may look at to recognise its format. */
const START_SIZE = 4096;

/** Reads from any source of bytes. Never rejects. */
export async function ingestSource(source: ByteSource, options: IngestOptions): Promise<Ingested> {
  try {
    if (source.size === 0) {
      const remedy = 'copy or record it again: a recording is written when the program ends, or when it is dumped';
      return nothingRead([{ severity: 'error', message: 'the file is empty', file: source.name, remedy }]);
    }
    const start = startOf(source);
    const compression = compressionOf(start);
    if (compression === null) return await readPlain(source, start, options);
    const { decompress } = await import('./compressed.ts');
    const { value: inside, problems } = await decompress(source, compression, options);
    if (inside === null) return nothingRead(problems);
    try {
      const ingested = await readPlain(inside, startOf(inside), options);
      return { ...ingested, problems: [...problems, ...ingested.problems] };
    } finally {
      inside.close();
    }
  } catch (error) {
    // A failing disk, or a fault of ours: either way the caller gets a problem, with the reason.
    const message = `reading failed: ${messageOf(error)}`;
    return nothingRead([{ severity: 'error', message, file: source.name }]);
  }
}

function startOf(source: ByteSource): Uint8Array {
  const start = new Uint8Array(Math.min(START_SIZE, source.size));
  return start.subarray(0, source.read(0, start));
}

async function readPlain(source: ByteSource, start: Uint8Array, options: IngestOptions): Promise<Ingested> {
  if (isJfr(start)) return await readJfr(source, options);
  // A caller that waits for a recording need not wait until all that reads other formats is loaded.
  const { readerOf } = await import('./other-formats.ts');
  const read = await readerOf(source, start, options);
  return read === undefined ? nothingRead([unknown(source)]) : await read(source, options);
}

/** The message for a file that no reader recognises. */
export const NO_FORMAT = 'this is no recording in a format that insitu knows';

function unknown(source: ByteSource): Problem {
  return {
    severity: 'error',
    message: NO_FORMAT,
    file: source.name,
    place: 'byte 0',
    remedy:
      'give a JDK Flight Recorder file, collapsed stacks, pprof, thread dumps, a Kieker log or spans of OpenTelemetry, plain, gzip, zstd, xz or deflate',
  };
}

/** The result of reading when nothing came out of it. */
export function nothingRead(problems: readonly Problem[]): Ingested {
  return {
    profile: null,
    format: 'unknown',
    startMillis: 0,
    endMillis: 0,
    recorder: '',
    debugNonSafepoints: null,
    problems,
  };
}
