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

/** Files by the types at their top level. */
type Sources = ReadonlyMap<string, SourceFile>;

const NOTHING: Sources = new Map();

/** By store and snapshots, for as long as this thread lives. */
const known = new Map<string, Promise<Sources>>();

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
  const reading = known.get(key) ?? readSources(store, entries).catch(() => NOTHING);
  known.set(key, reading);
  const sources = await reading;
  if (sources.size === 0) return null;
  const outline = outlineOf(text, path);
  const types = outline.declarations.flatMap(({ parent, binaryName }) => (parent < 0 ? [binaryName] : []));
  const [file] = types.flatMap(type => sources.get(type) ?? []);
  return file === undefined ? null : standInText(file, text, outline);
}

async function readSources(location: string, entries: readonly StoreEntry[]): Promise<Sources> {
  const store = openStore(location).value;
  for (const entry of store === null ? [] : entries) {
    const bytes = await store?.readBytes(entry);
    const sources = bytes?.value ? (decodeSources(bytes.value).value ?? []) : [];
    if (sources.length > 0) return byType(sources);
  }
  return NOTHING;
}

/** Of several files that have a type the first is believed. */
function byType(sources: readonly SourceFile[]): Sources {
  const found = new Map<string, SourceFile>();
  for (const file of sources)
    for (const { parent, signature } of file.members)
      if (parent < 0 && !found.has(signature)) found.set(signature, file);
  return found;
}
