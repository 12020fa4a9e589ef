// Which data a file or folder is shown with: the part of a configuration that decides what is loaded.
import { isAbsolute, relative, sep } from 'node:path';
import type { Configuration } from '../settings/configuration.ts';
import { type BaselineChoice, type Choice, NO_CHOICE } from './choice.ts';
import type { LoadedData } from './loaded-data.ts';
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
  /** Root of the git repository that decides the version where none is named, and that has the text of each; absent outside git. */
  readonly repository?: string;
  /** How tags of versions are called where not as usual. */
  readonly tagPattern?: string;
  /** What is looked at of it; everything when absent. */
  readonly part?: Part;
  /** A recording or snapshot on disk that is read in place of what the store holds; an absolute path. */
  readonly file?: string;
};

/** The source of `path` (absolute), or of the configuration's whole root when null; a choice is stronger than settings. */
export function sourceOf(configuration: Configuration, path: string | null, choice: Choice = NO_CHOICE): Source {
  const { settings, store, project, root, repository } = configuration;
  const byPath = path === null ? null : programByPath(settings.programs, root, path);
  const program = choice.program ?? byPath ?? settings.program;
  const version = choice.version ?? settings.version;
  const metric = choice.metric ?? settings.metric;
  const { tagPattern, tasks } = settings;
  const byCommit = repository !== null && { repository, ...(tagPattern !== null && { tagPattern }) };
  const part: Part = { ...choice.part, ...(choice.part.focus !== undefined && { tasks }) };
  return { store, project, program, version, metric, root, ...byCommit, ...(Object.keys(part).length > 0 && { part }) };
}

/** What the settings and a choice want shares to be compared with. */
export function baselineOf({ settings }: Configuration, choice: Choice): BaselineChoice | null {
  if (choice.baseline !== undefined) return choice.baseline;
  return settings.baseline === null ? null : { version: settings.baseline };
}

/**
 * What `data`, which were loaded for `source`, are compared with: the same program, metric, threads and focus. A span of time is
 * one of the same versions and instances.
 */
export function baselineSource(source: Source, data: LoadedData, wish: BaselineChoice): Source {
  const { store, project, root, repository, tagPattern, part = {} } = source;
  const { program, executions } = data.provenance;
  const { fromMillis: _from, toMillis: _to, instances, ...likeness } = part;
  const git = { ...(repository !== undefined && { repository }), ...(tagPattern !== undefined && { tagPattern }) };
  const common = { store, project, root, program, metric: source.metric ?? data.metric.id, ...git };
  if ('file' in wish) return { ...common, version: null, part: likeness, file: wish.file };
  if ('version' in wish) return { ...common, version: wish.version, part: likeness };
  const versions = new Set(executions.map(each => each.version));
  const version = versions.size === 1 ? [...versions][0]! : source.version;
  return { ...common, version, part: { ...likeness, ...(instances && { instances }), ...wish } };
}

/** Whether data loaded for `baseline` may be compared with `data`: equal metric, threads and focus. */
export function isComparable(data: LoadedData, baseline: LoadedData): boolean {
  const likeness = ({ metric, part: { threads, focus, tasks } }: LoadedData) =>
    JSON.stringify([metric.id, threads ?? null, focus === undefined ? null : [focus, tasks ?? []]]);
  return likeness(data) === likeness(baseline);
}

/** Equal for sources that load the same data; the root counts only where it decides something. */
export function sourceKey(source: Source): string {
  const { store, project, program, version, metric, root, repository, tagPattern, part, file } = source;
  const deciding = [program === null ? root : null, repository, tagPattern, file];
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
