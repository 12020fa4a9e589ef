// The readers of all formats but JDK Flight Recorder's, told apart by how a file starts.
import type { ByteSource } from './byte-source.ts';
import { isCollapsed, readCollapsed } from './collapsed/read-collapsed.ts';
import type { Ingested, IngestOptions } from './ingest.ts';
import { isKieker, readKieker } from './kieker/read-kieker.ts';
import { holdsSpans, isOtlp, readOtlp } from './otlp/read-otlp.ts';
import { isPprof, readPprof } from './pprof/read-pprof.ts';
import { startAsText } from './text-lines.ts';
import { holdsThreadDump, isThreadDump, readThreadDumps } from './threads/read-threads.ts';

type Read = (source: ByteSource, options: IngestOptions) => Promise<Ingested>;

/** Reads one format. `recognises` sees the first bytes of the file. */
type Reader = { readonly recognises: (start: Uint8Array) => boolean; readonly read: Read };

// The first reader that recognises a file takes it; a new format is a line here.
const READERS: readonly Reader[] = [
  { recognises: isThreadDump, read: readThreadDumps },
  { recognises: isKieker, read: readKieker },
  { recognises: isOtlp, read: readOtlp },
  { recognises: isCollapsed, read: readCollapsed },
  { recognises: isPprof, read: readPprof },
];

/** The reader for a file that starts with these bytes; undefined without one. A log may hold a thread dump, or spans, far from its start. */
export async function readerOf(
  source: ByteSource,
  start: Uint8Array,
  options: IngestOptions,
): Promise<Read | undefined> {
  const reader = READERS.find(each => each.recognises(start));
  if (reader !== undefined) return reader.read;
  if (startAsText(start) === null) return undefined;
  if (await holdsThreadDump(source, options)) return readThreadDumps;
  return (await holdsSpans(source, options)) ? readOtlp : undefined;
}
