// Walks folders for Java files: skips what holds no sources, survives symbolic link loops, unreadable folders and huge files.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Problem } from '../base/problem.ts';

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
/** A larger file is not a source that anybody reads. */
export const FILE_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Finds the Java files below the roots, one at a time, and null after each folder, so that the caller may pause or end it even where
 * there are none; problems are pushed to `problems`.
 */
export function* walkSources(roots: readonly string[], problems: Problem[]): Generator<FoundFile | null, void> {
  const seen = new Set<string>();
  const folders = roots.map(path => ({ path, insideOutput: false }));
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const { path, insideOutput } = next;
    const entries = enter(path, seen, problems);
    if (entries === null) continue;
    const holdsBuild = entries.some(entry => BUILD_FILE.test(entry.name));
    for (const entry of entries) {
      const child = join(path, entry.name);
      if (entry.name.endsWith('.java')) {
        const file = insideOutput ? null : describe(child, problems);
        if (file !== null) yield file;
      } else if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(child))) {
        if (isNeverEntered(entry.name) || (entry.isSymbolicLink() && OUTPUT_LINK.test(entry.name))) continue;
        if (insideOutput && !GENERATED.test(entry.name)) continue;
        // A package may be called `build`: only beside a build file or `src` is it an output.
        const output = holdsBuild && OUTPUTS.has(entry.name);
        folders.push({ path: child, insideOutput: output });
      }
    }
    yield null;
  }
}

/** Whether a walk of the roots would come to a file, were it there; what lies in none of them is the caller's choice. */
export function isWalked(roots: readonly string[], path: string): boolean {
  const around = roots.filter(root => !relative(root, path).startsWith('..') && !isAbsolute(relative(root, path)));
  return around.length === 0 || around.some(root => isEntered(root, relative(root, path).split(sep).slice(0, -1)));
}

/** Whether the walk goes from a root down through these folders and takes the files in the last. */
function isEntered(root: string, names: readonly string[]): boolean {
  let folder = root;
  let insideOutput = false;
  for (const name of names) {
    if (isNeverEntered(name) || (insideOutput && !GENERATED.test(name))) return false;
    insideOutput = OUTPUTS.has(name) && holdsBuildFile(folder);
    folder = join(folder, name);
  }
  return !insideOutput;
}

function isNeverEntered(name: string): boolean {
  return name === 'node_modules' || (name.startsWith('.') && !HIDDEN_SOURCES.test(name));
}

function holdsBuildFile(folder: string): boolean {
  try {
    return readdirSync(folder).some(name => BUILD_FILE.test(name));
  } catch {
    return false;
  }
}

function enter(path: string, seen: Set<string>, problems: Problem[]): Dirent[] | null {
  try {
    const { dev, ino } = statSync(path);
    const identity = `${dev}:${ino}`;
    if (ino !== 0 && seen.has(identity)) return null;
    seen.add(identity);
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    problems.push({ severity: 'warning', message: `cannot read the folder: ${messageOf(error)}`, file: path });
    return null;
  }
}

/** Size and time of a file; null when it is gone, no plain file or too large. */
export function describe(path: string, problems: Problem[]): FoundFile | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return null;
  if (stat.size > FILE_BYTES_MAX) {
    problems.push({
      severity: 'info',
      message: `left out: larger than ${FILE_BYTES_MAX / 1024 / 1024} MB`,
      file: path,
    });
    return null;
  }
  return { path, size: stat.size, modifiedMs: stat.mtimeMs };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
