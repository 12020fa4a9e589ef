// The folders that a folder lies in, also where links lead to it.
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A folder and the folders around it, the nearest first; for a link, the folders around its target. Each has the name by which it was
 * reached where it has one, so that it compares with paths that were given in the same way.
 */
export function foldersFrom(folder: string): string[] {
  const given = upwards(folder);
  const real = realPath(folder) ?? folder;
  if (real === folder) return given;
  const names = new Map(given.toReversed().map(each => [realPath(each), each] as const));
  return upwards(real).map(each => names.get(each) ?? each);
}

function upwards(folder: string): string[] {
  const folders = [folder];
  for (let next = dirname(folder); next !== folders.at(-1); next = dirname(next)) folders.push(next);
  return folders;
}

/** The path without links; null where nothing has the path. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
