// Reads a profile from a file of any known format.
import { openFile } from './byte-source.ts';
import type { Ingested, IngestOptions } from './ingest.ts';
import { ingestSource, nothingRead } from './read-source.ts';

/** Reads the file at `path`. Never rejects: errors stand in `problems`. */
export async function ingestFile(path: string, options: IngestOptions): Promise<Ingested> {
  const { value: source, problems } = openFile(path);
  if (source === null) return nothingRead(problems);
  try {
    return await ingestSource(source, options);
  } finally {
    source.close();
  }
}
