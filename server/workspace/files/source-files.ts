// Where the classes of a workspace are written: its folders are indexed in the background, open documents come first.

import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Settings } from '../../base/config.ts';
import { realPath } from '../../base/folders-above.ts';
import { inTime } from '../../base/in-time.ts';
import { formatProblem, type Problem } from '../../base/problem.ts';
import { enclosingNames, plainClassName } from '../../mapping/class-names.ts';
import { documentKey } from '../../mapping/file-uris.ts';
import { classBehind } from '../../mapping/generated-classes.ts';
import { originOfWorktree } from '../../mapping/git/head-places.ts';
import type { ProfiledText } from '../../mapping/recorded/profiled-text.ts';
import type { IndexedFile } from '../../mapping/source-cache.ts';
import { SourceIndex } from '../../mapping/source-index.ts';
import { pathKey, sourceRootOf } from '../../mapping/source-paths.ts';
import { leadsOut, liesWithin } from '../../mapping/within-roots.ts';
import type { Source } from '../data/source.ts';
import type { KeptMapping } from '../document/kept-mapping.ts';
import { type FileOnDisk, FileTexts } from './file-texts.ts';
import type { SourceFile } from './source-file.ts';

/** The means that the workspace gives. */
type FileSurroundings = {
  /** The user's home folder. */
  readonly home: string;
  /** Where indexes are kept between starts, made private to the user; null keeps none. */
  readonly cacheFolder: string | null;
  /** Open documents with their unsaved texts. */
  readonly openFiles: () => readonly SourceFile[];
  readonly mappingOf: (path: string) => KeptMapping;
};

/** Finds out the profiled text of a file for the data that are asked for; null where it is no other than that on disk. */
/** The settings and data that files are looked into for: the ones of a document. */
export type ShownFor = {
  readonly settings: Settings;
  readonly source: Source | null;
  readonly state: { readonly data: LoadedData | null };
};

type Profiler = (file: FileOnDisk, asking: ShownFor) => Promise<ProfiledText | null>;

/** A request waits no longer for the profiled texts of other files; texts that come later hold from then on. */
const LEARN_MILLIS = 300;

/** A change of a file or folder outside the editor. */
type FileEvent = { readonly path: string; readonly kind: 'written' | 'deleted' };

/** An index, and the one that takes its place when it is complete. */
type Root = { index: SourceIndex; stop: AbortController; next: { index: SourceIndex; stop: AbortController } | null };

/**
 * Lookups answer from what is known so far and never wait; while `isComplete` is false an absent class may still be found.
 * Nothing is read before `begin`.
 */
export class SourceFiles {
  readonly #surroundings: FileSurroundings;
  readonly #texts: FileTexts;
  readonly #roots = new Map<string, Root>();
  #wanted: readonly string[] = [];
  /** Folders that were wished and are not indexed. */
  #refused: readonly string[] = [];
  #hasBegun = false;
  #profiler: Profiler | null = null;
  /** Files that are not open and were looked at since `learn`. */
  readonly #lookedAt = new Set<string>();

  constructor(surroundings: FileSurroundings) {
    this.#surroundings = surroundings;
    this.#texts = new FileTexts(surroundings.mappingOf, path => leadsOut(this.#wanted, path));
  }

