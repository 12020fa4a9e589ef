// Follows the methods of open files back to a baseline by the texts of both versions, once both are known.

import type { LoadedData } from '../data/loaded-data.ts';
import type { DocumentView } from '../document/document-view.ts';
import type { OpenFile, Workspace } from '../state.ts';
import { followMethods } from './followed-methods.ts';
import type { ProfiledText } from './profiled-text.ts';

/** What a file was in the commit that data were recorded from, and what it has from others; null where that is not known. */
export type RecordedTextOf = (file: OpenFile, document: DocumentView, data: LoadedData) => Promise<ProfiledText | null>;

/** Larger texts are not compared: it is a single step. */
const LARGEST_TEXT = 400_000;

export class BaselineTexts {
  readonly #workspace: Workspace;
  readonly #textOf: RecordedTextOf;
  readonly #onFollowed: (uri: string) => void;
  /** What was looked at of each open file: the text of the shown version and the methods of the baseline. */
  readonly #seen = new Map<string, { readonly text: string; readonly methods: object; readonly baseline: object }>();
  readonly #running = new Set<Promise<void>>();

  /** @param onFollowed changes of the document's methods may be others now. */
  constructor(workspace: Workspace, textOf: RecordedTextOf, onFollowed: (uri: string) => void) {
    this.#workspace = workspace;
    this.#textOf = textOf;
    this.#onFollowed = onFollowed;
  }

  /** Looks at what is new; to be called when data or recorded texts have come. */
  sync(): void {
    const view = this.#workspace.view();
    const open = new Set(view.openFiles.map(({ uri }) => uri));
    for (const uri of this.#seen.keys()) if (!open.has(uri)) this.#seen.delete(uri);
    for (const file of view.openFiles) {
      const document = view.document(file.uri);
      const data = document?.state.data ?? null;
      const baseline = document?.baseline ?? null;
      const { text, from } = file.mapping.profiled;
      if (document === null || data === null || baseline === null || text === null || from !== 'commit') continue;
      const next = { text, methods: data.profile.methods, baseline: baseline.profile.methods };
      const seen = this.#seen.get(file.uri);
      if (seen?.text === text && seen.methods === next.methods && seen.baseline === next.baseline) continue;
      this.#seen.set(file.uri, next);
      const running = this.#follow(file, document, { data, baseline, text }).finally(() =>
        this.#running.delete(running),
      );
      this.#running.add(running);
    }
  }

  /** Resolves when nothing is being looked for. */
  async whenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #follow(
    file: OpenFile,
    document: DocumentView,
    { data, baseline, text }: { data: LoadedData; baseline: LoadedData; text: string },
  ): Promise<void> {
    const earlier = await this.#textOf(file, document, baseline);
    if (earlier === null || Math.max(earlier.text?.length ?? 0, text.length) > LARGEST_TEXT) return;
    followMethods({ text, file: file.path, classes: data.classes }, { profiled: earlier, classes: baseline.classes });
    this.#workspace.apply({ kind: 'methodsFollowed' });
    this.#onFollowed(file.uri);
  }
}
