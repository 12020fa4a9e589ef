// Which files of the workspace declare which types: found from package clauses, usable before it is complete, kept up to date.

import { closeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { skeletonOf } from '../../grammar/parse.ts';
import { DistinctProblems, type Problem } from '../base/problem.ts';
import { openRegular, readWhole } from '../base/regular-file.ts';
import { enclosingNames, plainClassName } from './class-names.ts';
import { classBehind } from './generated-classes.ts';
import type { IndexedFile } from './source-cache.ts';
import { readCache, writeCache } from './source-cache.ts';
import { pathKey, sourceRootOf } from './source-paths.ts';
import { declaringText, declaringTexts, textOfBytes } from './source-text/java-text.ts';
import { describe, FILE_BYTES_MAX, type FoundFile, isWalked, reasonOf, walkSources } from './source-walk.ts';
import { leadsOut } from './within-roots.ts';

type SourceIndexOptions = {
  /** Folders of the workspace. */
  readonly roots: readonly string[];
  /** Other folders, which have indexes of their own: links into them are not followed. */
  readonly elsewhere?: readonly string[];
  /** Where the index is kept between starts; none when absent. */
  readonly cacheFile?: string;
  /** Stops the first walk soon after it aborts. */
  readonly signal?: AbortSignal;
  /** Where the first walk ends; `INDEX_LIMITS` when absent. */
  readonly limits?: IndexLimits;
};

type IndexLimits = { readonly files: number; readonly workMillis: number };

/** Several times the largest Java workspaces; beyond that the user opened more than sources. */
const INDEX_LIMITS: IndexLimits = { files: 200_000, workMillis: 60_000 };

/** The thread is given back after so long, so that nothing else waits. */
const SLICE_MS = 10;
/** Bytes or characters: of a longer text only the head is read, so that no file takes long; its first type begins there. */
const WHOLE_MAX = 256 * 1024;
/** How much of it: less, as braces of a text that was cut off do not match, and such texts are read twice. */
const HEAD = 64 * 1024;

/** Types of a workspace by name. Lookups answer from what has been read so far; `complete` resolves when all has been. */
export class SourceIndex {
  /** Resolves when the first walk is over; never rejects. */
  readonly complete: Promise<void>;
  readonly #problems = new DistinctProblems();
  #isComplete = false;
  #isCut = false;
  readonly #files = new Map<string, IndexedFile>();
  readonly #byType = new Map<string, IndexedFile[]>();
  readonly #options: SourceIndexOptions;
  /** Keys of files that were told of while the first walk was on its way: what it finds there may be older. */
  readonly #told = new Set<string>();
  /** Texts that declare encodings: of the first walk, then of the moment. */
  #declaring = declaringTexts();

  constructor(options: SourceIndexOptions) {
    this.#options = options;
    this.complete = this.#readAll();
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The folders and files that were left out so far, and why. */
  get problems(): readonly Problem[] {
    return this.#problems.list();
  }

  /** The first walk came to a limit: there may be more files than the known ones. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get fileCount(): number {
    return this.#files.size;
  }

  /** All files read so far. */
  files(): Iterable<IndexedFile> {
    return this.#files.values();
  }

  /**
   * Files that declare the class or the type it is nested in; several when they claim one name (see `chooseFile`). Any
   * printed form of a class name will do; a generated subclass leads to the class that it extends.
   */
  filesOfClass(className: string): readonly IndexedFile[] {
    for (const name of enclosingNames(classBehind(plainClassName(className)))) {
      const files = this.#byType.get(name);
      if (files !== undefined) return files;
    }
    return [];
  }

  /** Source roots with the number of files below each. */
  sourceRoots(): ReadonlyMap<string, number> {
    const roots = new Map<string, number>();
    for (const file of this.#files.values()) {
      const root = sourceRootOf(file.path, file.packageName);
      roots.set(root, (roots.get(root) ?? 0) + 1);
    }
    return roots;
  }

  /**
   * Reads one file again after it was created or changed; a file that is gone is removed, one that the walk would not enter is
   * left out. `text` where the editor has it.
   */
  update(path: string, text?: string): void {
    if (!this.#isComplete) this.#told.add(pathKey(path));
    const { roots } = this.#options;
    if (!isWalked(roots, path) || leadsOut(roots, path)) return;
    const found = describe(path, this.#problems);
    if (found !== null) this.#read(found, text);
    else if (text !== undefined) this.#read({ path, size: text.length, modifiedMs: 0 }, text);
    else this.remove(path);
  }

  /** Forgets one file, or all files of a folder. */
  remove(path: string): void {
    const key = pathKey(path);
    if (!this.#isComplete) this.#told.add(key);
    const file = this.#files.get(key);
    if (file !== undefined) this.#forget(key, file);
    else for (const [each, other] of [...this.#files]) if (each.startsWith(`${key}/`)) this.#forget(each, other);
  }

  async #readAll(): Promise<void> {
    const { roots, elsewhere, cacheFile, signal, limits = INDEX_LIMITS } = this.#options;
    const cached = cacheFile === undefined ? new Map<string, IndexedFile>() : readCache(cacheFile);
    let changed = 0;
    let worked = 0;
    let sliceStart = performance.now();
    for (const found of walkSources(roots, this.#problems, elsewhere)) {
      if (found !== null && this.#readFirst(found, cached.get(found.path))) changed++;
      const slice = performance.now() - sliceStart;
      this.#isCut = this.#files.size >= limits.files || worked + slice >= limits.workMillis;
      if (this.#isCut) break;
      if (slice < SLICE_MS) continue;
      worked += slice;
      await setImmediate();
      if (signal?.aborted) return;
      sliceStart = performance.now();
    }
    this.#isComplete = true;
    this.#declaring = declaringText;
    this.#told.clear();
    if (cacheFile !== undefined && (changed > 0 || cached.size !== this.#files.size)) {
      writeCache(cacheFile, this.#files.values());
    }
  }

  /** Takes a file of the first walk as it is known from before, else reads it; whether it was read. */
  #readFirst(found: FoundFile, known: IndexedFile | undefined): boolean {
    if (this.#told.has(pathKey(found.path))) return false;
    const isSame = known !== undefined && known.size === found.size && known.modifiedMs === found.modifiedMs;
    if (isSame) this.#add(known);
    else this.#read(found);
    return !isSame;
  }

  #read(found: FoundFile, text?: string): void {
    let content: string;
    try {
      const all = text ?? textOfBytes(found.path, readHead(found), this.#declaring);
      content = all.length > WHOLE_MAX ? all.slice(0, HEAD) : all;
    } catch (error) {
      this.#problems.add({ severity: 'warning', message: `cannot read: ${reasonOf(error)}`, file: found.path });
      return;
    }
    if ((text?.length ?? found.size) > WHOLE_MAX) {
      const message = 'a long file: types that begin far behind are left out';
      this.#problems.add({ severity: 'info', message, file: found.path });
    }
    const outline = skeletonOf(content, found.path);
    const types = outline.declarations
      .filter(type => type.parent < 0 && type.binaryName !== '')
      .map(type => type.binaryName);
    this.#add({ ...found, packageName: outline.packageName, types });
  }

  #add(file: IndexedFile): void {
    const key = pathKey(file.path);
    const before = this.#files.get(key);
    if (before !== undefined) this.#forget(key, before);
    this.#files.set(key, file);
    for (const type of file.types) {
      const files = this.#byType.get(type);
      if (files === undefined) this.#byType.set(type, [file]);
      else files.push(file);
    }
  }

  #forget(key: string, file: IndexedFile): void {
    this.#files.delete(key);
    for (const type of file.types) {
      const left = this.#byType.get(type)!.filter(other => other !== file);
      if (left.length === 0) this.#byType.delete(type);
      else this.#byType.set(type, left);
    }
  }
}

/** Bytes of a file; of a long one, its first lines: a character that is cut off would make another encoding likelier. */
function readHead({ path }: FoundFile): Buffer {
  const { descriptor, about } = openRegular(path, FILE_BYTES_MAX);
  try {
    const isWhole = about.size <= WHOLE_MAX;
    const head = Buffer.alloc(isWhole ? about.size : HEAD);
    const read = head.subarray(0, readWhole(descriptor, head, 0));
    return isWhole ? read : read.subarray(0, read.lastIndexOf(10) + 1 || read.length);
  } finally {
    closeSync(descriptor);
  }
}

/** The only top-level type of some files with this simple name; null where there is none, or several. */
export function typeCalled(files: Iterable<Pick<IndexedFile, 'types'>>, name: string): string | null {
  const found = new Set<string>();
  for (const { types } of files) for (const type of types) if (type.endsWith(`.${name}`)) found.add(type);
  const [only = null] = found;
  return found.size === 1 ? only : null;
}
