// Sees JVMs that start between two looks: a file in a folder of its user is one of the first things that a JVM makes, and the last that it removes.
import { existsSync, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { PerfFolders } from './perf-folders.ts';

const PROCESS = /^[1-9]\d{0,9}$/;

/** Where JVMs keep their performance data, and who is told. */
type PerfWatchOptions = {
  readonly temporary: string;
  /** The user whose JVMs are looked for; 0 for all users. */
  readonly user: number;
  /** A JVM has started; `isGone` when it has ended since, so that nothing tells any more what it was. */
  readonly came: (pid: number, isGone: boolean) => void;
};

/** Call `look` now and then, as folders come with the first JVM of a user. JVMs without performance data, and of containers, are not seen. */
export class PerfWatch {
  readonly #options: PerfWatchOptions;
  readonly #folders = new PerfFolders();
  readonly #watched = new Map<string, FSWatcher>();

  constructor(options: PerfWatchOptions) {
    this.#options = options;
    this.look();
  }

  /** Watches folders that have come. */
  look(): void {
    try {
      const folders = this.#folders.of(this.#options.temporary);
      for (const folder of folders) if (!this.#watched.has(folder)) this.#watch(folder);
    } catch {
      // Looking for processes has to do.
    }
  }

  close(): void {
    for (const watcher of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  #watch(folder: string): void {
    const { user } = this.#options;
    const about = lstatSync(folder);
    if (!about.isDirectory() || (user !== 0 && about.uid !== user)) return;
    // A file that is there belongs to a running JVM, or was left behind: its removal is not the end of a JVM that came unseen.
    const names = new Set<string>();
    const watcher = watch(folder, { persistent: false }, (event, name) => {
      if (event === 'rename' && name !== null && PROCESS.test(name)) this.#changed(folder, names, name);
    });
    const drop = () => {
      watcher.close();
      this.#watched.delete(folder);
    };
    watcher.on('error', drop);
    this.#watched.set(folder, watcher);
    for (const name of readdirSync(folder)) names.add(name);
  }

  #changed(folder: string, names: Set<string>, name: string): void {
    const isThere = existsSync(join(folder, name));
    if (names.has(name)) {
      if (!isThere) names.delete(name);
      return;
    }
    if (isThere) names.add(name);
    this.#options.came(Number(name), !isThere);
  }
}
