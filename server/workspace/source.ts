// Which data a file or folder is shown with: the part of a configuration that decides what is loaded.
import { isAbsolute, relative, sep } from 'node:path';
import type { Configuration } from './configuration.ts';
import type { Part } from './part.ts';

/** Names one set of data. Two files with equal sources share what was loaded. */
export type Source = {
  readonly store: string;
  readonly project: string;
  /** null: the only program, else the one with most classes below `root`. */
  readonly program: string | null;
  /** null: that of the commit checked out in `repository`, or the nearest one; without a repository the newest. */
  readonly version: string | null;
  /** null: `cpu-time` where present, else `cpu`. */
  readonly metric: string | null;
  /** Folder whose Java files decide the program when none is named. */
  readonly root: string;
  /** Root of the git repository that decides the version; absent where none is needed or there. */
  readonly repository?: string;
  /** How tags of versions are called where not as usual. */
  readonly tagPattern?: string;
  /** What is looked at of it; everything when absent. */
  readonly part?: Part;
};

/** The source of `path` (absolute), or of the configuration's whole root when null. */
export function sourceOf(configuration: Configuration, path: string | null): Source {
  const { settings, store, project, root, repository } = configuration;
  const program = (path === null ? null : programByPath(settings.programs, root, path)) ?? settings.program;
  const { version, metric, tagPattern } = settings;
  const deciding = version === null && repository !== null;
  const byCommit = deciding && { repository, ...(tagPattern !== null && { tagPattern }) };
  return { store, project, program, version, metric, root, ...byCommit };
}

/** Equal for sources that load the same data; the root counts only where it decides something. */
export function sourceKey(source: Source): string {
  const { store, project, program, version, metric, root, repository, tagPattern, part } = source;
  const deciding = [program === null ? root : null, repository, tagPattern];
  return JSON.stringify([store, project, program, version, metric, deciding, part ?? {}]);
}

/** The program of the longest prefix of whole path segments. */
function programByPath(programs: Readonly<Record<string, string>>, root: string, path: string): string | null {
  const inside = relative(root, path);
  if (inside.startsWith('..') || isAbsolute(inside)) return null;
  const file = segments(inside);
  let best: { readonly length: number; readonly program: string } | null = null;
  for (const [prefix, program] of Object.entries(programs)) {
    const wanted = segments(prefix);
    const fits = wanted.every((segment, i) => segment === file[i]);
    if (fits && (best === null || wanted.length > best.length)) best = { length: wanted.length, program };
  }
  return best?.program ?? null;
}

function segments(path: string): string[] {
  return path.split(sep === '\\' ? /[\\/]/ : '/').filter(segment => segment !== '' && segment !== '.');
}
