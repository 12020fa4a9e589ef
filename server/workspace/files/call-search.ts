// Finds calls of a name in the files of the workspace, within a limit of time: whether they mean a method is for others to say.
import { dirname } from 'node:path';
import type { CallSite } from '../../../grammar/outline.ts';
import type { Turn } from '../../base/pause.ts';
import { readRegular } from '../../base/regular-file.ts';
import { pathKey } from '../../mapping/source-paths.ts';
import { FILE_BYTES_MAX } from '../../mapping/source-walk.ts';
import type { SourceFile } from './source-file.ts';
import type { SourceFiles } from './source-files.ts';

type FoundCall = { readonly file: SourceFile; readonly site: CallSite };

type CallSearch = {
  readonly calls: readonly FoundCall[];
  /** false where time was up, or not all files are known yet. */
  readonly isWhole: boolean;
};

/** A request waits no longer for calls that were never seen running. */
export const SEARCH_MILLIS = 200;

/**
 * Calls of methods, or creations of a class, by their simple name: in open documents first, then beside `near`, then elsewhere.
 * @param turn taken after each file.
 */
export async function searchCalls(
  files: SourceFiles,
  name: string,
  near: string | null,
  turn: Turn,
  limitMillis = SEARCH_MILLIS,
): Promise<CallSearch> {
  const calls: FoundCall[] = [];
  const end = performance.now() + limitMillis;
  const seen = new Set<string>();
  const look = (file: SourceFile): void => {
    if (!file.text.includes(name)) return;
    for (const site of file.outline.callSites)
      if (site.name === name && site.kind !== 'implicit') calls.push({ file, site });
  };
  for (const file of files.openFiles()) {
    if (file.path !== null) seen.add(pathKey(file.path));
    look(file);
    await turn();
  }
  for (const path of nearestFirst(files, near)) {
    if (seen.has(pathKey(path))) continue;
    if (performance.now() > end) return { calls, isWhole: false };
    const file = mentions(path, name) ? files.file(path) : null;
    if (file !== null) look(file);
    await turn();
  }
  return { calls, isWhole: files.knowsAll };
}

function nearestFirst(files: SourceFiles, near: string | null): string[] {
  const paths = Array.from(files.indexed(), ({ path }) => path);
  if (near === null) return paths;
  const folder = dirname(near);
  return [...paths.filter(path => dirname(path) === folder), ...paths.filter(path => dirname(path) !== folder)];
}

/** Looked at without being remembered: most files are not wanted again. */
function mentions(path: string, name: string): boolean {
  try {
    return readRegular(path, FILE_BYTES_MAX).includes(name);
  } catch {
    return false;
  }
}
