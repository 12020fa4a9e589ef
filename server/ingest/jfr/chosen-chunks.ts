// Chooses the chunks of a recording that were not imported before: recordings of one JVM overlap, and each chunk counts once.
import type { ChunkSpan } from '../ingest.ts';
import type { ChunkHeader } from './chunk-header.ts';

/** A chunk with the bytes at its beginning whose samples are left out. */
type ChosenChunk = { readonly chunk: ChunkHeader; readonly coveredBytes: number };

/** The chunks of a file to be read, and the chunks that were imported before. */
export type ChosenChunks = {
  readonly chosen: readonly ChosenChunk[];
  /** Of the chosen chunks, what is covered afterwards. */
  readonly spans: readonly ChunkSpan[];
  /** Chunks of which nothing is to be read, those included that the file holds twice. */
  readonly left: number;
  /** Chunks of which an earlier import had read only the beginning. */
  readonly continued: number;
};

/**
 * Identity of a chunk: its start in nanoseconds, and in ticks of the clock of its JVM, which tells chunks of two JVMs apart. Null where
 * the header has no start.
 */
function identityOf({ startNanos, startTicks }: ChunkHeader): string | null {
  return startNanos > 0n ? `${startNanos}-${startTicks}` : null;
}

/**
 * Of chunks of one identity the longest is taken, and of that what is not covered. Without `covered` all chunks are taken, also chunks
 * that the file holds twice.
 */
export function chooseChunks(chunks: readonly ChunkHeader[], covered: readonly ChunkSpan[] | undefined): ChosenChunks {
  const whole = { chosen: chunks.map(chunk => ({ chunk, coveredBytes: 0 })), spans: [], left: 0, continued: 0 };
  if (covered === undefined) return whole;
  const known = new Map(covered.map(({ identity, bytes }) => [identity, bytes]));
  const longest = new Map<string, ChunkHeader>();
  for (const chunk of chunks) {
    const identity = identityOf(chunk);
    const other = identity === null ? undefined : longest.get(identity);
    if (identity !== null && (other === undefined || other.available < chunk.available)) longest.set(identity, chunk);
  }
  const chosen: ChosenChunk[] = [];
  const spans: ChunkSpan[] = [];
  for (const chunk of chunks) {
    const identity = identityOf(chunk);
    if (identity === null) {
      chosen.push({ chunk, coveredBytes: 0 });
      continue;
    }
    const coveredBytes = known.get(identity) ?? 0;
    if (longest.get(identity) !== chunk || coveredBytes >= chunk.available) continue;
    chosen.push({ chunk, coveredBytes });
    spans.push({ identity, bytes: chunk.available });
  }
  const continued = chosen.filter(({ coveredBytes }) => coveredBytes > 0).length;
  return { chosen, spans, left: chunks.length - chosen.length, continued };
}
