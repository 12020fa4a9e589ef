// Finds out the profiled text of every open file from git, anew when data, HEAD or settings change, and lets the workspace know.

import { setTimeout as pause } from 'node:timers/promises';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Renames } from '../../analysis/pairing.ts';
import type { WatchedPlace } from '../../base/file-stamp.ts';
import { messageOf } from '../../base/message-of.ts';
import { inTurns } from '../../base/pause.ts';
import type { Outcome } from '../../base/problem.ts';
import { marksOf } from '../../mapping/recorded/donors.ts';
import { OpenRepositories } from '../../mapping/recorded/open-repositories.ts';
import { openedText, type ProfiledText, type RecordedCommit } from '../../mapping/recorded/profiled-text.ts';
import type { Source } from '../data/source.ts';
import type { DocumentView } from '../document/document-view.ts';
import type { ShownFor } from '../files/source-files.ts';
import type { OpenFile, View, Workspace } from '../state.ts';
import { AskedFirst } from './asked-first.ts';
import { followFileToBaseline, followToBaseline, type OnProgress } from './follow-elsewhere.ts';
import { SnapshotSources } from './snapshot-sources.ts';
import { recordedIn, textOfData, wantedOf } from './text-of-data.ts';

/** After this pause in typing it is looked for where new declarations came from. */
const PAUSE_MILLIS = 300;
/** Other files are looked into once for all that happens within this time, and recorded texts that nobody waits for once no document was opened for so long. */
const TOGETHER_MILLIS = 50;

type Known = {
  /** The facts that the answer depends on: the commit, HEAD, settings. */
  readonly key: string;
  isPending: boolean;
  /** Resolves when it is pending no longer, or something else is wanted. */
  done: Promise<void>;
  /** Text on disk when the file was opened. */
  readonly opened: string | null;
  /** The declarations that were looked for elsewhere last. */
  marks: string;
};

export class ProfiledTextKeeper {
  readonly #workspace: Workspace;
  readonly #onKnown: (uri: string) => void;
  readonly #pauseMillis: number;
  readonly #known = new Map<string, Known>();
  readonly #repositories = new OpenRepositories();
  readonly #sources = new SnapshotSources();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  /** Work that no request waits for. */
  readonly #later = new Set<Promise<void>>();
  readonly #queue = new AskedFirst(TOGETHER_MILLIS);
  /** Whether other files are to be looked into, and whether that is being done. */
  #others: 'known' | 'wanted' | 'looking' = 'known';
  #generation = 0;
  #isClosed = false;

  /** @param onKnown the document is to be shown anew. */
  constructor(workspace: Workspace, onKnown: (uri: string) => void, pauseMillis = PAUSE_MILLIS) {
    this.#workspace = workspace;
    this.#onKnown = onKnown;
    this.#pauseMillis = pauseMillis;
  }

