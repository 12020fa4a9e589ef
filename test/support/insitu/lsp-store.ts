// A temporary folder with Java files and a store with one program's snapshot, for tests that start the real server.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Profile } from '../../../server/cct/profile.ts';
import type { Execution } from '../../../server/model/execution.ts';
import type { Circumstances } from '../../../server/snapshot/circumstances.ts';
import { openStore } from '../../../server/store/open-store.ts';
import type { Source } from '../../../server/workspace/data/source.ts';
import { profileOfText } from '../profiles/profiles.ts';

export type LspFolder = {
  readonly folder: string;
  readonly store: string;
  /** URI of a file below the folder, there or not. */
  uri(path: string): string;
  remove(): Promise<void>;
};

/** Of the first snapshot, in milliseconds of Unix time. */
export const FIRST_START = Date.UTC(2026, 10, 20, 16, 0, 0);

/** Makes the folder with `files`, an insitu.json that names project `acme` and the store, and an empty store folder. */
export async function lspFolder(
  files: Readonly<Record<string, string>> = {},
  name = 'insitu-lsp-',
): Promise<LspFolder> {
  const folder = await mkdtemp(join(tmpdir(), name));
  const store = join(folder, '.store');
  await mkdir(store);
  const settings = JSON.stringify({ project: 'acme', store: '.store' });
  for (const [path, text] of Object.entries({ 'insitu.json': settings, ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return {
    folder,
    store,
    uri: path => pathToFileURL(join(folder, path)).href,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** All data of the project, as a loader is asked for them. */
export function sourceIn({ store, folder }: Pick<LspFolder, 'store' | 'folder'>): Source {
  return { wish: { store, project: 'acme', program: null, version: null, root: folder }, selection: {} };
}

/** Puts a snapshot of the profile into the store; `seconds` after the first one's start. */
export async function putProfile(
  store: string,
  profile: Profile,
  execution: Partial<Execution> = {},
  seconds = 0,
  circumstances: Circumstances = {},
): Promise<void> {
  const opened = openStore(store);
  if (opened.value === null) throw new Error(JSON.stringify(opened.problems));
  const startMillis = FIRST_START + seconds * 1000;
  const put = await opened.value.put({
    header: {
      execution: { project: 'acme', program: 'shop', version: '1.0', instance: 'i-1', ...execution },
      startMillis,
      endMillis: startMillis + 10_000,
      recorder: 'JDK Flight Recorder',
      debugNonSafepoints: true,
      problems: [],
      replaces: [],
      ...circumstances,
    },
    profile,
  });
  if (put.value === null) throw new Error(JSON.stringify(put.problems));
}

/** The same from a picture; see profileOfText. */
export function putPicture(
  store: string,
  picture: string,
  execution: Partial<Execution> = {},
  seconds = 0,
  circumstances: Circumstances = {},
): Promise<void> {
  const profile = profileOfText(picture, { windows: 1, startMillis: FIRST_START + seconds * 1000 });
  return putProfile(store, profile, execution, seconds, circumstances);
}
