// Finds out the profiled text of every open file from git, anew when data, HEAD or settings change, and lets the workspace know.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Outcome, Problem } from '../../base/problem.ts';
import { openRepository } from '../../mapping/git/git-repository.ts';
import { headPlaces } from '../../mapping/git/head-places.ts';
import type { LoadedData } from '../data/loaded-data.ts';
import type { Source } from '../data/source.ts';
import { fileStamp, type WatchedPlace } from '../data/store-watch.ts';
import type { DocumentView } from '../document/document-view.ts';
import type { SeenWith } from '../files/source-file.ts';
import type { OpenFile, Workspace } from '../state.ts';
import { AskedFirst } from './asked-first.ts';
import { marksOf } from './donors.ts';
import { followElsewhere } from './follow-elsewhere.ts';
import { openedText, type ProfiledText, type RecordedCommit } from './profiled-text.ts';
import { OUTSIDE_GIT, type Recorded, recordedCommit } from './recorded-code.ts';
import { RepositoryTexts } from './repository-texts.ts';

/** After this pause in typing it is looked for where new declarations came from. */
const PAUSE_MILLIS = 300;

/** No single turn of the event loop is longer than this for work that comes in steps. */
const SLICE_MILLIS = 10;

/** A repository that nobody has asked anything for this long is closed, unless a source or an open file lies in it. */
const UNUSED_MILLIS = 60_000;

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
type Wanted = Recorded & {
  /** The repository that versions are commits of; null outside git. */
  readonly repository: string | null;
  readonly tagPattern: string | null;
  /** The text that is checked out is wanted too. */
  readonly committed: boolean;
};

type Repository = { readonly texts: RepositoryTexts | null; readonly problem: Problem | null };

