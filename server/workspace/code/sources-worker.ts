// The worker thread that makes texts from what snapshots say of sources: whole snapshots are read for it, and texts may be long.
import { parentPort } from 'node:worker_threads';
import { outlineOf } from '../../../grammar/parse.ts';
import { standInText } from '../../mapping/stale/source-fingerprints.ts';
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
      /** The file that has any of its types at top level is wanted. */
      readonly text: string;
      readonly path: string;
    }
  /** No request has come for a while. */
  | { readonly kind: 'end' };

/** A text that has what is known of the recorded one; null where nothing is known of such a file. */
export type SourcesReport = { readonly id: number; readonly text: string | null };

const port = parentPort;
if (port === null) throw new Error('sources-worker must be started as a worker thread');

/** By store and snapshots, for as long as this thread lives. */
const known = new Map<string, Promise<readonly SourceFile[]>>();

port.on('message', async (order: SourcesOrder) => {
  if (order.kind === 'end') {
    port.close();
    return;
  }
  const text = await standInFor(order).catch(() => null);
  port.postMessage({ id: order.id, text } satisfies SourcesReport);
});

async function standInFor({ store, entries, text, path }: Extract<SourcesOrder, { kind: 'find' }>) {
  const key = JSON.stringify([store, ...entries.map(entry => entry.key)]);
  const reading = known.get(key) ?? readSources(store, entries).catch(() => []);
  known.set(key, reading);
  const sources = await reading;
  if (sources.length === 0) return null;
  const outline = outlineOf(text, path);
  const types = new Set(outline.declarations.flatMap(({ parent, binaryName }) => (parent < 0 ? [binaryName] : [])));
  const file = sources.find(({ members }) => members.some(each => each.parent < 0 && types.has(each.signature)));
  return file === undefined ? null : standInText(file, text, outline);
}

async function readSources(location: string, entries: readonly StoreEntry[]): Promise<readonly SourceFile[]> {
  const store = openStore(location).value;
  for (const entry of store === null ? [] : entries) {
    const bytes = await store?.readBytes(entry);
    const sources = bytes?.value ? (decodeSources(bytes.value).value ?? []) : [];
    if (sources.length > 0) return sources;
  }
  return [];
}
