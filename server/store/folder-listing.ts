// Walks a store's folders and tells snapshots from everything else that may lie there.
import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NOTHING_RECORDED, type Outcome, type Problem } from '../base/problem.ts';
import { errorCode } from '../base/regular-file.ts';
import { fileProblem, StoreLink } from './file-problem.ts';
import { decodeSegment, encodeSegment, LAYOUT, parseFileName, parseLiveName } from './key.ts';
import type { StoreEntry, StoreFilter } from './store.ts';
import { isRootThere, isThere, linksProblem } from './way-down.ts';

/** Ending of files that are still being written. */
export const TEMPORARY_SUFFIX = '.tmp';

const LEVELS = ['project', 'program', 'version', 'instance'] as const;

/** A folder on the way down, with the texts of the levels above. */
type Folder = { readonly path: string; readonly texts: readonly string[]; readonly segments: readonly string[] };

/** Entries of the store in folder `root`; folders that cannot be read and foreign files become problems. */
export async function listFolder(root: string, filter: StoreFilter): Promise<Outcome<readonly StoreEntry[]>> {
  const problems: Problem[] = [];
  const rootProblem = await checkRoot(root);
  if (rootProblem !== null) return { value: [], problems: [rootProblem] };
  const top = { path: join(root, LAYOUT), texts: [], segments: [LAYOUT] };
  let folders: Folder[] = (await isOwn(top.path, problems)) ? [top] : [];
  for (const level of LEVELS) {
    const next = await Promise.all(folders.map(folder => subfolders(folder, filter[level], problems)));
    folders = next.flat();
  }
  const lists = await Promise.all(folders.map(folder => snapshotsIn(folder, problems)));
  const entries = lists.flat().sort(compareEntries);
  return { value: entries, problems };
}

async function checkRoot(root: string): Promise<Problem | null> {
  try {
    if (await isRootThere(root)) {
      if (!(await stat(root)).isDirectory())
        return { severity: 'error', message: 'the store is a file', file: root, remedy: 'give the path of a folder' };
      // Where it may not be looked into, this is raised.
      await lstat(`${root}/.`);
      return null;
    }
  } catch (error) {
    return fileProblem('the store cannot be read', root, error);
  }
  return {
    severity: 'error',
    message: 'there is no store here',
    file: root,
    remedy: 'import a recording first (insitu import <recording> --program <name>), or name another with --store',
    inEditor: NOTHING_RECORDED,
  };
}

/** Readable content of a folder; one that is missing is empty. */
async function contentOf(path: string, problems: Problem[]): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') problems.push(fileProblem('the folder cannot be read', path, error));
    return [];
  }
}

async function subfolders(folder: Folder, wanted: string | undefined, problems: Problem[]): Promise<Folder[]> {
  const below = (segment: string, text: string): Folder => ({
    path: join(folder.path, segment),
    texts: [...folder.texts, text],
    segments: [...folder.segments, segment],
  });
  if (wanted !== undefined) {
    const segment = encodeSegment(wanted);
    return segment !== null && (await isOwn(join(folder.path, segment), problems)) ? [below(segment, wanted)] : [];
  }
  const found: Folder[] = [];
  const foreign: Dirent[] = [];
  for (const each of await contentOf(folder.path, problems)) {
    const text = decodeSegment(each.name);
    if (text !== null && each.isDirectory()) found.push(below(each.name, text));
    else foreign.push(each);
  }
  reportForeign(folder.path, foreign, problems);
  return found;
}

/** Whether a folder is there, and no link; one that cannot be looked at is told of when it is read. */
async function isOwn(path: string, problems: Problem[]): Promise<boolean> {
  try {
    return await isThere(path);
  } catch (error) {
    if (error instanceof StoreLink) problems.push(linksProblem(dirname(path), [basename(path)]));
    else problems.push(fileProblem('the folder cannot be read', path, error));
    return false;
  }
}

async function snapshotsIn(folder: Folder, problems: Problem[]): Promise<StoreEntry[]> {
  const [project, program, version, instance] = folder.texts as [string, string, string, string];
  const execution = { project, program, version, instance };
  const entries: StoreEntry[] = [];
  const foreign: Dirent[] = [];
  for (const each of await contentOf(folder.path, problems)) {
    const { name } = each;
    const live = parseLiveName(name);
    const parts = live === null ? parseFileName(name) : { startMillis: live, hash: '' };
    if (parts === null) {
      if (!name.endsWith(TEMPORARY_SUFFIX)) foreign.push(each);
      continue;
    }
    const found = await lstat(join(folder.path, name), { bigint: true }).catch(() => null);
    if (found?.isFile() === true) {
      const key = [...folder.segments, name].join('/');
      entries.push({ execution, ...parts, key, bytes: Number(found.size), ...(live === null ? {} : liveness(found)) });
    } else if (found !== null) foreign.push(each);
    // A file that is gone by now has made way for another snapshot that holds the same samples.
  }
  reportForeign(folder.path, foreign, problems);
  return entries;
}

/** A text that tells one state of a provisional snapshot from the next. */
export function liveness(found: {
  readonly mtimeNs: bigint;
  readonly size: bigint;
}): Pick<StoreEntry, 'hash' | 'liveMillis'> {
  return { hash: `live-${found.mtimeNs}-${found.size}`, liveMillis: Number(found.mtimeNs / 1_000_000n) };
}

function reportForeign(path: string, entries: readonly Dirent[], problems: Problem[]): void {
  const { links = [], others = [] } = Object.groupBy(entries, each => (each.isSymbolicLink() ? 'links' : 'others'));
  if (links.length > 0)
    problems.push(
      linksProblem(
        path,
        links.map(({ name }) => name),
      ),
    );
  if (others.length === 0) return;
  const names = others.map(({ name }) => name);
  const some = names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
  problems.push({
    severity: 'info',
    message: `${names.length === 1 ? 'something is' : `${names.length} things are`} left alone as no snapshot: ${some}`,
    file: path,
    remedy: 'move them elsewhere',
  });
}

/** By execution, start and hash. */
export function compareEntries(a: StoreEntry, b: StoreEntry): number {
  for (const level of LEVELS) {
    if (a.execution[level] !== b.execution[level]) return a.execution[level] < b.execution[level] ? -1 : 1;
  }
  return a.startMillis - b.startMillis || (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0);
}