export class ProfiledTextKeeper {
  readonly #workspace: Workspace;
  readonly #onKnown: (uri: string) => void;
  readonly #pauseMillis: number;
  readonly #known = new Map<string, Known>();
  readonly #repositories = new Map<string, Promise<Repository>>();
  /** When it was asked for last, by performance.now(). */
  readonly #usedAt = new Map<string, number>();
  /** By root of a repository: where its HEAD is kept, with stamps from before it was read. */
  readonly #heads = new Map<string, readonly WatchedPlace[]>();
  readonly #rootOfFolder = new Map<string, string | null>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  /** What nobody has to wait for. */
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
    const closed = [...this.#known.keys()].filter(uri => !open.has(uri));
    for (const uri of closed) this.#forget(uri);
    // What was typed and not saved is gone.
    if (closed.length > 0) this.#lookAtAll();
    // While the data are still being read.
    for (const { source } of view.sources)
      if (source.repository !== undefined) void this.#repository(source.repository);
    this.#closeUnused();
    for (const file of view.openFiles) {
      const document = view.document(file.uri);
      const data = document?.state.data ?? document?.firstLook?.state.data ?? null;
      if (document === null || data === null) continue;
      const wanted = wantedOf(document, data);
      const key = JSON.stringify([wanted, this.#generation]);
      const known = this.#known.get(file.uri);
      if (known?.key === key) continue;
      const opened = known?.opened ?? file.mapping.profiled.text;
      this.#start(file, { key, isPending: true, done: Promise.resolve(), opened, marks: '' }, data, wanted);
    }
  }

  /** The text of a document changed: what is new in it may have come from another file. */
  textChanged(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    const timer = setTimeout(() => {
      this.#timers.delete(uri);
      this.#lookElsewhere(uri);
      this.#lookAtAll();
    }, this.#pauseMillis);
    timer.unref();
    this.#timers.set(uri, timer);
  }

  /** What was found out before holds no longer. */
  headMoved(): void {
    this.#generation++;
    this.#heads.clear();
    this.#rootOfFolder.clear();
    for (const repository of this.#repositories.values()) void repository.then(({ texts }) => texts?.close());
    this.#repositories.clear();
    this.#usedAt.clear();
    this.sync();
  }

  /** Files and folders that tell when a HEAD moves. */
  headPlaces(): readonly WatchedPlace[] {
    return [...this.#heads.values()].flat();
  }

  /** Whether the recorded text of a document is being looked for. */
  isPending(uri: string): boolean {
    return this.#known.get(uri)?.isPending === true;
  }

  /** Resolves when the recorded text of a document is not being looked for; it comes before those that nobody asks for. */
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
    for (const repository of this.#repositories.values()) void repository.then(({ texts }) => texts?.close());
  }

  #forget(uri: string): void {
    this.#known.delete(uri);
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
      this.#workspace.apply({ kind: 'profiledTextKnown', path: file.path, profiled });
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
        await this.whenIdle();
        this.#others = 'looking';
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
      const [known, root, commit] = [this.#known.get(uri), this.#rootOf(path), mapping.profiled.commit?.hash];
      if (known?.isPending !== false || root === null || commit === undefined) continue;
      const repository = (await this.#repository(root)).texts;
      if (repository === null) continue;
      const key = JSON.stringify([root, commit]);
      const changedElsewhere = changes.get(key) ?? (await repository.changedMethods(commit, texts));
      changes.set(key, changedElsewhere);
      const now = this.#workspace.view().openFiles.find(file => file.uri === uri)?.mapping.profiled;
      if (this.#isClosed) return;
      if (this.#known.get(uri) !== known || now === undefined || isSame(changedElsewhere, now.changedElsewhere))
        continue;
      this.#workspace.apply({ kind: 'profiledTextKnown', path, profiled: { ...now, changedElsewhere } });
      told.push(uri);
    }
    for (const uri of told) this.#onKnown(uri);
  }

  /** What an open file was in the commit that other data of its document were recorded from; null where that is not known. */
  async recordedIn(file: OpenFile, document: DocumentView, data: LoadedData): Promise<ProfiledText | null> {
    // What is shown comes before what it is compared with.
    await this.whenIdle();
    const known = { ...UNKEPT, opened: null };
    const found = await this.#find(file, known, data, wantedOf(document, data));
    return found.from === 'commit' ? found : null;
  }

  async #find(file: OpenFile, known: Known, data: LoadedData, wanted: Wanted): Promise<ProfiledText> {
    const { repository, commit, problem } = await this.#place(file.path, wanted);
    if (repository === null || commit === null) return openedText(known.opened, problem);
    const { value, problems } = await repository.textOf(commit, file.path, file.text);
    if (problems[0] !== undefined) return openedText(known.opened, problems[0]);
    const base: ProfiledText = {
      text: withBreaksOf(file.text, value?.text ?? ''),
      from: 'commit',
      commit: { hash: commit, dateMillis: await repository.repository.dateOf(commit) },
      path: value === null || value.path === repository.repository.pathOf(file.path) ? null : value.path,
      donors: [],
      changedElsewhere: new Set(),
      committed: wanted.committed
        ? withBreaksOf(file.text, await repository.committedText(file.path, value?.path ?? null))
        : null,
      problem: null,
    };
    const { profiled } = await this.#withDonors(file, known, base, repository, value?.path ?? null);
    if (value !== null || !wasRecorded(file, profiled, data)) return profiled;
    // Ran, and was in no commit: generated, or built from files that were never committed.
    const message = `is not in commit ${commit.slice(0, 12)}, from which the data come`;
    return openedText(known.opened, { severity: 'info', message, file: file.path });
  }

  /** The profiled text of a file that is not open, for other data than those of its own document; null without data. */
  async profiledOf(file: OpenFile, { settings, source, state }: SeenWith): Promise<ProfiledText | null> {
    const { data } = state;
    if (data === null) return null;
    const known = { ...UNKEPT, opened: file.mapping.profiled.text };
    return this.#find(file, known, data, wantedOf({ settings, source }, data));
  }

  /** The commit that a source's data were recorded from, whatever files are open; null with a problem where it is not known. */
  async commitOf(
    { repository, tagPattern }: Source,
    { provenance }: LoadedData,
  ): Promise<Outcome<RecordedCommit | null>> {
    if (repository === undefined) return { value: null, problems: [] };
    const { texts, problem } = await this.#repository(repository);
    if (texts === null) return { value: null, problems: problem === null ? [] : [problem] };
    const { program, executions } = provenance;
    const versions = [...new Set(executions.map(({ version }) => version))];
    const { value: hash, problems } = await recordedCommit(texts, { program, versions }, tagPattern ?? null);
    if (hash === null) return { value: null, problems };
    return { value: { hash, dateMillis: await texts.repository.dateOf(hash) }, problems };
  }

  /** Follows hot methods of a source's data to those of a baseline, whatever files are open; see `followElsewhere`. */
  async followToBaseline(source: Source, data: LoadedData, baseline: LoadedData): Promise<void> {
    const { texts } = source.repository === undefined ? { texts: null } : await this.#repository(source.repository);
    const [now, then] = [await this.commitOf(source, data), await this.commitOf(source, baseline)];
    if (texts === null || now.value === null || then.value === null) return;
    await followElsewhere(texts, { data, commit: now.value.hash }, { data: baseline, commit: then.value.hash });
  }

  /** The repository of a file, and the commit of it that was recorded. */
  async #place(
    path: string,
    wanted: Wanted,
  ): Promise<{ repository: RepositoryTexts | null; commit: string | null; problem: Problem | null }> {
    const root = this.#rootOf(path);
    const nowhere = (problem: Problem | undefined | null) => ({
      repository: null,
      commit: null,
      problem: problem ?? OUTSIDE_GIT,
    });
    if (root === null || wanted.repository === null) return nowhere(null);
    const around = await this.#repository(wanted.repository);
    if (around.texts === null) return nowhere(around.problem);
    const recorded = await recordedCommit(around.texts, wanted, wanted.tagPattern);
    if (recorded.value === null) return nowhere(recorded.problems[0]);
    if (root === wanted.repository) return { repository: around.texts, commit: recorded.value, problem: null };
    const own = await this.#repository(root);
    if (own.texts === null) return nowhere(own.problem);
    const inside = around.texts.repository.pathOf(root);
    const inner = inside === null ? null : await around.texts.submoduleCommit(recorded.value, inside);
    if (inner !== null) return { repository: own.texts, commit: inner, problem: null };
    // Another worktree of the same repository, or the same one by another path.
    if (await own.texts.hasCommit(recorded.value))
      return { repository: own.texts, commit: recorded.value, problem: null };
    const message = `the repository of this file was not part of commit ${recorded.value.slice(0, 12)}`;
    return nowhere({ severity: 'info', message });
  }

  /** Sources have asked for theirs by now. */
  #closeUnused(): void {
    const now = performance.now();
    const ofFiles = new Set(this.#workspace.view().openFiles.map(({ path }) => this.#rootOf(path)));
    for (const [root, repository] of this.#repositories) {
      if (ofFiles.has(root) || now - (this.#usedAt.get(root) ?? 0) < UNUSED_MILLIS) continue;
      void repository.then(({ texts }) => texts?.close());
      this.#repositories.delete(root);
      this.#usedAt.delete(root);
      this.#heads.delete(root);
      for (const [folder, its] of this.#rootOfFolder) if (its === root) this.#rootOfFolder.delete(folder);
    }
  }

  #repository(root: string): Promise<Repository> {
    this.#usedAt.set(root, performance.now());
    let repository = this.#repositories.get(root);
    if (repository === undefined) {
      this.#noteHead(root);
      repository = openRepository(root).then(({ value, problems }) => ({
        texts: value === null ? null : new RepositoryTexts(value),
        problem: problems[0] ?? null,
      }));
      this.#repositories.set(root, repository);
    }
    return repository;
  }

  #noteHead(root: string): void {
    if (this.#heads.has(root)) return;
    const places = headPlaces(root).map(path => ({ path, stamp: fileStamp(path) }));
    this.#heads.set(root, places);
  }

  #rootOf(path: string): string | null {
    const folder = dirname(path);
    const known = this.#rootOfFolder.get(folder);
    if (known !== undefined) return known;
    let root: string | null = folder;
    while (root !== null && !existsSync(join(root, '.git'))) root = dirname(root) === root ? null : dirname(root);
    this.#rootOfFolder.set(folder, root);
    return root;
  }

  async #withDonors(
    file: OpenFile,
    known: Known,
    base: ProfiledText,
    repository: RepositoryTexts,
    own: string | null,
  ): Promise<{ readonly profiled: ProfiledText; readonly marks: string }> {
    const outline = file.outline.of(file.text);
    const mapping = file.mapping.knowing(base);
    await inTurns(mapping.prepare(file.text, outline));
    const marks = marksOf(file.text, outline, mapping.freshRows(file.text, outline));
    // Who asks later finds other marks here and is not overwritten.
    const asked = JSON.stringify(marks);
    known.marks = asked;
    const texts = this.#textsNow();
    const commit = base.commit?.hash ?? '';
    const donors = await repository.donorsFor(commit, file.path, own, marks, texts);
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
    const file = this.#workspace.view().openFiles.find(each => each.uri === uri);
    const profiled = file?.mapping.profiled;
    if (known === undefined || known.isPending || file === undefined || profiled?.from !== 'commit') return;
    const outline = file.outline.of(file.text);
    const fresh = file.mapping.knowing({ ...profiled, donors: [] }).freshRows(file.text, outline);
    const marks = marksOf(file.text, outline, fresh);
    if (marks.length === 0 || JSON.stringify(marks) === known.marks) return;
    this.#run(async () => {
      const root = this.#rootOf(file.path);
      const repository = root === null ? null : (await this.#repository(root)).texts;
      if (repository === null) return;
      const found = await this.#withDonors(
        file,
        known,
        { ...profiled, donors: [] },
        repository,
        profiled.path ?? repository.repository.pathOf(file.path),
      );
      const now = this.#workspace.view().openFiles.find(each => each.uri === uri)?.mapping.profiled;
      const isOvertaken = this.#known.get(uri) !== known || known.marks !== found.marks;
      if (this.#isClosed || isOvertaken || now === undefined) return;
      const { donors } = found.profiled;
      this.#workspace.apply({ kind: 'profiledTextKnown', path: file.path, profiled: { ...now, donors } });
      this.#onKnown(uri);
    });
  }
}

function wantedOf({ settings, source }: Pick<DocumentView, 'settings' | 'source'>, { provenance }: LoadedData): Wanted {
  return {
    program: provenance.program,
    versions: [...new Set(provenance.executions.map(({ version }) => version))],
    repository: source?.repository ?? null,
    tagPattern: source?.tagPattern ?? null,
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

/** Takes steps without keeping others waiting for longer than a few of them. */
async function inTurns(steps: Iterable<void>): Promise<void> {
  let end = performance.now() + SLICE_MILLIS;
  for (const _ of steps) {
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + SLICE_MILLIS;
  }
}

/** The text with the line breaks of another: git may keep them in another form than the working tree. */
function withBreaksOf(screen: string, text: string): string {
  const [wanted, has] = [screen.includes('\r\n'), text.includes('\r\n')];
  if (wanted === has || !text.includes('\n')) return text;
  return wanted ? text.replaceAll('\n', '\r\n') : text.replaceAll('\r\n', '\n');
}

/** Whether some type of the file that came from no text of the commit was seen running. */
function wasRecorded(file: OpenFile, profiled: ProfiledText, { classes }: LoadedData): boolean {
  const outline = file.outline.of(file.text);
  const fresh = file.mapping.knowing(profiled).freshRows(file.text, outline);
  return outline.declarations.some(
    ({ row, binaryName }) => fresh.has(row) && binaryName !== '' && classes.rowsOfClass.get(binaryName) !== undefined,
  );
}
