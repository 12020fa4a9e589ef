// Walks folders for Java files: skips what holds no sources, leaves them by no link, survives loops, unreadable folders and huge files.

import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { realPath } from '../base/folders-above.ts';
import { messageOf } from '../base/message-of.ts';
import type { DistinctProblems, Problem } from '../base/problem.ts';
import { errorCode } from '../base/regular-file.ts';
import { originOfWorktree } from './git/head-places.ts';
import { isWithin, liesWithin } from './within-roots.ts';

export type FoundFile = { readonly path: string; readonly size: number; readonly modifiedMs: number };

/** Generated sources of Eclipse: the one hidden folder with sources. */
const HIDDEN_SOURCES = /^\.apt_generated/;
/** Bazel links its outputs into the workspace, with the whole workspace among them. */
const OUTPUT_LINK = /^bazel-/;
const OUTPUTS = new Set(['target', 'build', 'out', 'bin', 'dist', 'classes']);
const BUILD_FILE =
  /^(?:pom\.xml|build\.(?:gradle|gradle\.kts|xml|sbt|mill)|settings\.gradle(?:\.kts)?|BUILD(?:\.bazel)?|package\.json|\.classpath|\.project|Makefile|src)$/;
/** Folders inside build outputs that hold sources made by the build. */
const GENERATED = /^(?:generated.*|apt_generated|annotations|source|sources|java|src)$/;
const JAVA = /\.java$/;
/** Emacs names so the links that keep others from a file, which lead nowhere. */
const LOCK = /^\.#/;
/** A larger source is not read, whether it is a file, an open document or a version in git: parsing takes time and memory by its size. */
export const FILE_BYTES_MAX = 2 * 1024 * 1024;

/** A folder on the way: under the name by which it was reached, and its own. */
type Folder = { readonly path: string; readonly real: string; readonly insideOutput: boolean };

/**
 * Finds the Java files below the roots, one at a time, and null after each folder, so that the caller may pause or end it even where
 * there are none. A link is followed where it leads to somewhere in the roots, and when all else has been walked: a file that lies there
 * under its own name is found under that. `problems` says what was left out, other than links into `elsewhere`.
 *
 * @param elsewhere folders that are walked by others.
 * @param source what the names of the files are like.
 */
export function* walkSources(
  roots: readonly string[],
  problems: DistinctProblems,
  elsewhere: readonly string[] = [],
  source = JAVA,
): Generator<FoundFile | null, void> {
  const seen = new Set<string>();
  const follow = new Links(roots, elsewhere, problems);
  const folders: Folder[] = roots.map(path => ({ path, real: realPath(path) ?? path, insideOutput: false }));
  const linked: Folder[] = [];
  for (let next = folders.pop(); next !== undefined; next = folders.pop() ?? linked.pop()) {
    const { path, real, insideOutput } = next;
    const entries = enter(path, seen, problems);
    if (entries === null || (!roots.includes(path) && isWorktree(path, entries, problems))) continue;
    const holdsBuild = entries.some(entry => BUILD_FILE.test(entry.name));
    for (const entry of entries) {
      const { name } = entry;
      const isJava = source.test(name);
      if (isJava ? insideOutput || LOCK.test(name) : isPassedBy(name, insideOutput)) continue;
      const isLink = entry.isSymbolicLink();
      if (!isJava && (isLink ? OUTPUT_LINK.test(name) : !entry.isDirectory())) continue;
      const child = join(path, name);
      const target = isLink ? follow.target(child, real, isJava) : join(real, name);
      if (target === null) continue;
      if (isJava) {
        const file = describe(child, problems);
        if (file !== null) yield file;
      } else {
        // A package may be called `build`: only beside a build file or `src` is it an output.
        const output = holdsBuild && OUTPUTS.has(name);
        (isLink ? linked : folders).push({ path: child, real: target, insideOutput: output });
      }
    }
    yield null;
  }
}

/** A linked worktree has the same classes as the checkout around it, at another commit. */
function isWorktree(path: string, entries: readonly Dirent[], problems: DistinctProblems): boolean {
  const isLinked = entries.some(entry => entry.name === '.git' && entry.isFile()) && originOfWorktree(path) !== null;
  if (isLinked)
    problems.add({
      severity: 'info',
      message: 'left out: the folder is a git worktree of its own',
      file: path,
      remedy: 'open or name it as well',
    });
  return isLinked;
}

