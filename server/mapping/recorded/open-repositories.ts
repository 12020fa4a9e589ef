// The git repositories that sources and open files lie in: opened at the first request, closed after the last one.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileStamp, type WatchedPlace } from '../../base/file-stamp.ts';
import { foldersFrom } from '../../base/folders-above.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import { openRepository } from '../git/git-repository.ts';
import { headPlaces } from '../git/head-places.ts';
import { tagsOfVersions } from '../git/version-commits.ts';
import type { RecordedCommit } from './profiled-text.ts';
import { OUTSIDE_GIT, type Recorded, recordedCommit } from './recorded-code.ts';
import { RepositoryTexts } from './repository-texts.ts';

/** A repository without a request for this long is closed, unless a source or an open file lies in it. */
const UNUSED_MILLIS = 60_000;

/** The recorded versions, and the repository whose commits they are; null outside git. */
export type RecordedIn = Recorded & { readonly repository: string | null; readonly tagPattern: string | null };

type Repository = { readonly texts: RepositoryTexts | null; readonly problem: Problem | null };

/** A file's repository and the commit of it that was recorded, or why they are not known. */
type RecordedPlace =
  | { readonly repository: RepositoryTexts; readonly commit: string }
  | { readonly repository: null; readonly problem: Problem };

export class OpenRepositories {
  readonly #repositories = new Map<string, Promise<Repository>>();
  /** When it was asked for last, by performance.now(). */
  readonly #usedAt = new Map<string, number>();
  /** By root of a repository: where its HEAD is kept, with stamps from before it was read. */
  readonly #heads = new Map<string, readonly WatchedPlace[]>();
  readonly #rootOfFolder = new Map<string, string | null>();

  /** The repository with this root, which is opened where it is not. */
  at(root: string): Promise<Repository> {
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

  /** Root of the repository that a file lies in; null outside git. */
  rootOf(path: string): string | null {
    const folder = dirname(path);
    const known = this.#rootOfFolder.get(folder);
    if (known !== undefined) return known;
    const root = foldersFrom(folder).find(each => existsSync(join(each, '.git'))) ?? null;
    this.#rootOfFolder.set(folder, root);
    return root;
  }

  /** The repository of a file, and the commit of it that was recorded. */
  async placeOf(path: string, wanted: RecordedIn): Promise<RecordedPlace> {
    const root = this.rootOf(path);
    const nowhere = (problem: Problem | undefined | null): RecordedPlace => ({
      repository: null,
      problem: problem ?? OUTSIDE_GIT,
    });
    if (root === null || wanted.repository === null) return nowhere(null);
    const around = await this.at(wanted.repository);
    if (around.texts === null) return nowhere(around.problem);
    const { value: commit, problems } = await recordedCommit(around.texts, wanted, wanted.tagPattern);
    if (commit === null) return nowhere(problems[0]);
    if (root === wanted.repository) return { repository: around.texts, commit };
    const own = await this.at(root);
    if (own.texts === null) return nowhere(own.problem);
    const inside = around.texts.repository.pathOf(root);
    const inner = inside === null ? null : await around.texts.submoduleCommit(commit, inside);
    if (inner !== null) return { repository: own.texts, commit: inner };
    // Another worktree of the same repository, or the same one by another path.
    if (await own.texts.hasCommit(commit)) return { repository: own.texts, commit };
    const message = `the repository of this file was not part of commit ${commit.slice(0, 12)}`;
    return nowhere({ severity: 'info', message });
  }

  /** The commit that was recorded; null with a problem where it is not known, without one outside git. */
  async commitOf(wanted: RecordedIn): Promise<Outcome<RecordedCommit | null>> {
    if (wanted.repository === null) return { value: null, problems: [] };
    const { texts, problem } = await this.at(wanted.repository);
    if (texts === null) return { value: null, problems: problem === null ? [] : [problem] };
    const { value: hash, problems } = await recordedCommit(texts, wanted, wanted.tagPattern);
    return { value: hash === null ? null : { hash, dateMillis: await texts.repository.dateOf(hash) }, problems };
  }

  /** Tags that point at the commits of versions, by the versions that are hashes; none outside git. */
  async tagsOfVersions(root: string | null, versions: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { texts } = root === null ? { texts: null } : await this.at(root);
    return texts === null ? new Map() : (await tagsOfVersions(texts.repository, versions)).value;
  }

  /**
   * Methods that have changed in the repository of a file since a commit of it was recorded, as `methodKey` names them; null outside git.
   * @param textsNow present texts of open files by their absolute path.
   */
  async changedSince(
    { hash }: RecordedCommit,
    path: string,
    textsNow: ReadonlyMap<string, string>,
  ): Promise<ReadonlySet<string> | null> {
    const root = this.rootOf(path);
    const { texts } = root === null ? { texts: null } : await this.at(root);
    return texts?.changedMethods(hash, textsNow) ?? null;
  }

  /** Files and folders that tell when a HEAD moves. */
  headPlaces(): readonly WatchedPlace[] {
    return [...this.#heads.values()].flat();
  }

  /** Closes repositories that were not used for a while and hold none of the files; sources have asked for theirs by now. */
  closeUnused(files: readonly string[]): void {
    const now = performance.now();
    const ofFiles = new Set(files.map(path => this.rootOf(path)));
    for (const [root, repository] of this.#repositories) {
      if (ofFiles.has(root) || now - (this.#usedAt.get(root) ?? 0) < UNUSED_MILLIS) continue;
      void repository.then(({ texts }) => texts?.close());
      this.#repositories.delete(root);
      this.#usedAt.delete(root);
      this.#heads.delete(root);
      for (const [folder, its] of this.#rootOfFolder) if (its === root) this.#rootOfFolder.delete(folder);
    }
  }

  /** Closes all for good: who still asks is answered by a closed one. */
  close(): void {
    for (const repository of this.#repositories.values()) void repository.then(({ texts }) => texts?.close());
  }

  /** Closes all repositories; a later request opens what is there then. */
  openAnew(): void {
    this.close();
    this.#repositories.clear();
    this.#usedAt.clear();
    this.#heads.clear();
    this.#rootOfFolder.clear();
  }

  #noteHead(root: string): void {
    if (this.#heads.has(root)) return;
    const places = headPlaces(root).map(path => ({ path, stamp: fileStamp(path) }));
    this.#heads.set(root, places);
  }
}
