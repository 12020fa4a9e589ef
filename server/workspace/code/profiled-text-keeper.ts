// Finds out the profiled text of every open file from git, anew when data, HEAD or settings change, and lets the workspace know.
import { setTimeout as pause } from 'node:timers/promises';
import { outlineOf } from '../../../grammar/parse.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import { inTurns } from '../../base/turns.ts';
import type { Source } from '../data/source.ts';
import type { WatchedPlace } from '../data/store-watch.ts';
import type { DocumentView } from '../document/document-view.ts';
import type { ShownFor } from '../files/source-files.ts';
import type { OpenFile, View, Workspace } from '../state.ts';
import { AskedFirst } from './asked-first.ts';
import { marksOf } from './donors.ts';
import { followElsewhere, followFile } from './follow-elsewhere.ts';
import { OpenRepositories, type RecordedIn } from './open-repositories.ts';
import type { Renames } from './pairing.ts';
import { openedText, type ProfiledText, type RecordedCommit, withBreaksOf } from './profiled-text.ts';
import { recordedCommit } from './recorded-code.ts';
import type { RepositoryTexts } from './repository-texts.ts';
import { SnapshotSources } from './snapshot-sources.ts';

/** After this pause in typing it is looked for where new declarations came from. */
const PAUSE_MILLIS = 300;
/** Other files are looked into once for all that happens within this time. */
const TOGETHER_MILLIS = 50;

type Known = {
  /** What the answer depends on: the commit, HEAD, settings. */
  readonly key: string;
  isPending: boolean;
  /** Resolves when it is pending no longer, or something else is wanted. */
  done: Promise<void>;
  /** Text on disk when the file was opened. */
  readonly opened: string | null;
  /** What was looked for elsewhere last. */
  marks: string;
};

/** Of what is looked for once. */
const UNKEPT = { key: '', isPending: false, done: Promise.resolve(), marks: '' };

