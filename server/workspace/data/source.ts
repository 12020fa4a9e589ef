// Which data a file or folder is shown with: the part of a configuration that decides what is loaded.
import { isAbsolute, relative, sep } from 'node:path';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Selection } from '../../analysis/selection.ts';
import { type Wish, wishKey } from '../../analysis/wish.ts';
import { present } from '../../base/present.ts';
import { selectionKey } from '../../model/look.ts';
import type { Configuration } from '../settings/configuration.ts';
import { type BaselineChoice, type Choice, NO_CHOICE } from './choice.ts';

/** The data that a file or folder is shown with. Two with equal sources share the loaded data. */
export type Source = { readonly wish: Wish; readonly selection: Selection };

/** The source of `path` (absolute), or of the configuration's whole root when null; a choice is stronger than settings. */
export function sourceOf(configuration: Configuration, path: string | null, choice: Choice = NO_CHOICE): Source {
  const { settings, store, project, root, repository } = configuration;
  const { tagPattern, tasks, aspects } = settings;
  const { instances, threads, from, to, focus, path: query } = choice;
  const byPath = path === null ? null : programByPath(settings.programs, root, path);
  const program = choice.program ?? byPath ?? settings.program;
  const version = choice.version ?? settings.version;
  const metric = choice.metric ?? settings.metric;
  const own = settings['code.own'];
  const byCommit = repository !== null && { repository, ...(tagPattern !== null && { tagPattern }) };
  return {
    wish: {
      ...{ store, project, program, version, root },
      ...(instances && { instances }),
      ...byCommit,
      ...(own !== null && { own }),
    },
    selection: {
      ...(metric !== null && { metric }),
      ...(threads && { threads }),
      ...present({ from, to }),
      ...(focus && { focus, tasks, aspects }),
      ...(query !== undefined && { path: query, aspects }),
    },
  };
}

/** The baseline that the settings and a choice want. */
export function baselineOf({ settings }: Configuration, choice: Choice): BaselineChoice | null {
  if (choice.baseline !== undefined) return choice.baseline;
  return settings.baseline === null ? null : { version: settings.baseline };
}

/**
 * The baseline of `data`, which were loaded for `source`: the same program, metric, threads, focus and path. A span of time is
 * one of the same versions and instances. Instances of a benchmark are compared with those of the same names.
 */
export function baselineSource({ wish, selection }: Source, data: LoadedData, baseline: BaselineChoice): Source {
  const { version: _version, instances, files: _files, ...place } = wish;
  const { program: known, executions } = data.provenance;
  // Of a recording that is read as it is, no program is known but the configured one.
  const program = data.wish.files === undefined ? known : wish.program;
  const { from: _from, to: _to, ...likeness } = { ...selection, metric: selection.metric ?? data.metric.id };
  const same = { ...place, program };
  if ('files' in baseline) return { wish: { ...same, version: null, files: baseline.files }, selection: likeness };
  if ('version' in baseline) {
    const chosen = data.provenance.isBenchmark === true ? data.wish.instances : undefined;
    const alike = chosen === undefined ? {} : { instances: chosen };
    return { wish: { ...same, version: baseline.version, ...alike }, selection: likeness };
  }
  const versions = new Set(executions.map(each => each.version));
  const version = versions.size === 1 ? [...versions][0]! : wish.version;
  return {
    wish: { ...same, version, ...(instances && { instances }) },
    selection: { ...likeness, ...baseline },
  };
}

/** Whether data loaded for `baseline` may be compared with `data`: equal metric, threads, focus and path. */
export function isComparable(data: LoadedData, baseline: LoadedData): boolean {
  const likeness = ({ metric, selection: { from: _from, to: _to, ...selection } }: LoadedData) =>
    selectionKey({ ...selection, metric: metric.id });
  return likeness(data) === likeness(baseline);
}

/** Equal for sources that show the same data. */
export function sourceKey({ wish, selection }: Source): string {
  return `${wishKey(wish)} ${selectionKey(selection)}`;
}

/** The program of the longest prefix of whole path segments. */
export function programByPath(programs: Readonly<Record<string, string>>, root: string, path: string): string | null {
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
