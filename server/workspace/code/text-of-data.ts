// The recorded text of a file for data that are loaded: they say which commit, store and classes are meant. Editors and commands ask here.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { OpenRepositories, RecordedIn } from '../../mapping/recorded/open-repositories.ts';
import {
  type FileOnScreen,
  recordedText,
  type TextSources,
  type WantedText,
} from '../../mapping/recorded/recorded-text.ts';
import type { Source } from '../data/source.ts';
import type { DocumentView } from '../document/document-view.ts';
import type { SnapshotSources } from './snapshot-sources.ts';

/** Everything that the recorded text of a document depends on, except the document. */
type WantedOfData = WantedText & {
  /** Location of the store that the data come from; null where it is not known. */
  readonly store: string | null;
};

type KeptSources = Pick<TextSources, 'textsNow' | 'opened'> & {
  readonly repositories: OpenRepositories;
  readonly snapshots: SnapshotSources;
};

/** The recorded versions, and the repository that they are commits of. */
export function recordedIn(source: Source | null, { provenance }: LoadedData): RecordedIn {
  return {
    program: provenance.program,
    versions: [...new Set(provenance.executions.map(({ version }) => version))],
    repository: source?.wish.repository ?? null,
    tagPattern: source?.wish.tagPattern ?? null,
  };
}

export function wantedOf(
  { settings, source }: Pick<DocumentView, 'settings' | 'source'>,
  data: LoadedData,
): WantedOfData {
  return {
    ...recordedIn(source, data),
    store: source?.wish.store ?? null,
    committed: !settings['stale.uncommitted'],
  };
}

export function textOfData(
  file: FileOnScreen,
  data: LoadedData,
  { store, ...wanted }: WantedOfData,
  { snapshots, ...sources }: KeptSources,
): ReturnType<typeof recordedText> {
  return recordedText(file, wanted, {
    ...sources,
    classes: data.classes,
    standIn: async (text, path) => (store === null ? null : snapshots.standInFor(store, data, text, path)),
  });
}
