// The data of a source without its focus: what can be asked about and chosen, whatever is the 100 % now.

import { completeData, type LoadedData } from '../../analysis/loaded-data.ts';
import { type DocumentView, documentView } from '../document/document-view.ts';
import type { Loader } from './loader.ts';
import type { Source } from './source.ts';

/** A request waits no longer than this; loads that were asked for before come first. */
const LONGEST_WAIT_MILLIS = 2_000;

export class UnfocusedData {
  readonly #loader: Pick<Loader, 'load'>;
  /** Large, and soon asked for again or never. */
  readonly #known = new WeakMap<LoadedData, WeakRef<LoadedData>>();

  constructor(loader: Pick<Loader, 'load'>) {
    this.#loader = loader;
  }

  /**
   * `data` themselves where they have no focus, else those of the same samples, methods and threads without one: the loading thread
   * keeps what they are worked out from. `data` again where that is not so any more, or takes too long. Never rejects.
   */
  async of(source: Source, data: LoadedData): Promise<LoadedData> {
    if ((data.selection.focus ?? []).length === 0) return data;
    const known = this.#known.get(data)?.deref();
    if (known !== undefined) return known;
    const { focus: _focus, tasks: _tasks, ...selection } = data.selection;
    const { result } = this.#loader.load(
      { ...source, selection: { ...selection, metric: data.metric.id } },
      () => {},
      false,
    );
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, LONGEST_WAIT_MILLIS, null);
    const found = await Promise.race([result, late]);
    clearTimeout(timer);
    const value = found?.value ?? null;
    // Rows of methods mean the same in both only where the very table is.
    if (value === null || value.folded.profile !== data.profile) return data;
    const unfocused = completeData(value);
    this.#known.set(data, new WeakRef(unfocused));
    return unfocused;
  }
}

/** The same document shown with data of the same profile. */
export function seenWithData(document: DocumentView, data: LoadedData): DocumentView {
  const { uri, text, outline, settings, source, files, baseline, state, mapped } = document;
  if (mapped === null || mapped.data === data || mapped.data.profile !== data.profile) return document;
  const { data: _, ...mapping } = mapped;
  const kept = { outline: { of: () => outline }, mapping: { of: () => mapping } };
  return documentView({ uri, text, settings, source, files, baseline, state: { ...state, data }, ...kept });
}
