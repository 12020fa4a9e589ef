// The worker thread that reads what snapshots say of sources: whole snapshots are read for it, and the store may be far away.
import { parentPort } from 'node:worker_threads';
import { decodeSources } from '../../snapshot/decode.ts';
import type { SourceFile } from '../../snapshot/source-section.ts';
import { openStore } from '../../store/open-store.ts';
import type { StoreEntry } from '../../store/store.ts';

export type SourcesOrder =
  | {
      readonly kind: 'find';
      readonly id: number;
      readonly store: string;
      /** The first that says something of any source is believed. */
      readonly entries: readonly StoreEntry[];
      /** Binary names of types at top level: the file that has any of them is wanted. */
      readonly types: readonly string[];
    }
  /** No request has come for a while. */
  | { readonly kind: 'end' };

/** null where nothing is known of such a file. */
export type SourcesReport = { readonly id: number; readonly file: SourceFile | null };

const port = parentPort;
if (port === null) throw new Error('sources-worker must be started as a worker thread');

/** By store and snapshots, for as long as this thread lives. */
const known = new Map<string, Promise<readonly SourceFile[]>>();

port.on('message', async (order: SourcesOrder) => {
  if (order.kind === 'end') {
    port.close();
    return;
  }
  const { id, store, entries } = order;
  const key = JSON.stringify([store, ...entries.map(entry => entry.key)]);
  const reading = known.get(key) ?? readSources(store, entries).catch(() => []);
  known.set(key, reading);
  const types = new Set(order.types);
  const file = (await reading).find(({ members }) =>
    members.some(each => each.parent < 0 && types.has(each.signature)),
  );
  port.postMessage({ id, file: file ?? null } satisfies SourcesReport);
});

async function readSources(location: string, entries: readonly StoreEntry[]): Promise<readonly SourceFile[]> {
  const store = openStore(location).value;
  for (const entry of store === null ? [] : entries) {
    const bytes = await store?.readBytes(entry);
    const sources = bytes?.value ? (decodeSources(bytes.value).value ?? []) : [];
    if (sources.length > 0) return sources;
  }
  return [];
}
