// Notices new snapshots in a store folder and edits of insitu.json by looking at times of change now and then.
import { statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { encodeSegment, LAYOUT } from '../../store/key.ts';
import type { Source } from './source.ts';

/** Folders looked at in one round: a store with more instances is looked at only in part. */
const MOST_FOLDERS = 5_000;
/** `<program>/<version>/<instance>` below a project's folder. */
const DEEPEST = 3;
/** Looking at folders may take this part of the time until they are looked at again. */
const LARGEST_LOAD = 0.02;

/**
 * A place with the stamp that it had before it was last read, so that nothing is missed between reading and looking; null while
 * that is not known: it is compared with what was seen a round ago then.
 */
export type WatchedPlace = { readonly path: string; readonly stamp: string | null };

/** What to look at, asked anew each round: folders with everything in them, and single files. */
export type Watched = {
  readonly folders: readonly WatchedPlace[];
  readonly files: readonly WatchedPlace[];
  /** What is asked over the net, less often than the rest; their paths are what `bucketPlace` gives. */
  readonly buckets?: readonly WatchedPlace[];
};

/** How a bucket is looked at: null where that is not known, and how often. */
export type BucketLook = {
  readonly stamp: (path: string) => Promise<string | null>;
  readonly everyMillis: number;
};

/** What a bucket answered, and the stamps that were known of it when it was asked. */
type Answer = { readonly stamp: string; readonly known: ReadonlySet<string | null> };

/** Which of them changed since they were read; buckets count as folders. */
export type Changed = { readonly folders: ReadonlySet<string>; readonly files: ReadonlySet<string> };

/** Where new snapshots of a source's project appear; null for stores that are no folder and for files. */
export function projectFolder({ store, project, file }: Pick<Source, 'store' | 'project' | 'file'>): string | null {
  if (file !== undefined) return null;
  const [folder, segment] = [folderOfStore(store), encodeSegment(project)];
  return folder === null || segment === null ? null : join(folder, LAYOUT, segment);
}

/** Names a source's project in a bucket among what is watched; null for other stores and for files. */
export function bucketPlace({ store, project, file }: Pick<Source, 'store' | 'project' | 'file'>): string | null {
  return file === undefined && /^s3:/i.test(store) ? JSON.stringify([store, project]) : null;
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
 * Looks every `everyMillis` until `signal` aborts, at folders less often where looking takes long or much else is going on, and
 * asks buckets beside that. Adding or removing a file changes the time of its folder, so no file of a folder is looked at.
 */
export async function watchStores(
  watched: () => Watched,
  onChange: (changed: Changed) => void,
  everyMillis: number,
  signal: AbortSignal,
  bucketLook?: BucketLook,
): Promise<void> {
  const before = new Map<string, string>();
  const asking = bucketLook === undefined ? null : new BucketAsking(bucketLook);
  let foldersDue = 0;
  while (await sleeps(everyMillis, signal)) {
    const now = new Map<string, string>();
    const { folders, files, buckets = [] } = watched();
    const started = performance.now();
    if (started >= foldersDue) {
      for (const { path } of folders) if (!now.has(path)) now.set(path, await folderStamp(path));
      foldersDue = performance.now() + (performance.now() - started) / LARGEST_LOAD;
    }
    for (const { path } of files) if (!now.has(path)) now.set(path, await timeOfChange(path));
    for (const [path, stamp] of asking?.answers(buckets) ?? []) now.set(path, stamp);
    const differing = (places: readonly WatchedPlace[]) =>
      new Set(
        places.filter(place => differs(before.get(place.path), now.get(place.path), place)).map(({ path }) => path),
      );
    const changed = { folders: differing([...folders, ...buckets]), files: differing(files) };
    for (const [path, stamp] of now) before.set(path, stamp);
    if (!signal.aborted && changed.folders.size + changed.files.size > 0) onChange(changed);
    asking?.ask(buckets);
  }
}

/** Asks buckets now and then. Nobody waits for the answers: they take as long as the net and the loading thread want. */
class BucketAsking {
  readonly #look: BucketLook;
  readonly #answers = new Map<string, Answer>();
  #isUnderWay = false;
  #due = 0;

  constructor(look: BucketLook) {
    this.#look = look;
  }

  /** Asks all of them when it is time and the last answers are there. */
  ask(buckets: readonly WatchedPlace[]): void {
    if (this.#isUnderWay || buckets.length === 0 || performance.now() < this.#due) return;
    this.#isUnderWay = true;
    const asked = performance.now();
    const places = Map.groupBy(buckets, ({ path }) => path);
    const all = [...places].map(async ([path, same]) => {
      const stamp = await this.#look.stamp(path).catch(() => null);
      if (stamp !== null) this.#answers.set(path, { stamp, known: new Set(same.map(each => each.stamp)) });
    });
    void Promise.all(all).then(() => {
      const { everyMillis } = this.#look;
      const now = performance.now();
      // Waiting is no work: an answer that took long is followed by a pause of the usual length at most.
      this.#due = Math.max(asked + everyMillis, now + Math.min(everyMillis, now - asked));
      this.#isUnderWay = false;
    });
  }

  /** What came since the last time. Where data were read since a bucket was asked, its answer may be older than they are. */
  answers(buckets: readonly WatchedPlace[]): [path: string, stamp: string][] {
    const found = buckets.flatMap(({ path, stamp }): [string, string][] => {
      const answer = this.#answers.get(path);
      return answer?.known.has(stamp) ? [[path, answer.stamp]] : [];
    });
    this.#answers.clear();
    return found;
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

/** The stamp of a single file, for those who read it right after. */
export function fileStamp(path: string): string {
  try {
    return stampText(statSync(path, { bigint: true, throwIfNoEntry: false }));
  } catch {
    return '';
  }
}

async function timeOfChange(path: string): Promise<string> {
  return stampText(await stat(path, { bigint: true }).catch(() => undefined));
}

function stampText(found: { readonly mtimeNs: bigint } | undefined): string {
  return found === undefined ? '' : `${found.mtimeNs}`;
}

function differs(before: string | undefined, now: string | undefined, { stamp }: WatchedPlace): boolean {
  const known = stamp ?? before;
  return now !== undefined && known !== undefined && known !== now;
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
