// Which chunks of recordings a store has, by the headers of its snapshots.
import type { ChunkSpan } from '../ingest/ingest.ts';
import type { Execution } from '../model/execution.ts';
import { unitedChunks } from '../snapshot/chunks.ts';
import { describeEntries } from './select-snapshots.ts';
import type { Store, StoreEntry } from './store.ts';

/** Chunks with as many bytes as the store has of each, and the snapshots that have some, by time. */
type Covered = { readonly chunks: readonly ChunkSpan[]; readonly entries: readonly StoreEntry[] };

/**
 * The chunks that the store has of a version of a program, of all instances or of one alone. Snapshots that cannot be read have none: their
 * chunks are imported anew.
 */
export async function coveredIn(store: Store, execution: Execution, isInstanceAlone: boolean): Promise<Covered> {
  const { instance: _, ...others } = execution;
  const { value: listed } = await store.list(isInstanceAlone ? execution : others);
  const { value: described } = await describeEntries(store, listed);
  const having = described.filter(({ reading }) => reading.header.chunks !== undefined);
  const { chunks = [] } = unitedChunks(having.map(({ reading }) => reading.header));
  return { chunks, entries: having.map(({ entry }) => entry) };
}
