// The chunks of recordings whose samples a snapshot holds: an import leaves them out, so that overlapping recordings count once.
import type { ChunkSpan } from '../ingest/ingest.ts';
import type { Field } from './field.ts';

type Chunked = { readonly chunks?: readonly ChunkSpan[] };

/** The chunks of all, each with as many bytes as the longest; empty where nothing is known of any. */
export function unitedChunks(all: readonly Chunked[]): Chunked {
  const bytesOf = new Map<string, number>();
  for (const { chunks } of all) {
    for (const { identity, bytes } of chunks ?? []) bytesOf.set(identity, Math.max(bytes, bytesOf.get(identity) ?? 0));
  }
  if (bytesOf.size === 0) return {};
  const chunks = [...bytesOf].map(([identity, bytes]): ChunkSpan => ({ identity, bytes }));
  return { chunks: chunks.sort((a, b) => (a.identity < b.identity ? -1 : 1)) };
}

/** Reads the list from its field of the header; throws FormatFlaw. */
export function chunksIn(field: Field): readonly ChunkSpan[] {
  return field.items().map(item => {
    const pair = item.items();
    if (pair.length !== 2) item.fail('is no pair of identity and bytes');
    return { identity: pair[0]!.text(), bytes: pair[1]!.whole(0, Number.MAX_SAFE_INTEGER) };
  });
}