/** Everything that the recorded text of a document depends on, except the document. */
type Wanted = RecordedIn & {
  /** Location of the store that the data come from; null where it is not known. */
  readonly store: string | null;
  /** The text that is checked out is wanted too. */
  readonly committed: boolean;
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
  readonly #queue = new AskedFirst();
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
    const wanted = wantedOf(document, data);
    const key = JSON.stringify([wanted, this.#generation]);
    const known = this.#known.get(file.uri);
    if (known?.key === key) return;
    const opened = known?.opened ?? file.mapping.profiled.text;
    this.#start(file, { key, isPending: true, done: Promise.resolve(), opened, marks: '' }, data, wanted);
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

  /** What was found out before holds no longer. */
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
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** The same, and everything that follows from it is known too. */
  async whenSettled(): Promise<void> {
    while (this.#running.size + this.#later.size > 0) await Promise.all([...this.#running, ...this.#later]);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#repositories.close();
    this.#sources.close();
  }

  #forget(uri: string): void {
    // What was typed and not saved is gone.
    if (this.#known.delete(uri)) this.#lookAtAll();
    this.#queue.drop(uri);
    clearTimeout(this.#timers.get(uri));
    this.#timers.delete(uri);
  }

  #start(file: OpenFile, known: Known, data: LoadedData, wanted: Wanted): void {
    this.#known.set(file.uri, known);
    const generation = this.#generation;
    known.done = this.#queue.add(file.uri, async () => {
      const profiled = await this.#find(file, known, data, wanted).catch(error => failed(known.opened, error));
      if (this.#isClosed || this.#known.get(file.uri) !== known) return;
      known.isPending = false;
      // Asked of a repository that was closed meanwhile; it is looked for again when there are data.
      if (generation !== this.#generation) return;
      this.#workspace.apply({ kind: 'profiledTextKnown', uri: file.uri, profiled });
      this.#onKnown(file.uri);
      this.#lookAtAll();
    });
    this.#run(() => known.done);
  }

  /** What fails leaves everything as it was. */
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
      const [known, root, commit] = [
        this.#known.get(uri),
        this.#repositories.rootOf(path),
        mapping.profiled.commit?.hash,
      ];
      if (known?.isPending !== false || root === null || commit === undefined) continue;
      const repository = (await this.#repositories.at(root)).texts;
      if (repository === null) continue;
      const key = JSON.stringify([root, commit]);
      const changedElsewhere = changes.get(key) ?? (await repository.changedMethods(commit, texts));
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

  async #find(file: OpenFile, known: Known, data: LoadedData, wanted: Wanted): Promise<ProfiledText> {
    const place = await this.#repositories.placeOf(file.path, wanted);
    if (place.repository === null) return this.#standIn(file, known, data, { wanted, problem: place.problem });
    const { repository, commit } = place;
    const { value, problems } = await repository.textOf(commit, file.path, file.text);
    if (problems[0] !== undefined) return this.#standIn(file, known, data, { wanted, problem: problems[0] });
    const committed = wanted.committed ? await repository.committedText(file.path, value?.path ?? null) : null;
    const base: ProfiledText = {
      text: withBreaksOf(file.text, value?.text ?? ''),
      from: 'commit',
      commit: { hash: commit, dateMillis: await repository.repository.dateOf(commit) },
      path: value === null || value.path === repository.repository.pathOf(file.path) ? null : value.path,
      donors: [],
      changedElsewhere: new Set(),
      committed: committed === null ? null : withBreaksOf(file.text, committed),
      problem: null,
    };
    const { profiled } = await this.#withDonors(file, known, base, repository, value?.path ?? null);
    if (value !== null || !wasRecorded(file, profiled, data)) return profiled;
    // Ran, and was in no commit: generated, or built from files that were never committed.
    const message = `is not in commit ${commit.slice(0, 12)}, from which the data come`;
    return openedText(known.opened, { severity: 'info', message, file: file.path });
  }

  /** Without the profiled text: what the snapshots say of it, else the text that was opened. */
  async #standIn(
    { outline, path, text: screen }: OpenFile,
    { opened }: Known,
    data: LoadedData,
    { wanted, problem }: { readonly wanted: Wanted; readonly problem: Problem | null },
  ): Promise<ProfiledText> {
    const current = opened ?? screen;
    const parsed = current === screen ? outline.of(screen) : outlineOf(current, path);
    const text = wanted.store === null ? null : await this.#sources.standInFor(wanted.store, data, current, parsed);
    return text === null ? openedText(opened, problem) : { ...openedText(text, problem), from: 'fingerprints' };
  }

  /** The profiled text of a file that is not open, for other data than those of its own document; null without data. */
  async profiledOf(file: OpenFile, { settings, source, state }: ShownFor): Promise<ProfiledText | null> {
    const { data } = state;
    if (data === null) return null;
    const known = { ...UNKEPT, opened: file.mapping.profiled.text };
    return this.#find(file, known, data, wantedOf({ settings, source }, data));
  }

  /** The commit that a source's data were recorded from, whatever files are open; null with a problem where it is not known. */
  async commitOf(
    { wish: { repository, tagPattern } }: Source,
    { provenance }: LoadedData,
  ): Promise<Outcome<RecordedCommit | null>> {
    if (repository === undefined) return { value: null, problems: [] };
    const { texts, problem } = await this.#repositories.at(repository);
    if (texts === null) return { value: null, problems: problem === null ? [] : [problem] };
    const { program, executions } = provenance;
    const versions = [...new Set(executions.map(({ version }) => version))];
    const { value: hash, problems } = await recordedCommit(texts, { program, versions }, tagPattern ?? null);
    if (hash === null) return { value: null, problems };
    return { value: { hash, dateMillis: await texts.repository.dateOf(hash) }, problems };
  }

  /** What hot methods of a source's data were called in a baseline, whatever files are open; see `followElsewhere`. */
  async followToBaseline(
    source: Source,
    data: LoadedData,
    baseline: LoadedData,
    onProgress: (done: number, all: number) => void,
  ): Promise<Renames> {
    const { repository } = source.wish;
    const { texts } = repository === undefined ? { texts: null } : await this.#repositories.at(repository);
    const [now, then] = [await this.commitOf(source, data), await this.commitOf(source, baseline)];
    if (texts === null || now.value === null || then.value === null) return new Map();
    const before = { data: baseline, commit: then.value.hash };
    return followElsewhere(texts, { data, commit: now.value.hash }, before, onProgress);
  }

  /** What the methods of an open file were called in a baseline; its recorded text is known. */
  async followFileToBaseline(
    { path, mapping }: OpenFile,
    source: Source,
    data: LoadedData,
    baseline: LoadedData,
  ): Promise<Renames> {
    const [now, then] = [
      await this.#repositories.placeOf(path, recordedIn(source, data)),
      await this.#repositories.placeOf(path, recordedIn(source, baseline)),
    ];
    if (now.repository === null || now.repository !== then.repository) return new Map();
    const recorded = mapping.profiled.path ?? now.repository.repository.pathOf(path);
    if (recorded === null) return new Map();
    return followFile(now.repository, recorded, { data, commit: now.commit }, { data: baseline, commit: then.commit });
  }

  async #withDonors(
    file: OpenFile,
    known: Known,
    base: ProfiledText,
    repository: RepositoryTexts,
    own: string | null,
  ): Promise<{ readonly profiled: ProfiledText; readonly marks: string }> {
    await inTurns(file.outline.prepare(file.text));
    const outline = file.outline.of(file.text);
    const mapping = file.mapping.knowing(base);
    await inTurns(mapping.prepare(file.text, outline));
    const marks = marksOf(file.text, outline, mapping.freshRows(file.text, outline));
    // Who asks later finds other marks here and is not overwritten.
    const asked = JSON.stringify(marks);
    known.marks = asked;
    const commit = base.commit?.hash ?? '';
    // Most files have nothing new, and need no list of all others.
    const donors =
      marks.length === 0 ? [] : await repository.donorsFor(commit, file.path, own, marks, this.#textsNow());
    const profiled = { ...base, donors };
    mapping.knowing(profiled);
    return { profiled, marks: asked };
  }

  /** Texts on screen by absolute path. */
  #textsNow(): ReadonlyMap<string, string> {
    return new Map(this.#workspace.view().openFiles.map(({ path, text }) => [path, text]));
  }

  #lookElsewhere(uri: string): void {
    const known = this.#known.get(uri);
    const file = this.#workspace.view().openFile(uri);
    const profiled = file?.mapping.profiled;
    if (known === undefined || known.isPending || file === null || profiled?.from !== 'commit') return;
    const outline = file.outline.of(file.text);
    const fresh = file.mapping.knowing({ ...profiled, donors: [] }).freshRows(file.text, outline);
    const marks = marksOf(file.text, outline, fresh);
    if (marks.length === 0 || JSON.stringify(marks) === known.marks) return;
    this.#run(async () => {
      const root = this.#repositories.rootOf(file.path);
      const repository = root === null ? null : (await this.#repositories.at(root)).texts;
      if (repository === null) return;
      const found = await this.#withDonors(
        file,
        known,
        { ...profiled, donors: [] },
        repository,
        profiled.path ?? repository.repository.pathOf(file.path),
      );
      const now = this.#workspace.view().openFile(uri)?.mapping.profiled;
      const isOvertaken = this.#known.get(uri) !== known || known.marks !== found.marks;
      if (this.#isClosed || isOvertaken || now === undefined) return;
      const { donors } = found.profiled;
      this.#workspace.apply({ kind: 'profiledTextKnown', uri, profiled: { ...now, donors } });
      this.#onKnown(uri);
    });
  }
}

