// Follows methods back to a baseline by the texts of both versions: of open files once both are known, then the hot ones of others.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { ProfiledText } from '../../mapping/recorded/profiled-text.ts';
import type { Source } from '../data/source.ts';
import type { DocumentView } from '../document/document-view.ts';
import type { OpenFile, Workspace } from '../state.ts';
import { followedTexts, followMethods } from './followed-methods.ts';

/** Who knows what was recorded. */
type RecordedTexts = {
  /** What a file was in the commit that data were recorded from, and what it has from others; null where that is not known. */
  recordedIn(file: OpenFile, document: DocumentView, data: LoadedData): Promise<ProfiledText | null>;
  /** Follows what is hot in files that are not open. */
  followToBaseline(source: Source, data: LoadedData, baseline: LoadedData): Promise<void>;
  /** Resolves when the recorded texts of open files are known. */
  whenIdle(): Promise<void>;
};

/** Larger texts are not compared: it is a single step. */
const LARGEST_TEXT = 400_000;

export class BaselineTexts {
  readonly #workspace: Workspace;
  readonly #texts: RecordedTexts;
  readonly #onFollowed: (uri: string) => void;
  /** What was looked at of each open file: the text of the shown version and the methods of the baseline. */
  readonly #seen = new Map<string, { readonly text: string; readonly methods: object; readonly baseline: object }>();
  /** Tables whose methods in other files were looked for, with that of the baseline. */
  readonly #followed = new WeakMap<object, object>();
  readonly #running = new Set<Promise<void>>();

  /** @param onFollowed changes of the document's methods may be others now. */
  constructor(workspace: Workspace, texts: RecordedTexts, onFollowed: (uri: string) => void) {
    this.#workspace = workspace;
    this.#texts = texts;
    this.#onFollowed = onFollowed;
  }

  /** Looks at what is new; to be called when data have come. */
  sync(): void {
    const view = this.#workspace.view();
    const open = new Set(view.openFiles.map(({ uri }) => uri));
    for (const uri of this.#seen.keys()) if (!open.has(uri)) this.#seen.delete(uri);
    for (const file of view.openFiles) this.#look(file, view.document(file.uri));
    for (const { source, state, baseline } of view.sources) {
      const [data, then] = [state?.data ?? null, baseline?.data ?? null];
      if (data === null || then === null) continue;
      const { methods } = data.profile;
      if (this.#followed.get(methods) === then.profile.methods) continue;
      this.#followed.set(methods, then.profile.methods);
      this.#run(this.#followOthers(source, data, then));
    }
  }

  /** The recorded text of a document has come. */
  textKnown(uri: string): void {
    const view = this.#workspace.view();
    const file = view.openFile(uri);
    if (file !== null) this.#look(file, view.document(uri));
  }

  #look(file: OpenFile, document: DocumentView | null): void {
    const data = document?.state.data ?? null;
    const baseline = document?.baseline ?? null;
    const { text, from } = file.mapping.profiled;
    if (document === null || data === null || baseline === null || text === null || from !== 'commit') return;
    const next = { text, methods: data.profile.methods, baseline: baseline.profile.methods };
    const seen = this.#seen.get(file.uri);
    if (seen?.text === text && seen.methods === next.methods && seen.baseline === next.baseline) return;
    this.#seen.set(file.uri, next);
    this.#run(this.#follow(file, document, { data, baseline, text }));
  }

  #run(work: Promise<void>): void {
    // What fails leaves the names to decide.
    const running = work.catch(() => {}).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** After the open files, which the user looks at. */
  async #followOthers(source: Source, data: LoadedData, baseline: LoadedData): Promise<void> {
    await this.#texts.whenIdle();
    const before = followedTexts(data.profile.methods, baseline.profile.methods);
    await this.#texts.followToBaseline(source, data, baseline);
    if (followedTexts(data.profile.methods, baseline.profile.methods) === before) return;
    this.#workspace.apply({ kind: 'methodsFollowed' });
    for (const { uri } of this.#workspace.view().openFiles) this.#onFollowed(uri);
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
    const earlier = await this.#texts.recordedIn(file, document, baseline);
    if (earlier === null || Math.max(earlier.text?.length ?? 0, text.length) > LARGEST_TEXT) return;
    followMethods({ text, file: file.path, classes: data.classes }, { profiled: earlier, classes: baseline.classes });
    this.#workspace.apply({ kind: 'methodsFollowed' });
    this.#onFollowed(file.uri);
  }
}
