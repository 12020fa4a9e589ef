// Texts of one repository's commits as the files of its working tree need them: under earlier paths, and from files that gave something away.
import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileStamp } from '../../base/file-stamp.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import { readRegularLater } from '../../base/regular-file.ts';
import {
  type ChangedFile,
  type CommittedFile,
  changedFiles,
  committedFiles,
  submoduleCommit,
} from '../git/changed-files.ts';
import type { GitRepository } from '../git/git-repository.ts';
import { indexPlace } from '../git/head-places.ts';
import { commitOfVersion, type TagNames } from '../git/version-commits.ts';
import { textOfBytes } from '../source-text/java-text.ts';
import { FILE_BYTES_MAX } from '../source-walk.ts';
import { liesWithin } from '../within-roots.ts';
import { changedMethods } from './changed-methods.ts';
import { type Donor, type DonorTexts, donorOf, hasMarks, type Marks, unambiguous } from './donors.ts';
import { LARGEST_COMPARED, movedFrom, type TextInCommit } from './moved-file.ts';

/** Changed files that are searched for changed methods. */
const MOST_CHANGED = 60;
/** Files that may have given declarations away. */
const MOST_DONORS = 60;
/** Texts and comparisons of a commit's files that are remembered. */
const MOST_KEPT = 2 * MOST_DONORS;

/** Open until HEAD moves: what was found out is remembered, what failed is asked for again. */
export class RepositoryTexts {
  readonly repository: GitRepository;
  /** The commit whose files are the present ones; null for those of the working tree. */
  readonly #present: string | null;
  /** By commit: see `asOf`. */
  readonly #asOf = new Map<string, RepositoryTexts>();
  readonly #changes = new Map<string, Promise<Outcome<readonly ChangedFile[]>>>();
  /** By commit: the index as it was when changes were looked for. */
  readonly #indexStamps = new Map<string, string>();
  readonly #files = new Map<string, Promise<Outcome<readonly CommittedFile[]>>>();
  /** By path in a commit: the text that was compared last, and what came out. */
  readonly #changedMethods = new Map<string, { readonly current: string; readonly keys: Promise<readonly string[]> }>();
  /** The same for what may have been given away. */
  readonly #donors = new Map<string, { readonly current: string | null; readonly donor: Donor | null }>();
  /** Files are compared with the same few others: by path in a commit, null where it has none. */
  readonly #texts = new Map<string, Promise<string | null>>();
  /** Answers that are the same for all files, by the question. */
  readonly #commits = new Map<string, Promise<Outcome<string | null>>>();
  #head: Promise<string | null> | null = null;
  /** Files of the present commit. */
  #presentPaths: Promise<ReadonlySet<string>> | null = null;

  constructor(repository: GitRepository, present: string | null = null) {
    this.repository = repository;
    this.#present = present;
  }

  /** The same with the files of a commit in place of those of the working tree; closed with this one. */
  asOf(commit: string): RepositoryTexts {
    const known = this.#asOf.get(commit) ?? new RepositoryTexts(this.repository, commit);
    this.#asOf.set(commit, known);
    return known;
  }

  close(): void {
    this.repository.close();
  }