  /** Asks for what is not known; to be called after every change that can alter what is wanted. */
  sync(): void {
    if (this.#isClosed) return;
    const view = this.#workspace.view();
    const open = new Set(view.openFiles.map(({ uri }) => uri));
    for (const uri of [...this.#known.keys()]) if (!open.has(uri)) this.#forget(uri);
    this.#openRepositories(view);
    this.#closeRepositories();
    for (const file of view.openFiles) this.#ask(file, view.document(file.uri));
  }

  /** The same where only this document was opened or closed: the others cost nothing. */
  openedOrClosed(uri: string): void {
    if (this.#isClosed) return;
    const view = this.#workspace.view();
    this.#openRepositories(view);
    const file = view.openFile(uri);
    if (file?.uri !== uri) this.#forget(uri);
    if (file !== null) this.#ask(file, view.document(uri));
  }

  /** While the data are still being read. */
  #openRepositories(view: View): void {
    for (const { source } of view.sources)
      if (source.wish.repository !== undefined) void this.#repositories.at(source.wish.repository);
  }

  #closeRepositories(): void {
    this.#repositories.closeUnused(this.#workspace.view().openFiles.map(({ path }) => path));
  }

  #ask(file: OpenFile, document: DocumentView | null): void {
    const data = document?.state.data ?? null;
    if (document === null || data === null) return;
    const key = JSON.stringify([wantedOf(document, data), this.#generation]);
    const known = this.#known.get(file.uri);
    if (known?.key === key) return;
    const opened = known?.opened ?? file.mapping.profiled.text;
    this.#start(file, { key, isPending: true, done: Promise.resolve(), opened, marks: '' }, data, document);
  }

  /** The text of a document changed: new code in it may have come from another file. */
  textChanged(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    const timer = setTimeout(() => {
      this.#timers.delete(uri);
      this.#run(async () => {
        await inTurns(this.#workspace.prepare(uri));
        if (!this.#isClosed) this.#lookElsewhere(uri);
      });
      this.#lookAtAll();
    }, this.#pauseMillis);
    timer.unref();
    this.#timers.set(uri, timer);
  }

  /** Another commit is checked out: earlier results hold no longer. */
  headMoved(): void {
    this.#generation++;
    this.#repositories.openAnew();
    this.sync();
  }

  /** Files and folders that tell when a HEAD moves. */
  headPlaces(): readonly WatchedPlace[] {
    return this.#repositories.headPlaces();
  }

  /** Whether the recorded text of a document is being looked for. */
  isPending(uri: string): boolean {
    return this.#known.get(uri)?.isPending === true;
  }

  /** Resolves when the recorded text of a document is not being looked for; it comes before texts that were not asked for. */
  async whenKnown(uri: string): Promise<void> {
    for (let known = this.#known.get(uri); known?.isPending === true; known = this.#known.get(uri)) {
      this.#queue.hurry(uri);
      await known.done;
    }
  }

  /** Resolves when no recorded text is being looked for. */
  async whenIdle(): Promise<void> {
    this.#queue.hurryAll();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** The same, and everything that follows from it is known too. */
  async whenSettled(): Promise<void> {
    this.#queue.hurryAll();
    while (this.#running.size + this.#later.size > 0) await Promise.all([...this.#running, ...this.#later]);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#repositories.close();
    this.#sources.close();
  }

  #forget(uri: string): void {
    // Text that was typed and not saved is gone.
    if (this.#known.delete(uri)) this.#lookAtAll();
    this.#queue.drop(uri);
    clearTimeout(this.#timers.get(uri));
    this.#timers.delete(uri);
  }

  #start(file: OpenFile, known: Known, data: LoadedData, document: DocumentView): void {
    this.#known.set(file.uri, known);
    const generation = this.#generation;
    known.done = this.#queue.add(file.uri, async () => {
      const found = this.#find(file, known.opened, data, document);
      const { profiled, marks } = await found.catch(error => failed(known.opened, error));
      if (this.#isClosed || this.#known.get(file.uri) !== known) return;
      known.isPending = false;
      known.marks = JSON.stringify(marks);
      // Asked of a repository that was closed meanwhile; it is looked for again when there are data.
      if (generation !== this.#generation) return;
      this.#workspace.apply({ kind: 'profiledTextKnown', uri: file.uri, profiled });
      this.#onKnown(file.uri);
      this.#lookAtAll();
    });
    this.#run(() => known.done);
  }

  /** Runs a piece of work; a failure leaves everything as it was. */
  #run(work: () => Promise<void>, among = this.#running): void {
    const running = work()
      .catch(() => {})
      .finally(() => among.delete(running));
    among.add(running);
  }

  /** Looks into other files that have changed, once for all documents; hovers and diagnostics can do without for a moment. */
  #lookAtAll(): void {
    const before = this.#others;
    this.#others = 'wanted';
    if (before !== 'known') return;
    this.#run(async () => {
      while (this.#others === 'wanted' && !this.#isClosed) {
        // Many documents may be opened or closed one after the other, and each look goes through all of them.
        await pause(TOGETHER_MILLIS, undefined, { ref: false });
        await this.whenIdle();
        this.#others = 'looking';
        this.#closeRepositories();
        await this.#lookAtOthers().catch(() => {});
      }
      this.#others = 'known';
    }, this.#later);
  }

  async #lookAtOthers(): Promise<void> {
    const texts = this.#textsNow();
    const changes = new Map<string, ReadonlySet<string>>();
    const told: string[] = [];
    for (const { uri, path, mapping } of this.#workspace.view().openFiles) {
      const [known, commit] = [this.#known.get(uri), mapping.profiled.commit];
      if (known?.isPending !== false || commit === null) continue;
      const key = JSON.stringify([this.#repositories.rootOf(path), commit.hash]);
      const changedElsewhere = changes.get(key) ?? (await this.#repositories.changedSince(commit, path, texts));
      if (changedElsewhere === null) continue;
      changes.set(key, changedElsewhere);
      const now = this.#workspace.view().openFile(uri)?.mapping.profiled;
      if (this.#isClosed) return;
      if (this.#known.get(uri) !== known || now === undefined || isSame(changedElsewhere, now.changedElsewhere))
        continue;
      this.#workspace.apply({ kind: 'profiledTextKnown', uri, profiled: { ...now, changedElsewhere } });
      told.push(uri);
    }
    for (const uri of told) this.#onKnown(uri);
  }

  async #find(
    file: OpenFile,
    opened: string | null,
    data: LoadedData,
    shown: Pick<DocumentView, 'settings' | 'source'>,
  ) {
    const [repositories, snapshots] = [this.#repositories, this.#sources];
    const sources = { repositories, snapshots, textsNow: () => this.#textsNow(), opened };
    return await textOfData(file, data, wantedOf(shown, data), sources);
  }

  /** The profiled text of a file that is not open, for other data than those of its own document; null without data. */
  async profiledOf(file: OpenFile, shown: ShownFor): Promise<ProfiledText | null> {
    const { data } = shown.state;
    return data === null ? null : (await this.#find(file, file.mapping.profiled.text, data, shown)).profiled;
  }

  /** The commit that a source's data were recorded from, for open and closed files; null with a problem where it is not known. */
  commitOf(source: Source, data: LoadedData): Promise<Outcome<RecordedCommit | null>> {
    return this.#repositories.commitOf(recordedIn(source, data));
  }

  /** Tags that point at the commits of versions, by the versions that are hashes. */
  tagsOfVersions({ wish }: Source, versions: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#repositories.tagsOfVersions(wish.repository ?? null, versions);
  }

  /** The names of hot methods of a source's data in a baseline, for open and closed files. */
  followToBaseline(source: Source, data: LoadedData, baseline: LoadedData, onProgress: OnProgress): Promise<Renames> {
    return this.#ofOpen(() => followToBaseline(this.#repositories, source, data, baseline, onProgress));
  }

  /** The names of an open file's methods in a baseline; its recorded text is known. */
  followFileToBaseline(
    { path, mapping }: OpenFile,
    source: Source,
    data: LoadedData,
    baseline: LoadedData,
  ): Promise<Renames> {
    const file = { path, recorded: mapping.profiled.path };
    return this.#ofOpen(() => followFileToBaseline(this.#repositories, file, source, [data, baseline]));
  }

  /** Asks again where repositories were closed meanwhile: closed ones know of nothing. */
  async #ofOpen<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      const generation = this.#generation;
      const [found] = await Promise.allSettled([ask()]);
      if (generation !== this.#generation && !this.#isClosed) continue;
      if (found.status === 'rejected') throw found.reason;
      return found.value;
    }
  }

  /** Texts on screen by absolute path. */
  #textsNow(): ReadonlyMap<string, string> {
    return new Map(this.#workspace.view().openFiles.map(({ path, text }) => [path, text]));
  }

  #lookElsewhere(uri: string): void {
    const known = this.#known.get(uri);
    const file = this.#workspace.view().openFile(uri);
    const profiled = file?.mapping.profiled;
    const commit = profiled?.commit?.hash;
    const root = file === null ? null : this.#repositories.rootOf(file.path);
    if (known === undefined || known.isPending || file === null || root === null || commit === undefined) return;
    const outline = file.outline.of(file.text);
    const fresh = file.mapping.knowing({ ...file.mapping.profiled, donors: [] }).freshRows(file.text, outline);
    const marks = marksOf(file.text, outline, fresh);
    const asked = JSON.stringify(marks);
    if (marks.length === 0 || asked === known.marks) return;
    // A later look-up finds other marks here and is not overwritten.
    known.marks = asked;
    this.#run(async () => {
      const { texts } = await this.#repositories.at(root);
      const own = profiled?.path ?? texts?.repository.pathOf(file.path) ?? null;
      const donors = await texts?.donorsFor(commit, file.path, own, marks, this.#textsNow());
      const now = this.#workspace.view().openFile(uri)?.mapping.profiled;
      const isOvertaken = this.#known.get(uri) !== known || known.marks !== asked;
      if (this.#isClosed || isOvertaken || now === undefined || donors === undefined) return;
      this.#workspace.apply({ kind: 'profiledTextKnown', uri, profiled: { ...now, donors } });
      this.#onKnown(uri);
    });
  }
}

function failed(opened: string | null, error: unknown) {
  const reason = messageOf(error);
  const problem = { severity: 'warning', message: `what was recorded is not known: ${reason}` } as const;
  return { profiled: openedText(opened, problem), marks: [] };
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every(key => other.has(key));
}
