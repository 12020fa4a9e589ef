// Which data are wanted: what of a store, or which file. It resolves to a Dataset.

/** [fromMillis, toMillis) in milliseconds since the epoch; an absent end is open. */
export type Span = { readonly fromMillis?: number; readonly toMillis?: number };

export type Wish = {
  readonly store: string;
  readonly project: string;
  /** null: the only program, else the one with most classes below `root`. */
  readonly program: string | null;
  /** null: that of the commit checked out in `repository`, or the nearest one; without a repository the newest. */
  readonly version: string | null;
  /** Names of instances; all when absent. */
  readonly instances?: readonly string[];
  /** Folder whose Java files decide the program when none is named. */
  readonly root: string;
  /** Root of the git repository that decides the version where none or a tag is named, and that has the text of each; absent outside git. */
  readonly repository?: string;
  /** How tags of versions are called where not as usual. */
  readonly tagPattern?: string;
  /** Only snapshots that have a moment of it are read: for a command that looks at nothing else of a large store. */
  readonly within?: Span;
  /** Recordings and snapshots on disk that are read in place of what the store holds, and merged; absolute paths. */
  readonly files?: readonly string[];
};

/** Equal for wishes that resolve to the same data; the root counts only where it decides something. A named version may be a tag. */
export function wishKey(wish: Wish): string {
  const { store, project, program, version, instances, root, repository, tagPattern, within, files } = wish;
  const byRoot = program === null ? root : null;
  return JSON.stringify([store, project, program, version, instances, byRoot, repository, tagPattern, within, files]);
}