function recordedIn(source: Source | null, { provenance }: LoadedData): RecordedIn {
  return {
    program: provenance.program,
    versions: [...new Set(provenance.executions.map(({ version }) => version))],
    repository: source?.wish.repository ?? null,
    tagPattern: source?.wish.tagPattern ?? null,
  };
}

function wantedOf({ settings, source }: Pick<DocumentView, 'settings' | 'source'>, data: LoadedData): Wanted {
  return {
    ...recordedIn(source, data),
    store: source?.wish.store ?? null,
    committed: !settings['stale.uncommitted'],
  };
}

function failed(opened: string | null, error: unknown): ProfiledText {
  const reason = error instanceof Error ? error.message : String(error);
  return openedText(opened, { severity: 'warning', message: `what was recorded is not known: ${reason}` });
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every(key => other.has(key));
}

/** Whether some type of the file that came from no text of the commit was seen running. */
function wasRecorded(file: OpenFile, profiled: ProfiledText, { classes }: LoadedData): boolean {
  const outline = file.outline.of(file.text);
  const fresh = file.mapping.knowing(profiled).freshRows(file.text, outline);
  return outline.declarations.some(
    ({ row, binaryName }) => fresh.has(row) && binaryName !== '' && classes.rowsOfClass.get(binaryName) !== undefined,
  );
}
