// The files in which git keeps what is checked out: looking at their times of change tells when HEAD has moved, without a program.
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readRegular } from '../../base/regular-file.ts';

/** Names of refs end somewhere; a HEAD file that is larger is none. */
const LARGEST_BYTES = 4096;
/** Folders of tags whose names have slashes; of more only some are told. */
const MOST_TAG_FOLDERS = 256;

/**
 * Paths of files and folders that change when HEAD moves in the working tree at `root`: by a commit, a checkout, a rebase, in the
 * tree itself or in the one that it is a worktree or submodule of; also when tags come, or older commits to a shallow clone. Not all
 * of them are there. Empty outside git.
 */
export function headPlaces(root: string): readonly string[] {
  const own = ownFolder(root);
  if (own === null) return [];
  const common = folderNamedIn(join(own, 'commondir'), own) ?? own;
  const ref = /^ref: (refs\/[^\n]+)/.exec(smallText(join(own, 'HEAD')) ?? '')?.[1];
  const branch = ref === undefined || ref.split('/').includes('..') ? [] : [join(common, ref)];
  const shared = ['packed-refs', 'shallow', join('reftable', 'tables.list')].map(name => join(common, name));
  const places = [join(own, 'HEAD'), ...branch, ...shared, ...tagFolders(common)];
  return own === join(root, '.git') ? places : [join(root, '.git'), ...places];
}

/** `refs/tags` and the folders in it: a tag `release/1.0` changes `refs/tags/release` alone. */
function tagFolders(common: string): readonly string[] {
  const folders = [join(common, 'refs', 'tags')];
  for (let at = 0; at < folders.length && folders.length <= MOST_TAG_FOLDERS; at++)
    folders.push(...foldersIn(folders[at]!));
  return folders.slice(0, MOST_TAG_FOLDERS);
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter(entry => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/**
 * The main checkout that a linked worktree at `root` belongs to, or the bare repository; null of any other working tree. Its name is
 * that of the project, also where the repository is hidden in a folder of that name.
 */
export function originOfWorktree(root: string): { readonly folder: string; readonly name: string } | null {
  const own = ownFolder(root);
  const common = own === null ? null : folderNamedIn(join(own, 'commondir'), own);
  if (common === null) return null;
  const folder = basename(common).startsWith('.') ? dirname(common) : common;
  return { folder, name: basename(folder).replace(/\.git$/, '') };
}

/** Path of the index of the working tree at `root`; null outside git. */
export function indexPlace(root: string): string | null {
  const own = ownFolder(root);
  return own === null ? null : join(own, 'index');
}

/** `.git`, or where it points to as a file: in worktrees and submodules. */
function ownFolder(root: string): string | null {
  const path = join(root, '.git');
  try {
    return statSync(path).isDirectory() ? path : folderNamedIn(path, root);
  } catch {
    return null;
  }
}

function folderNamedIn(file: string, from: string): string | null {
  const text = smallText(file)?.trim();
  return text === undefined || text === '' ? null : resolve(from, text.replace(/^gitdir: /, ''));
}

function smallText(file: string): string | null {
  try {
    return readRegular(file, LARGEST_BYTES).toString('utf8');
  } catch {
    return null;
  }
}
