// Finds the folders in which JVMs keep their performance data, and lists a large temporary folder only when something in it has come or gone.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

/** Times of change may be coarse: what changed this short before it was looked at may change again unseen. */
const COARSE_MILLIS = 1_000;
/** Each container has a temporary folder of its own. */
const MOST_FOLDERS = 64;

type Listed = { readonly changedMillis: number; readonly listedMillis: number; readonly folders: readonly string[] };

/** The folders `hsperfdata_<user>` of temporary folders. */
export class PerfFolders {
  readonly #list: (folder: string) => readonly string[];
  readonly #now: () => number;
  readonly #known = new LRUCache<string, Listed>({ max: MOST_FOLDERS });

  constructor(list: (folder: string) => readonly string[] = readdirSync, now: () => number = Date.now) {
    this.#list = list;
    this.#now = now;
  }

  /**
   * Paths of those in a temporary folder.
   * @throws where the folder is not there or closed to this user.
   */
  of(folder: string): readonly string[] {
    const changedMillis = statSync(folder).mtimeMs;
    const known = this.#known.get(folder);
    if (known?.changedMillis === changedMillis && known.listedMillis - changedMillis > COARSE_MILLIS)
      return known.folders;
    const listedMillis = this.#now();
    const folders = this.#list(folder).filter(name => name.startsWith('hsperfdata_'));
    const paths = folders.map(name => join(folder, name));
    this.#known.set(folder, { changedMillis, listedMillis, folders: paths });
    return paths;
  }
}
