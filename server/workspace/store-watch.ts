// Notices new snapshots in a store folder and edits of insitu.json by looking at times of change now and then.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { encodeSegment, LAYOUT } from '../store/key.ts';
import type { Source } from './source.ts';

/** Folders looked at in one round: a store with more instances is looked at only in part. */
const MOST_FOLDERS = 5_000;
/** `<program>/<version>/<instance>` below a project's folder. */
const DEEPEST = 3;
/** A round may take this part of the time between two rounds. */
const LARGEST_LOAD = 0.02;

/** What to look at, asked anew each round: folders with everything in them, and single files. */
export type Watched = { readonly folders: readonly string[]; readonly files: readonly string[] };

/** Which of them changed since the round before. */
export type Changed = { readonly folders: ReadonlySet<string>; readonly files: ReadonlySet<string> };

/** Where new snapshots of a source's project appear; null for stores that are no folder. */
export function projectFolder({ store, project }: Pick<Source, 'store' | 'project'>): string | null {
  const segment = encodeSegment(project);
  return isAddress(store) || segment === null ? null : join(store, LAYOUT, segment);
}

function isAddress(store: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(store);
}

/**
 * Looks every `everyMillis` (less often where looking takes long) until `signal` aborts. What is seen for the first time is
 * not a change. Adding or removing a file changes the time of its folder, so no file is looked at.
 */
export async function watchStores(
  watched: () => Watched,
  onChange: (changed: Changed) => void,
  everyMillis: number,
  signal: AbortSignal,
): Promise<void> {
  const before = new Map<string, string>();
  for (let pause = everyMillis; await sleeps(pause, signal); ) {
    const started = performance.now();
    const { folders, files } = watched();
    const changed = { folders: new Set<string>(), files: new Set<string>() };
    for (const folder of folders) if (differs(before, folder, await folderStamp(folder))) changed.folders.add(folder);
    for (const file of files) if (differs(before, file, await timeOfChange(file))) changed.files.add(file);
    if (!signal.aborted && changed.folders.size + changed.files.size > 0) onChange(changed);
    pause = Math.max(everyMillis, (performance.now() - started) / LARGEST_LOAD);
  }
}

/** Changes when anything is added to or removed from the folder or a folder in it, or it comes or goes itself. */
export async function folderStamp(root: string): Promise<string> {
  const stamps: string[] = [];
  const pending = [{ folder: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined && stamps.length < MOST_FOLDERS; next = pending.pop()) {
    const { folder, depth } = next;
    stamps.push(`${folder}\0${await timeOfChange(folder)}`);
    if (depth === DEEPEST) continue;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isDirectory()) pending.push({ folder: join(folder, entry.name), depth: depth + 1 });
  }
  return stamps.sort().join('\n');
}

async function timeOfChange(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? '' : `${found.mtimeNs}`;
}

function differs(before: Map<string, string>, path: string, stamp: string): boolean {
  const known = before.get(path);
  before.set(path, stamp);
  return known !== undefined && known !== stamp;
}

/** false as soon as the signal aborts. Never keeps the process alive. */
async function sleeps(millis: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(millis, undefined, { signal, ref: false });
    return true;
  } catch {
    return false;
  }
}
