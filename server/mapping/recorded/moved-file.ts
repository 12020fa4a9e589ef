// Finds where a file stood in a commit that was moved without telling git: by its name or folder, and by what it declares or says.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { skeletonOf } from '../../../grammar/parse.ts';
import type { CommittedFile } from '../git/changed-files.ts';
import type { GitRepository } from '../git/git-repository.ts';

/** A file's text in a commit, and its path there. */
export type TextInCommit = { readonly text: string; readonly path: string };

/** Files that a moved one is looked for in, files that may be those, and how many of them the disk is asked for at once. */
const MOST_CANDIDATES = 20;
const MOST_ASKED = 2_000;
const ASKED_AT_ONCE = 50;
/** Characters of the largest text that is compared with another. */
export const LARGEST_COMPARED = 400_000;
/** Lines that two texts must share to be one file that was moved. */
const SIMILAR = 0.5;

/**
 * The files that a file may have been before: of the same name, or in the same folder, and not there any more.
 * @param commit full hash.
 * @param files all of the commit.
 * @param screen the file's present text.
 * @param isThere whether a path of the repository is a file now.
 */
export async function movedFrom(
  repository: GitRepository,
  commit: string,
  files: readonly CommittedFile[],
  { path, screen }: { readonly path: string; readonly screen: string },
  isThere: (path: string) => Promise<boolean>,
): Promise<TextInCommit | null> {
  const candidates = await goneOf(likeliest(files, path), isThere);
  const types = new Set(typesOf(screen, path));
  let best: (TextInCommit & { readonly value: number }) | null = null;
  for (const each of candidates) {
    await nextTurn();
    const text = await repository.blobText(commit, each);
    if (text === null || text.length > LARGEST_COMPARED) continue;
    if (typesOf(text, each.path).some(type => types.has(type))) return { text, path: each.path };
    const value = similarity(text, screen);
    if (value >= SIMILAR && value > (best?.value ?? 0)) best = { text, path: each.path, value };
  }
  return best;
}

/** The first of the files that are not there now. */
async function goneOf(
  files: readonly CommittedFile[],
  isThere: (path: string) => Promise<boolean>,
): Promise<CommittedFile[]> {
  const gone: CommittedFile[] = [];
  for (let i = 0; i < files.length && gone.length < MOST_CANDIDATES; i += ASKED_AT_ONCE) {
    const asked = files.slice(i, i + ASKED_AT_ONCE);
    const are = await Promise.all(asked.map(({ path }) => isThere(path)));
    gone.push(...asked.filter((_, j) => !are[j]));
  }
  return gone.slice(0, MOST_CANDIDATES);
}

/** Files that may have been at another path before: files of the same name, then files of the same folder. */
function likeliest(files: readonly CommittedFile[], path: string): CommittedFile[] {
  const end = path.lastIndexOf('/') + 1;
  const [folder, name] = [path.slice(0, end), path.slice(end)];
  const [named, near]: [CommittedFile[], CommittedFile[]] = [[], []];
  for (const file of files) {
    const otherEnd = file.path.lastIndexOf('/') + 1;
    if (file.path.length - otherEnd === name.length && file.path.endsWith(name)) named.push(file);
    else if (otherEnd === end && file.path.startsWith(folder)) near.push(file);
  }
  return [...named, ...near].slice(0, MOST_ASKED);
}

/** Binary names of the top-level types that a text declares. */
function typesOf(text: string, path: string): string[] {
  const { declarations } = skeletonOf(text, path);
  return declarations.flatMap(({ parent, binaryName }) => (parent < 0 && binaryName !== '' ? [binaryName] : []));
}

/** Lines in common as a part of all lines, 0 to 1. */
function similarity(before: string, after: string): number {
  const lines = (text: string) =>
    text
      .split(/[\r\n]+/)
      .map(line => line.trim())
      .filter(line => line.length > 1);
  const [left, right] = [lines(before), lines(after)];
  const there = new Set(right);
  const common = left.filter(line => there.has(line)).length;
  return (2 * common) / Math.max(1, left.length + right.length);
}
