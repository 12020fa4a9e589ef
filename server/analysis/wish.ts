// Which data are wanted: what of a store, or which file. It resolves to a Dataset.

import type { Look } from '../model/look.ts';

/** A span of time; an absent end is open, and the end itself is not in it. */
export type Span = Pick<Look, 'from' | 'to'>;

/** null: the sources decide, see `Wish`. */
type Decided<T> = { readonly [K in keyof T]-?: T[K] | null };

/**
 * Without a program it is the only one, else the one with most classes below `root`. Without a version it is that of the commit checked
 * out in `repository`, or the nearest one; without a repository the newest.
 */
export type Wish = Decided<Pick<Look, 'program' | 'version'>> &
  Pick<Look, 'instances'> & {
    readonly store: string;
    readonly project: string;
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