  /** The commit of a version, see `commitsOfVersions`; null when it has none here. */
  commitOfVersion(version: string, names: TagNames): Promise<Outcome<string | null>> {
    const key = JSON.stringify([version, names.program, names.tagPattern ?? null]);
    return remembered(this.#commits, key, () => commitOfVersion(this.repository, version, names));
  }

  /** The commit of the submodule at `path` that a commit names; null where there is none. */
  async submoduleCommit(commit: string, path: string): Promise<string | null> {
    const ask = async () => ({ value: await submoduleCommit(this.repository, commit, path), problems: [] });
    return (await remembered(this.#commits, JSON.stringify([commit, path]), ask)).value;
  }

  /** Whether the repository has a commit, given by its full hash. */
  async hasCommit(commit: string): Promise<boolean> {
    const ask = async () => {
      const { value, problems } = await this.repository.commits([commit]);
      return { value: value.get(commit) ?? null, problems };
    };
    return (await remembered(this.#commits, JSON.stringify([commit]), ask)).value !== null;
  }

  /**
   * The text of a present file in a commit: of the same path, of that from which git says it was renamed, or of a file
   * that is gone and declares the same types or has most of its lines.
   * @param screen the file's present text.
   * @returns null without problems where the commit has nothing that became this file; with problems where git cannot tell.
   */
  async textOf(commit: string, file: string, screen: string): Promise<Outcome<TextInCommit | null>> {
    const path = this.repository.pathOf(file);
    if (path === null) return nothing({ severity: 'info', message: 'lies outside of the repository', file });
    const changes = await this.#changesSince(commit);
    if (changes.problems.length > 0) {
      // Says what is missing in words: the commit, or its contents.
      const { value, problems } = await this.repository.textAt(commit, path);
      return value === null ? { value: null, problems: problems.slice(0, 1) } : found(value, path);
    }
    const change = changes.value.find(({ after }) => after === path);
    const before = change?.before ?? path;
    if (change?.kind !== 'added') {
      const { value, problems } = await this.repository.textAt(commit, before);
      if (value !== null) return found(value, before);
      if (!saysMissing(problems)) return { value: null, problems };
    }
    if (screen.length > LARGEST_COMPARED) return { value: null, problems: [] };
    const { value: files, problems: unlisted } = await this.#filesOf(commit);
    const moved = await movedFrom(this.repository, commit, files, { path, screen }, each => this.#isThere(each));
    return { value: moved, problems: unlisted };
  }

  /** Path in a commit of the file that a top-level class stands in, by its name; null where none or several are called so. */
  async fileOfClass(commit: string, className: string): Promise<string | null> {
    const path = `${className.replaceAll('.', '/')}.java`;
    const { value: files } = await this.#filesOf(commit);
    const found = files.filter(file => file.path === path || file.path.endsWith(`/${path}`));
    return found.length === 1 ? found[0]!.path : null;
  }

  /** The committed text of a file at HEAD or the present commit, empty where it has none; null where that cannot be told. */
  async committedText(file: string, before: string | null): Promise<string | null> {
    this.#head ??= this.#present === null ? this.repository.head() : Promise.resolve(this.#present);
    const [head, path] = [await this.#head, this.repository.pathOf(file)];
    if (head === null || path === null) return '';
    for (const each of before === null ? [path] : [path, before]) {
      const { value, problems } = await this.repository.textAt(head, each);
      if (value !== null || !saysMissing(problems)) return value;
    }
    return '';
  }

  /**
   * Files that lost something since the commit, with what may have moved into `file`: declarations with one of the marks.
   * @param own path of the file itself in the commit.
   * @param textNow present texts of open files by their absolute path.
   */
  async donorsFor(
    commit: string,
    file: string,
    own: string | null,
    marks: Marks,
    textNow: ReadonlyMap<string, string>,
  ): Promise<readonly Donor[]> {
    const path = this.repository.pathOf(file);
    if (path === null || marks.length === 0) return [];
    const donors: Donor[] = [];
    const candidates = await this.#candidates(commit, path, textNow);
    for (const { before, after } of candidates.slice(0, MOST_DONORS)) {
      if (before === own) continue;
      const profiled = await this.#textAt(commit, before);
      if (profiled === null || !hasMarks(profiled, marks)) continue;
      const current = after === null ? null : await this.#textNow(after, textNow);
      const donor = await this.#donor(commit, { path: before, profiled, current });
      if (donor !== null) donors.push(donor);
    }
    return unambiguous(donors);
  }

  /**
   * Methods that have changed since the commit in files that git knows to be changed, and in open ones; see `methodKey`.
   * @param textNow present texts of open files by their absolute path.
   */
  async changedMethods(commit: string, textNow: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
    const { value: changes } = await this.#changesSince(commit);
    const files = new Map<string, string>();
    for (const { before, after } of changes) if (before !== null && after !== null) files.set(after, before);
    for (const file of textNow.keys()) {
      const path = this.repository.pathOf(file);
      if (path !== null && !changes.some(({ after }) => after === path)) files.set(path, path);
    }
    const found = new Set<string>();
    for (const [after, before] of [...files].slice(0, MOST_CHANGED))
      for (const key of await this.#changedIn(commit, before, after, textNow)) found.add(key);
    return found;
  }

  async #changedIn(
    commit: string,
    before: string,
    after: string,
    textNow: ReadonlyMap<string, string>,
  ): Promise<readonly string[]> {
    const current = await this.#textNow(after, textNow);
    if (current === null || current.length > LARGEST_COMPARED) return [];
    const known = this.#changedMethods.get(`${commit}:${before}`);
    if (known?.current === current) return known.keys;
    const compare = async () => {
      const profiled = await this.#textAt(commit, before);
      if (profiled === null || profiled.length > LARGEST_COMPARED || profiled === current) return [];
      await nextTurn();
      return changedMethods({ text: profiled, path: before }, { text: current, path: after });
    };
    // A text that cannot be compared must not hide what changed in all others.
    const keys = compare().catch(() => []);
    this.#changedMethods.set(`${commit}:${before}`, { current, keys });
    return keys;
  }

  /** The present text of a file by its path in the repository. */
  async #textNow(path: string, open: ReadonlyMap<string, string>): Promise<string | null> {
    const file = this.repository.fileOf(path);
    return (
      open.get(file) ?? (this.#present === null ? textOfFile(this.repository, path) : this.#textAt(this.#present, path))
    );
  }

  async #isThere(path: string): Promise<boolean> {
    if (this.#present !== null) {
      this.#presentPaths ??= this.#filesOf(this.#present).then(files => new Set(files.value.map(file => file.path)));
      return (await this.#presentPaths).has(path);
    }
    return access(this.repository.fileOf(path)).then(
      () => true,
      () => false,
    );
  }

  /** Every file that has something new looks at the same ones: compared once, and anew when the text is another. */
  async #donor(commit: string, texts: DonorTexts): Promise<Donor | null> {
    const key = `${commit}:${texts.path}`;
    // Nothing is awaited between the question and the answer, so that the same question cannot come meanwhile.
    await nextTurn();
    const known = this.#donors.get(key);
    if (known !== undefined && known.current === texts.current) return known.donor;
    const donor = donorOf(texts);
    keep(this.#donors, key, { current: texts.current, donor });
    return donor;
  }

  #textAt(commit: string, path: string): Promise<string | null> {
    const key = `${commit}:${path}`;
    const known = this.#texts.get(key);
    const text =
      known ??
      this.repository.textAt(commit, path).then(({ value, problems }) => {
        if (value === null && !saysMissing(problems)) this.#texts.delete(key);
        return value;
      });
    keep(this.#texts, key, text);
    return text;
  }

  /** Files that differ between commit and index (or present commit), that are open, and that differ on disk in the same folder. */
  async #candidates(
    commit: string,
    path: string,
    textNow: ReadonlyMap<string, string>,
  ): Promise<{ before: string; after: string | null }[]> {
    const { value: changes } = await this.#changesSince(commit);
    const found = new Map<string, string | null>();
    for (const { before, after } of changes) if (before !== null && after !== path) found.set(before, after);
    const renamed = new Map(changes.flatMap(({ before, after }) => (after === null ? [] : [[after, before]])));
    for (const file of textNow.keys()) {
      const open = this.repository.pathOf(file);
      // A file that git knows to be added has no earlier text to ask for.
      const before = open === null || !renamed.has(open) ? open : (renamed.get(open) ?? null);
      if (open !== path && before !== null && !found.has(before)) found.set(before, open);
    }
    const folder = posix.dirname(path);
    const near = (each: string) => (posix.dirname(each) === folder ? 0 : 1);
    const nearestFirst = () =>
      Array.from(found, ([before, after]) => ({ before, after })).sort((a, b) => near(a.before) - near(b.before));
    if (this.#present !== null) return nearestFirst();
    // Where git cannot list them, the changes it knows of are all there is.
    const { value: neighbours } = await this.#filesIn(commit, folder === '.' ? '' : folder);
    for (const { path: before, hash } of neighbours) {
      if (before === path || found.has(before)) continue;
      const bytes = await bytesOfFile(this.repository, before);
      if (bytes === null) found.set(before, null);
      else if (blobHash(bytes, hash.length) !== hash) found.set(before, before);
    }
    return nearestFirst();
  }

  #changesSince(commit: string): Promise<Outcome<readonly ChangedFile[]>> {
    const later = this.#present;
    // Renaming in the index moves no HEAD.
    const index = later === null ? indexPlace(this.repository.root) : null;
    const stamp = index === null ? '' : fileStamp(index);
    if (this.#indexStamps.get(commit) !== stamp) this.#changes.delete(commit);
    this.#indexStamps.set(commit, stamp);
    return remembered(this.#changes, commit, () => changedFiles(this.repository, commit, later));
  }

  #filesIn(commit: string, folder: string): Promise<Outcome<readonly CommittedFile[]>> {
    const where = { path: folder, flat: true };
    return remembered(this.#files, `${commit}:${folder}`, () => committedFiles(this.repository, commit, where));
  }

  #filesOf(commit: string): Promise<Outcome<readonly CommittedFile[]>> {
    return remembered(this.#files, commit, () => committedFiles(this.repository, commit));
  }
}

function remembered<V>(
  known: Map<string, Promise<Outcome<V>>>,
  key: string,
  make: () => Promise<Outcome<V>>,
): Promise<Outcome<V>> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  void made.then(({ problems }) => {
    if (problems.length > 0 && known.get(key) === made) known.delete(key);
  });
  return made;
}

/** Whether a commit certainly does not have a file. */
function saysMissing(problems: readonly Problem[]): boolean {
  return problems.some(({ message }) => message.startsWith('is not in commit'));
}

/** Remembers as the latest; the oldest make way. */
function keep<V>(known: Map<string, V>, key: string, value: V): void {
  known.delete(key);
  known.set(key, value);
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KEPT) return;
    known.delete(oldest);
  }
}

function found(text: string, path: string): Outcome<TextInCommit> {
  return { value: { text, path }, problems: [] };
}

function nothing(problem: Problem): Outcome<null> {
  return { value: null, problems: [problem] };
}

/** The name that git gives these contents. */
function blobHash(bytes: Buffer, digits: number): string {
  const hash = createHash(digits === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Bytes of a file; null where it is gone, larger than any source, or no plain file: a repository may link a name to a device, a pipe or a file elsewhere. */
async function bytesOfFile(repository: GitRepository, path: string): Promise<Buffer | null> {
  const file = repository.fileOf(path);
  return liesWithin([repository.root], file) ? readRegularLater(file, FILE_BYTES_MAX).catch(() => null) : null;
}

async function textOfFile(repository: GitRepository, path: string): Promise<string | null> {
  const bytes = await bytesOfFile(repository, path);
  return bytes === null ? null : textOfBytes(path, bytes);
}
