// Files of the user's cache: each is whole or not there, the oldest go, and folders that are links are no place for them.
import { globSync, lstatSync, mkdirSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files whose names end so, of which so many stay, the ones used last. */
type KeptKind = { readonly ending: string; readonly most: number };

/** Writes a file, readable by its user alone, and removes the oldest of its kind. Throws where its folder cannot be written to. */
export function keepFile(path: string, kind: KeptKind, content: Uint8Array | string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is a link`);
  writeWhole(path, content);
  tidy(folder, kind, basename(path));
}

/** Gives the file its name when all of it is there. Nothing that stands under one of its names is written through. */
export function writeWhole(path: string, content: Uint8Array | string, mode = 0o600): void {
  const fresh = `${path}.${process.pid}`;
  try {
    rmSync(fresh, { force: true });
    writeFileSync(fresh, content, { mode, flag: 'wx' });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** A file that a killed process left half written goes as well; anything but a file is left alone. */
function tidy(folder: string, { ending, most }: KeptKind, latest: string): void {
  const names = globSync(`*${ending}*`, { cwd: folder });
  if (names.length <= most) return;
  const files = names.flatMap(name => {
    const path = join(folder, name);
    const about = aboutFile(path);
    return about === null ? [] : [{ path, millis: name === latest ? Number.POSITIVE_INFINITY : about.mtimeMs }];
  });
  files.sort((a, b) => b.millis - a.millis);
  for (const { path } of files.slice(most)) rmSync(path, { force: true });
}

function aboutFile(path: string): Stats | null {
  const about = lstatSync(path, { throwIfNoEntry: false });
  return about?.isFile() ? about : null;
}
