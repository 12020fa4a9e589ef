// Stands in for profiled texts that git does not have: what snapshots say of the sources of their classes, asked for when it is needed.
import type { Outline } from '../../../grammar/outline.ts';
import { standInText } from '../../mapping/stale/source-fingerprints.ts';
import { decodeSources } from '../../snapshot/decode.ts';
import type { SourceFile } from '../../snapshot/source-section.ts';
import { openStore } from '../../store/open-store.ts';
import type { LoadedData } from '../data/loaded-data.ts';

/** Snapshots that are looked into for one that says something; the latest first. */
const MOST_SNAPSHOTS = 5;

/** By its data, which live as long as they are shown. */
const knownOf = new WeakMap<object, Promise<readonly SourceFile[]>>();

/** A text that has what is known of the profiled one; null where the snapshots of the data say nothing of this file. */
export async function standInFor(
  store: string,
  data: LoadedData,
  text: string,
  outline: Outline,
): Promise<string | null> {
  const { methods } = data.profile;
  const known = knownOf.get(methods) ?? readSources(store, data);
  knownOf.set(methods, known);
  const types = new Set(outline.declarations.flatMap(({ parent, binaryName }) => (parent < 0 ? [binaryName] : [])));
  const file = (await known).find(({ members }) => members.some(each => each.parent < 0 && types.has(each.signature)));
  return file === undefined ? null : standInText(file, text, outline);
}

async function readSources(location: string, { provenance }: LoadedData): Promise<readonly SourceFile[]> {
  const versions = new Set(provenance.executions.map(({ version }) => version));
  const store = versions.size === 1 ? openStore(location).value : null;
  const latest = provenance.entries.toSorted((a, b) => b.startMillis - a.startMillis).slice(0, MOST_SNAPSHOTS);
  for (const entry of store === null ? [] : latest) {
    const bytes = await store?.readBytes(entry);
    const sources = bytes?.value ? (decodeSources(bytes.value).value ?? []) : [];
    if (sources.length > 0) return sources;
  }
  return [];
}
