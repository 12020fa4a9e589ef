// Which data are wanted: what of a store, or which file. A Wish resolves to a Dataset.

import type { Look } from '../model/look.ts';

/** A span of time; an absent end is open, and the moment `to` is not in the span. */
export type Span = Pick<Look, 'from' | 'to'>;

/** null: the sources decide, see `Wish`. */
type Decided<T> = { readonly [K in keyof T]-?: T[K] | null };

/**
 * Without a program, the wish is for the only program, else for the program with most classes below `root`. Without a version, the wish
 * is for the version of the commit checked out in `repository`, or the nearest version; without a repository for the newest version.
 */
export type Wish = Decided<Pick<Look, 'program' | 'version'>> &
  Pick<Look, 'instances'> & {
    readonly store: string;
    readonly project: string;
    /** Folder whose sources decide which code is own, and the program when none is named. */
    readonly root: string;
    /** Root of the git repository that decides the version where no version or a tag is named, and that has the text of each version; absent outside git. */
    readonly repository?: string;
    /** How tags of versions are called where not as usual. */
    readonly tagPattern?: string;
    /** Packages of own code, as the setting `code.own` names them; absent where the sources below `root` tell. */
    readonly own?: string;
    /** Only snapshots that have a moment of the span are read: for a command that looks at nothing else of a large store. */
    readonly within?: Span;
    /** Recordings and snapshots on disk that are read in place of what the store holds, and merged; absolute paths. */
    readonly files?: readonly string[];
  };

/** A key that wishes for the same data share. A named version may be a tag. */
export function wishKey(wish: Wish): string {
  const { store, project, program, version, instances, root, repository, tagPattern, own, within, files } = wish;
  return JSON.stringify([
    store,
    project,
    program,
    version,
    instances,
    root,
    repository,
    tagPattern,
    own,
    within,
    files,
  ]);
}
