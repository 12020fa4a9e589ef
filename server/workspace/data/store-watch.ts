// Notices new snapshots in a store folder and edits of insitu.json by looking at times of change now and then.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Wish } from '../../analysis/wish.ts';
import { fileStampLater, type WatchedPlace } from '../../base/file-stamp.ts';
import { encodeSegment, LAYOUT } from '../../store/key.ts';

/** Folders looked at in one round: a store with more instances is looked at only in part. */
const MOST_FOLDERS = 5_000;
/** `<program>/<version>/<instance>` below a project's folder. */
const DEEPEST = 3;
/** Looking at folders may take this part of the time until they are looked at again. */
const LARGEST_LOAD = 0.02;

/** The watched places, asked for anew each round: folders with everything in them, and single files. */
export type Watched = {
  readonly folders: readonly WatchedPlace[];
  readonly files: readonly WatchedPlace[];
};

/** Which of them changed since they were read. */
export type Changed = { readonly folders: ReadonlySet<string>; readonly files: ReadonlySet<string> };

/** Where new snapshots of a wish's project appear; null for stores that are no folder and for files. */
export function projectFolder({ store, project, files }: Pick<Wish, 'store' | 'project' | 'files'>): string | null {
  if (files !== undefined) return null;
  const [folder, segment] = [folderOfStore(store), encodeSegment(project)];
  return folder === null || segment === null ? null : join(folder, LAYOUT, segment);
}

function folderOfStore(store: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(store)?.[1]?.toLowerCase();
  if (scheme === undefined) return store;
  if (scheme !== 'file') return null;
  try {
    return fileURLToPath(store);
  } catch {
    return null;
  }
}

/**
 * Looks every `everyMillis()` until `signal` aborts, at folders less often where looking takes long or much else is going on. Adding or
 * removing a file changes the time of its folder, so no file of a folder is looked at.
 */
export async function watchStores(
  watched: () => Watched,
  onChange: (changed: Changed) => void,
  everyMillis: () => number,
  signal: AbortSignal,
): Promise<void> {
  const before = new Map<string, string>();
  let foldersDue = 0;
  while (await sleeps(everyMillis(), signal)) {
    const now = new Map<string, string>();
    const { folders, files } = watched();
    const started = performance.now();
    if (started >= foldersDue) {
      for (const { path } of folders) if (!now.has(path)) now.set(path, await folderStamp(path));
      foldersDue = performance.now() + (performance.now() - started) / LARGEST_LOAD;
    }
    for (const { path } of files) if (!now.has(path)) now.set(path, await fileStampLater(path));
    const differing = (places: readonly WatchedPlace[]) =>
      new Set(
        places.filter(place => differs(before.get(place.path), now.get(place.path), place)).map(({ path }) => path),
      );
    const changed = { folders: differing(folders), files: differing(files) };
    for (const [path, stamp] of now) before.set(path, stamp);
    if (!signal.aborted && changed.folders.size + changed.files.size > 0) onChange(changed);
  }
}

/** Changes when anything is added to or removed from the folder or a folder in it, or it comes or goes itself. */
export async function folderStamp(root: string): Promise<string> {
  const stamps: string[] = [];
  const pending = [{ folder: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined && stamps.length < MOST_FOLDERS; next = pending.pop()) {
    const { folder, depth } = next;
    stamps.push(`${folder}\0${await fileStampLater(folder)}`);
    if (depth === DEEPEST) continue;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isDirectory()) pending.push({ folder: join(folder, entry.name), depth: depth + 1 });
  }
  return stamps.sort().join('\n');
}

/** Whether a place changed since it was read, or else since the last round. */
export function differs(before: string | undefined, now: string | undefined, { stamp }: WatchedPlace): boolean {
  const known = stamp ?? before;
  return now !== undefined && known !== undefined && known !== now;
}

/** false as soon as the signal aborts. Never keeps the process alive. */
export async function sleeps(millis: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(millis, undefined, { signal, ref: false });
    return true;
  } catch {
    return false;
  }
}
