// Watches what decides about hints and changes outside the editor: stores, configuration files and which commit is checked out.
import type { ProfiledTextKeeper } from '../workspace/code/profiled-text-keeper.ts';
import type { DataKeeper } from '../workspace/data/data-keeper.ts';
import type { Source } from '../workspace/data/source.ts';
import {
  bucketPlace,
  type Changed,
  projectFolder,
  type Watched,
  type WatchedPlace,
  watchStores,
} from '../workspace/data/store-watch.ts';
import type { Workspace } from '../workspace/state.ts';

/** A bucket is asked once in so long whether it has something new. */
const BUCKET_MILLIS = 30_000;

export type OutsideReactions = {
  /** Files that settings are read from have changed. */
  configurationChanged(): void;
  /** Another commit is checked out; what follows from it is being read. */
  headMoved(): void;
  /** A folder of snapshots has changed; those that are shown are being read again. */
  storeChanged(): void;
};

export class OutsideWatch {
  readonly #workspace: Workspace;
  readonly #keeper: DataKeeper;
  readonly #profiledTexts: ProfiledTextKeeper;
  readonly #reactions: OutsideReactions;

  constructor(
    workspace: Workspace,
    keeper: DataKeeper,
    profiledTexts: ProfiledTextKeeper,
    reactions: OutsideReactions,
  ) {
    this.#workspace = workspace;
    this.#keeper = keeper;
    this.#profiledTexts = profiledTexts;
    this.#reactions = reactions;
  }

  /** Looks every `everyMillis` until the signal aborts. */
  run(everyMillis: number, signal: AbortSignal, bucketMillis = BUCKET_MILLIS): Promise<void> {
    const stamp = async (path: string) => {
      const asked = this.#workspace.view().sources.find(({ source }) => bucketPlace(source) === path);
      return asked === undefined ? null : this.#keeper.askStamp(asked.source);
    };
    return watchStores(
      () => this.#watched(),
      changed => this.#changed(changed),
      everyMillis,
      signal,
      { stamp, everyMillis: bucketMillis },
    );
  }

  #watched(): Watched {
    const { sources } = this.#workspace.view();
    const places = (of: (source: Source) => string | null): WatchedPlace[] =>
      sources.flatMap(({ source, key }) => {
        const path = of(source);
        return path === null ? [] : [{ path, stamp: this.#keeper.stampOf(key) }];
      });
    const [folders, buckets] = [places(projectFolder), places(bucketPlace)];
    return { folders, buckets, files: [...sources.flatMap(({ files }) => files), ...this.#profiledTexts.headPlaces()] };
  }

  #changed({ folders, files }: Changed): void {
    const heads = this.#profiledTexts.headPlaces().filter(({ path }) => files.has(path));
    if (heads.length > 0) this.#headMoved();
    if (files.size > heads.length) {
      this.#workspace.apply({ kind: 'configurationFilesChanged' });
      this.#reactions.configurationChanged();
    }
    for (const { source, key } of this.#workspace.view().sources)
      if (folders.has(projectFolder(source) ?? bucketPlace(source) ?? '') && !this.#keeper.isResting(key))
        this.#keeper.reload(source);
    if (folders.size > 0) this.#reactions.storeChanged();
  }

  /** Another version may be the one to show, and files may have other names in it. */
  #headMoved(): void {
    this.#reactions.headMoved();
    this.#profiledTexts.headMoved();
    this.#workspace.files.lookAgain();
    for (const { source } of this.#workspace.view().sources)
      if (source.repository !== undefined) this.#keeper.reload(source);
  }
}