  /** Folders to be indexed, absolute, without folders inside others and folders that hold all of a user's or a machine's files. */
  setRoots(folders: readonly string[]): void {
    const { home } = this.#surroundings;
    const holdsAll = (folder: string) =>
      folder === dirname(folder) || relative(folder, home) === '' || isInside(folder, home);
    const { wished = [], refused = [] } = Object.groupBy(new Set(folders), each =>
      holdsAll(each) ? 'refused' : 'wished',
    );
    this.#refused = refused;
    const all = wished;
    // A walk leaves out worktrees inside of a checkout.
    const isWalked = (folder: string) => all.some(other => other !== folder && isInside(other, folder));
    this.#wanted = all.filter(folder => !isWalked(folder) || originOfWorktree(folder) !== null);
    if (this.#hasBegun) this.#sync();
  }

  /** Starts to index; the work comes in short slices. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#sync();
  }

  get isComplete(): boolean {
    return this.#hasBegun && [...this.#roots.values()].every(({ index }) => index.isComplete);
  }

  /** Whether a class that is not found is not in the workspace: everything was indexed. */
  get knowsAll(): boolean {
    return this.isComplete && this.#refused.length === 0 && ![...this.#roots.values()].some(({ index }) => index.isCut);
  }

  /** Why not everything is indexed, where that is for good; each one sentence. */
  get limits(): string[] {
    const refused = this.#refused.map(
      folder => `${folder} is not searched for sources: open the folder of a project in it`,
    );
    const cut = [...this.#roots].filter(([, { index }]) => index.isCut);
    return [
      ...refused,
      ...cut.map(
        ([folder, { index }]) =>
          `of ${folder} only ${index.fileCount} Java files were indexed: open the folder of a project in it`,
      ),
      ...this.problems.filter(({ severity }) => severity !== 'info').map(formatProblem),
    ];
  }

  /** The files and folders that were left out of the indexes so far. */
  get problems(): Problem[] {
    return [...this.#roots.values()].flatMap(({ index }) => index.problems);
  }

  /** Resolves when what is being indexed now is complete, or time is up. Never rejects. */
  async whenComplete(limitMillis?: number): Promise<void> {
    const all = Promise.all(Array.from(this.#roots.values(), ({ index, next }) => (next ?? { index }).index.complete));
    await (limitMillis === undefined ? all : inTime(all, limitMillis));
  }

  /** Files that declare the class or a type around it, each with its current text; several when they claim one name. */
  filesOfClass(className: string): SourceFile[] {
    const isOpen = new Set<string>();
    const found: SourceFile[] = [];
    for (const file of this.openFiles()) {
      if (file.path !== null) isOpen.add(pathKey(file.path));
      if (file.declares(className)) found.push(file);
    }
    for (const path of this.#pathsOfClass(className)) {
      const file = isOpen.has(pathKey(path)) ? null : this.#texts.get(path);
      if (!file?.declares(className)) continue;
      found.push(file);
      this.#lookedAt.add(path);
    }
    return found;
  }

  /** Other files of the project of a file that declare the class too, as far as they are indexed. */
  othersDeclaring(className: string, path: string): SourceFile[] {
    const found: SourceFile[] = [];
    for (const [folder, { index }] of this.#roots) {
      const files = isInside(folder, path) ? index.filesOfClass(className) : [];
      if (files.length < 2) continue;
      // A link may lead to the same file.
      const own = realPath(path);
      for (const each of files) {
        const isOwn = pathKey(each.path) === pathKey(path) || (own !== null && realPath(each.path) === own);
        const file = isOwn ? null : this.file(each.path);
        if (!file?.declares(className)) continue;
        found.push(file);
        this.#lookedAt.add(each.path);
      }
    }
    return found;
  }

  /** Whether a file of the index or an open document may declare the class; nothing is read for it. */
  knows(className: string): boolean {
    for (const { index } of this.#roots.values()) if (index.filesOfClass(className).length > 0) return true;
    for (const file of this.openFiles()) if (file.declares(className)) return true;
    return false;
  }

  /** Reads the files of the classes without stopping others, so that `filesOfClass` need not. Never rejects. */
  fetch(classNames: Iterable<string>): Promise<void> {
    const isOpen = new Set<string>();
    for (const { path } of this.openFiles()) if (path !== null) isOpen.add(pathKey(path));
    const paths = new Map<string, string>();
    for (const name of classNames)
      for (const path of this.#pathsOfClass(name)) if (!isOpen.has(pathKey(path))) paths.set(pathKey(path), path);
    return this.#texts.fetch([...paths.values()]);
  }

  /** Sets the source of profiled texts; without one, the text on disk stands for them. */
  learnFrom(profiler: Profiler): void {
    this.#profiler = profiler;
  }

  /**
   * Finds out the profiled texts of the files that were looked at, within a limit of time. Resolves with true when one is
   * another than was supposed, so that what was worked out before is to be worked out again. Never rejects.
   */
  async learn(asking: ShownFor, limitMillis = LEARN_MILLIS): Promise<boolean> {
    const { data } = asking.state;
    const profiler = this.#profiler;
    if (profiler === null || data === null) return false;
    const { program, executions } = data.provenance;
    const { project, repository, tagPattern } = asking.source?.wish ?? {};
    const key = JSON.stringify([
      [project, repository, tagPattern, asking.settings['stale.uncommitted']],
      [program, ...new Set(executions.map(({ version }) => version))],
    ]);
    let hasLearnt = false;
    const all = Array.from(this.#lookedAt, async path => {
      const file = this.#texts.unprofiled(path, key);
      const profiled = file === null ? null : await profiler(file, asking).catch(() => null);
      this.#lookedAt.delete(path);
      if (file === null || profiled === null) return;
      hasLearnt ||= profiled.text !== file.mapping.profiled.text;
      this.#texts.know(file, profiled, key);
    });
    await inTime(Promise.all(all), limitMillis);
    return hasLearnt;
  }

  /** Open documents with their unsaved texts. */
  openFiles(): readonly SourceFile[] {
    return this.#surroundings.openFiles();
  }

  /** An open document; null where none has the URI, however it is spelled. */
  openFile(uri: string): SourceFile | null {
    const key = documentKey(uri);
    for (const file of this.openFiles()) if (documentKey(file.uri) === key) return file;
    return null;
  }

  /** All files of the index so far, open ones among them. */
  *indexed(): Generator<IndexedFile, void, void> {
    for (const { index } of this.#roots.values()) yield* index.files();
  }

  /** Whether a file is open, or lies within the folders. */
  mayRead(path: string): boolean {
    const key = pathKey(path);
    const isOpen = this.openFiles().some(file => file.path !== null && pathKey(file.path) === key);
    return isOpen || liesWithin([...this.#wanted, ...this.#refused], path);
  }

  /** A file by its path: the open document's text, else that on disk. */
  file(path: string): SourceFile | null {
    const key = pathKey(path);
    for (const file of this.openFiles()) if (file.path !== null && pathKey(file.path) === key) return file;
    return this.#texts.get(path);
  }

  /** Takes over what changed outside the editor, or was saved by it. */
  apply(events: readonly FileEvent[]): void {
    for (const { path, kind } of events) {
      this.#texts.forget(path);
      for (const [folder, { index, next }] of this.#roots) {
        if (folder !== path && !isInside(folder, path)) continue;
        for (const each of next === null ? [index] : [index, next.index]) {
          if (kind === 'deleted') each.remove(path);
          else if (path.endsWith('.java')) each.update(path);
        }
      }
    }
  }

  /** Another commit was checked out: all folders are looked at again; what did not change is not read. */
  lookAgain(): void {
    this.#texts.forgetAll();
    for (const [folder, root] of this.#roots) {
      root.next?.stop.abort();
      const next = this.#index(folder);
      root.next = next;
      void next.index.complete.then(() => {
        if (root.next !== next) return;
        root.stop.abort();
        Object.assign(root, { ...next, next: null });
      });
    }
  }

  /** Stops all work. */
  close(): void {
    this.setRoots([]);
    this.#texts.forgetAll();
  }

  #sync(): void {
    const wanted = new Set(this.#wanted);
    for (const [folder, { stop, next }] of this.#roots) {
      if (wanted.has(folder)) continue;
      stop.abort();
      next?.stop.abort();
      this.#roots.delete(folder);
    }
    for (const folder of wanted)
      if (!this.#roots.has(folder)) this.#roots.set(folder, { ...this.#index(folder), next: null });
  }

  #index(folder: string): { index: SourceIndex; stop: AbortController } {
    const stop = new AbortController();
    const cacheFile = this.#cacheFile(folder);
    const cache = cacheFile === null ? {} : { cacheFile };
    const elsewhere = this.#wanted.filter(other => other !== folder);
    return { index: new SourceIndex({ roots: [folder], elsewhere, signal: stop.signal, ...cache }), stop };
  }

  #cacheFile(folder: string): string | null {
    const { cacheFolder } = this.#surroundings;
    if (cacheFolder === null) return null;
    try {
      mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
    } catch {
      return null;
    }
    return join(cacheFolder, `sources-${createHash('sha256').update(pathKey(folder)).digest('hex').slice(0, 24)}.json`);
  }

  /** Of the index; where that does not know all, also where the class would be beside the files that are open. */
  #pathsOfClass(className: string): string[] {
    const paths: string[] = [];
    for (const { index } of this.#roots.values())
      for (const { path } of index.filesOfClass(className)) paths.push(path);
    if (paths.length > 0 || this.knowsAll) return paths;
    const names = enclosingNames(classBehind(plainClassName(className)));
    const file = `${names.at(-1)!.replaceAll('.', '/')}.java`;
    const roots = new Set<string>();
    for (const { path, outline } of this.openFiles())
      if (path !== null) roots.add(sourceRootOf(path, outline.packageName));
    return [...roots].map(root => join(root, file));
  }
}

/** Whether `path` lies below `folder`; a folder is not inside itself. */
function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
}