/** Where links lead that are met on the way. */
class Links {
  readonly #inside: readonly string[];
  readonly #elsewhere: readonly string[];
  readonly #problems: DistinctProblems;

  constructor(roots: readonly string[], elsewhere: readonly string[], problems: DistinctProblems) {
    this.#inside = roots;
    this.#elsewhere = elsewhere;
    this.#problems = problems;
  }

  /** The real path of the file or folder behind a link in the folder `from`; null where that is not wanted, and a problem where it may have been. */
  target(link: string, from: string, isJava: boolean): string | null {
    try {
      const real = realpathSync.native(link);
      // A link to any other file is none of ours, wherever it leads.
      if (!isJava && !statSync(real).isDirectory()) return null;
      if (liesWithin(this.#inside, real))
        return isWithin(real, from) ? this.#leftOut('info', link, 'the link leads to a folder that it lies in') : real;
      if (liesWithin(this.#elsewhere, real)) return null;
      return this.#leftOut('warning', link, OUTSIDE, 'open or name the folder that it leads to as well');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return this.#leftOut('info', link, 'the link leads nowhere');
      return this.#leftOut('warning', link, `what the link leads to cannot be read: ${reasonOf(error)}`);
    }
  }

  #leftOut(severity: Problem['severity'], file: string, why: string, remedy?: string): null {
    this.#problems.add({ severity, message: `left out: ${why}`, file, ...(remedy !== undefined && { remedy }) });
    return null;
  }
}

const OUTSIDE = 'the link leads out of the folders that are searched';

/** Whether a walk of the roots would come to a file, were it there; what lies in none of them is the caller's choice. */
export function isWalked(roots: readonly string[], path: string): boolean {
  const around = roots.filter(root => isWithin(root, path));
  return around.length === 0 || around.some(root => isEntered(root, relative(root, path).split(sep).slice(0, -1)));
}

/** Whether the walk goes from a root down through these folders and takes the files in the last. */
function isEntered(root: string, names: readonly string[]): boolean {
  let folder = root;
  let insideOutput = false;
  for (const name of names) {
    if (isPassedBy(name, insideOutput)) return false;
    insideOutput = OUTPUTS.has(name) && holdsBuildFile(folder);
    folder = join(folder, name);
  }
  return !insideOutput;
}

/** Folders that are never entered. */
function isPassedBy(name: string, insideOutput: boolean): boolean {
  if (name === 'node_modules' || (name.startsWith('.') && !HIDDEN_SOURCES.test(name))) return true;
  return insideOutput && !GENERATED.test(name);
}

function holdsBuildFile(folder: string): boolean {
  try {
    return readdirSync(folder).some(name => BUILD_FILE.test(name));
  } catch {
    return false;
  }
}

function enter(path: string, seen: Set<string>, problems: DistinctProblems): Dirent[] | null {
  try {
    const { dev, ino } = statSync(path);
    const identity = `${dev}:${ino}`;
    if (ino !== 0 && seen.has(identity)) return null;
    seen.add(identity);
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    problems.add({ severity: 'warning', message: `cannot read the folder: ${reasonOf(error)}`, file: path });
    return null;
  }
}

/** Size and time of a file; null when it is gone, no plain file or too large, and a problem where it may have been wanted. */
export function describe(path: string, problems: DistinctProblems): FoundFile | null {
  const leftOut = (severity: Problem['severity'], why: string) =>
    problems.add({ severity, message: `left out: ${why}`, file: path });
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isDirectory()) return null;
    if (!stat.isFile()) leftOut('warning', 'this is a pipe or a device, not a file');
    else if (stat.size > FILE_BYTES_MAX) leftOut('info', `larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB`);
    else return { path, size: stat.size, modifiedMs: stat.mtimeMs };
  } catch (error) {
    leftOut('warning', reasonOf(error));
  }
  return null;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is nothing there',
  ENOTDIR: 'it is no folder',
  ELOOP: 'a link leads back to itself',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
};

/** The message of anything that was thrown. */
export function reasonOf(error: unknown): string {
  return REASONS[errorCode(error)] ?? messageOf(error);
}
