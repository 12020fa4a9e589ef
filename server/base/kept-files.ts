// Files of the user's cache: each is whole or not there, the oldest go, and folders that are links are no place for them.
import {
  closeSync,
  fsyncSync,
  globSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files whose names end so, of which so many stay, the ones used last. */
type KeptKind = { readonly ending: string; readonly most: number };

/** Writes a file, readable by its user alone, and removes the oldest of its kind. Throws where its folder cannot be written to. */
export function keepFile(path: string, kind: KeptKind, content: Uint8Array | string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is a link`);
  writeWhole(path, [content]);
  tidy(folder, kind, basename(path));
}

type WholeOptions = {
  readonly mode?: number;
  /** Whether the file also outlives the end of the machine. */
  readonly isLasting?: boolean;
  /** Where it stands until it is whole; beside it, by the number of the process, when absent. */
  readonly fresh?: string;
};

/** Gives the file its name when all of it is there; of what cannot be written nothing stays. Nothing is written through a link. */
export function writeWhole(
  path: string,
  parts: readonly (Uint8Array | string)[],
  { mode = 0o600, isLasting = false, fresh = `${path}.${process.pid}` }: WholeOptions = {},
): void {
  try {
    rmSync(fresh, { force: true });
    const file = openSync(fresh, 'wx', mode);
    try {
      for (const part of parts) writeFileSync(file, part);
      if (isLasting) fsyncSync(file);
    } finally {
      closeSync(file);
    }
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
