// Puts the settings of one workspace together: command line over editor over insitu.json over environment over defaults.

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { defaultSettings, type PartialSettings, type Settings } from '../../base/config.ts';
import { foldersFrom, realPath } from '../../base/folders-above.ts';
import type { Problem } from '../../base/problem.ts';
import { readRegular, refusal } from '../../base/regular-file.ts';
import { originOfWorktree } from '../../mapping/git/head-places.ts';
import { readSettings, type SettingsReading } from './read-settings.ts';
import { processSurroundings, type Surroundings } from './settings-context.ts';
import { isAllowed } from './trust.ts';

const FILE = 'insitu.json';

/** Settings with every default worked out: nothing here is null that a reading command needs. */
export type Configuration = {
  readonly settings: Settings;
  /** Absolute path of a folder, or the location as given where it is no path. */
  readonly store: string;
  readonly project: string;
  /** Settings or a git root name the project; else it is called after a folder, which may be any. */
  readonly projectIsNamed: boolean;
  /** Folder of the nearest insitu.json, else the git root, else the starting folder. */
  readonly root: string;
  /** Root of the git repository around it, null outside git. */
  readonly repository: string | null;
  /** Path of the insitu.json that was read, null where there is none. */
  readonly file: string | null;
  /** Settings whose values come from that file. */
  readonly fromFile: ReadonlySet<string>;
  readonly problems: readonly Problem[];
  /** The store beyond this machine that the file names and the user has not allowed it; null where there is none. */
  readonly refusedStore: string | null;
};

/**
 * Works out the configuration that holds in `folder`.
 * @param overrides settings from the command line, strongest.
 * @param editor settings from the editor, below the command line and above the file.
 */
export function configurationFor(
  folder: string,
  overrides: PartialSettings = {},
  editor: PartialSettings = {},
  surroundings: Surroundings = processSurroundings(),
): Configuration {
  const start = resolve(folder);
  const places = placesOf(start);
  const { around, repository, origin } = places;
  const holder = levelsOf(places).find(each => existsSync(join(each, FILE))) ?? null;
  const file = holder === null ? null : join(holder, FILE);
  const root = (holder !== null && around.includes(holder) ? holder : repository) ?? start;
  const fromFile = file === null ? NOTHING_READ : readFile(file, surroundings);
  const fileStore = fromFile.value.store;
  const anchored =
    typeof fileStore === 'string' && !isAddress(fileStore) ? { store: resolve(dirname(file!), fileStore) } : {};
  const stronger = dropNulls({ ...dropNulls(editor), ...dropNulls(overrides) });
  const settings: Settings = { ...defaultSettings(), ...dropNulls(fromFile.value), ...anchored, ...stronger };
  return {
    settings,
    store: storeLocation(stronger.store ?? null, settings, surroundings),
    project: settings.project ?? origin?.name ?? basename(realPath(repository ?? root) ?? root),
    projectIsNamed: settings.project !== null || repository !== null,
    root,
    repository,
    file,
    fromFile: new Set(Object.keys(dropNulls(fromFile.value)).filter(key => !(key in stronger))),
    problems: fromFile.problems,
    refusedStore: fromFile.refusedStore,
  };
}

/** Folders whose insitu.json may hold in a folder, the strongest first: a linked worktree without one has the file of the main checkout. */
export function configuringFolders(folder: string): string[] {
  return levelsOf(placesOf(folder));
}

function levelsOf({ around, origin }: ReturnType<typeof placesOf>): string[] {
  return origin === null ? around : [...around, origin.folder];
}

/** The folders around a folder, the repository that it lies in and, for a linked worktree, the main checkout. */
function placesOf(folder: string) {
  const around = foldersFrom(folder);
  const repository = around.find(each => existsSync(join(each, '.git'))) ?? null;
  return { around, repository, origin: repository === null ? null : originOfWorktree(repository) };
}

/** `--store` or the editor's, else INSITU_STORE, else insitu.json, else the user's data folder. */
function storeLocation(explicit: string | null, settings: Settings, { env, home }: Surroundings): string {
  const dataHome = env.XDG_DATA_HOME || join(home, '.local', 'share');
  const location = explicit ?? (env.INSITU_STORE || (settings.store ?? join(dataHome, 'insitu')));
  return isAddress(location) ? location : resolve(expandHome(location, home));
}

function isAddress(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location);
}

function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

/** Far more than any team writes; a clone may hold anything under this name. */
export const LARGEST_FILE_BYTES = 256 * 1024;

type FileReading = Pick<SettingsReading, 'value' | 'refusedStore'> & { readonly problems: readonly Problem[] };

const NOTHING_READ: FileReading = { value: {}, problems: [], refusedStore: null };

function readFile(file: string, surroundings: Surroundings): FileReading {
  const refused = ({ message }: Problem): FileReading => {
    const problem = {
      severity: 'warning',
      message: `cannot be read: ${message}`,
      file,
      remedy: 'defaults are used',
    } as const;
    return { ...NOTHING_READ, problems: [problem] };
  };
  let text: string;
  try {
    text = readRegular(file, LARGEST_FILE_BYTES).toString('utf8');
  } catch (error) {
    return refused(refusal(file, error));
  }
  return readSettings(text, file, 'workspace', location => isAllowed(surroundings, dirname(file), location));
}

function dropNulls(settings: PartialSettings): PartialSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null && value !== undefined));
}
