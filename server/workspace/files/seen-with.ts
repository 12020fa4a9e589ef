// A file of the workspace as a document that is shown with some data.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { type DocumentView, documentView } from '../document/document-view.ts';
import { KeptMapping } from '../document/kept-mapping.ts';
import type { SourceFile } from './source-file.ts';

/** The data that a file is seen with; a document view is one. */
export type SeenWith = Pick<DocumentView, 'state' | 'settings' | 'source' | 'files'>;

/** Views of each file, as long as it has its text; data that are not shown any more take their views with them. */
const viewsOfFile = new WeakMap<SourceFile, WeakMap<LoadedData, DocumentView>>();

/** The file as a document; remembered as long as the data are. */
export function seenWith(file: SourceFile, { state, settings, source, files }: SeenWith): DocumentView {
  const views = viewsOfFile.get(file) ?? new WeakMap<LoadedData, DocumentView>();
  viewsOfFile.set(file, views);
  const { data } = state;
  const known = data === null ? undefined : views.get(data);
  if (known !== undefined && known.settings === settings) return known;
  const { uri, text, outline, mapping: own } = file.parts;
  // The mapping of a file that outlives the data must not hold on to them.
  const mapping = file.isRemembered ? new KeptMapping(own.profiled) : own;
  const view = documentView({ uri, text, outline, mapping, state, settings, source, files });
  if (data !== null) views.set(data, view);
  return view;
}

/** The same document shown with data of the same profile. */
export function seenWithData(document: DocumentView, data: LoadedData): DocumentView {
  const { uri, text, outline, settings, source, files, baseline, state, mapped } = document;
  if (mapped === null || mapped.data === data || mapped.data.profile !== data.profile) return document;
  const { data: _, ...mapping } = mapped;
  const kept = { outline: { of: () => outline }, mapping: { of: () => mapping } };
  return documentView({ uri, text, settings, source, files, baseline, state: { ...state, data }, ...kept });
}
