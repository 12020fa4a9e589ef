// Watches what decides about hints and changes outside the editor: stores, configuration files and which commit is checked out.
import type { Wish } from '../analysis/wish.ts';
import type { WatchedPlace } from '../base/file-stamp.ts';
import type { ProfiledTextKeeper } from '../workspace/code/profiled-text-keeper.ts';
import type { Asking } from '../workspace/data/asking-times.ts';
import { bucketPlace, watchBuckets } from '../workspace/data/bucket-watch.ts';
import type { DataKeeper } from '../workspace/data/data-keeper.ts';
import { type Changed, projectFolder, type Watched, watchStores } from '../workspace/data/store-watch.ts';
import type { Workspace } from '../workspace/state.ts';

/** A recorder takes a second to notice that a window has ended, and part of another to store it. */
const BUCKET: Asking = { everyMillis: 30_000, lagMillis: 2_000, againMillis: 2_000 };

type OutsideReactions = {
  /** Files that settings are read from have changed. */
  configurationChanged(): void;
  /** Another commit is checked out; what follows from it is being read. */
  headMoved(): void;
  /** A folder of snapshots has changed; the shown snapshots are being read again. */
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

  /** Looks every `everyMillis()` until the signal aborts, and asks buckets beside that. */
  async run(everyMillis: () => number, signal: AbortSignal): Promise<void> {
    const stamp = async (path: string) => {
      const asked = this.#workspace.view().sources.find(({ source }) => bucketPlace(source.wish) === path);
      return asked === undefined ? null : this.#keeper.askStamp(asked.source);
    };
    const bucketsChanged = (folders: ReadonlySet<string>) => this.#changed({ folders, files: new Set() });
    await Promise.all([
      watchStores(
        () => this.#watched(),
        changed => this.#changed(changed),
        everyMillis,
        signal,
      ),
      watchBuckets(() => this.#places(bucketPlace), bucketsChanged, { ...BUCKET, stamp }, signal),
    ]);
  }

  #watched(): Watched {
    const files = [...this.#workspace.view().configurationFiles, ...this.#profiledTexts.headPlaces()];
    return { folders: this.#places(projectFolder), files };
  }

  /** Sources that have a place of a kind, with the stamps of what was read of them. */
  #places(of: (wish: Wish) => string | null): WatchedPlace[] {
    return this.#workspace.view().sources.flatMap(({ source, key }) => {
      const path = of(source.wish);
      return path === null ? [] : [{ path, stamp: this.#keeper.stampOf(key) }];
    });
  }

  #changed({ folders, files }: Changed): void {
    const heads = this.#profiledTexts.headPlaces().filter(({ path }) => files.has(path));
    if (heads.length > 0) this.#headMoved();
    if (files.size > heads.length) {
      this.#workspace.apply({ kind: 'configurationFilesChanged' });
      this.#reactions.configurationChanged();
    }
    for (const { source, key } of this.#workspace.view().sources)
      if (folders.has(projectFolder(source.wish) ?? bucketPlace(source.wish) ?? '') && !this.#keeper.isResting(key))
        this.#keeper.reload(source);
    if (folders.size > 0) this.#reactions.storeChanged();
  }

  /** Another version may be the one to show, and files may have other names in it. */
  #headMoved(): void {
    this.#reactions.headMoved();
    this.#profiledTexts.headMoved();
    this.#workspace.files.lookAgain();
    for (const { source } of this.#workspace.view().sources)
      if (source.wish.repository !== undefined) this.#keeper.reload(source);
  }
}
