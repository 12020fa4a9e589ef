// Files that declare one class, such as of two modules, and which of them ran as far as the recorded lines tell.
import { basename, dirname, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { DistinctProblems } from '../../base/problem.ts';
import { type Claim, whichRan } from '../../mapping/choose-file.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import { topLevelClass } from '../../mapping/class-names.ts';
import { frameOfMethod } from '../../mapping/map-document.ts';
import { openedText, textOnDisk } from '../../mapping/recorded/profiled-text.ts';
import { walkSources } from '../../mapping/source-walk.ts';
import { SourceFile } from '../files/source-file.ts';
import { KeptMapping } from './kept-mapping.ts';
import { KeptOutline } from './kept-outline.ts';

/** A class and the files that declare it, two at least. */
export type ClassClaims = {
  readonly className: string;
  /** Paths from the folder that they have in common; the file that is asked about comes first. */
  readonly files: readonly string[];
  /** Index of the file that the recorded lines fit best; null where they fit several equally well. */
  readonly ran: number | null;
};

/** @param own the file that is asked about; `others` declare the class too. */
export function claimsOf(
  className: string,
  own: Claim,
  others: readonly SourceFile[],
  { classes }: LoadedData,
): ClassClaims {
  const names = [...own.index.typeByName.keys()].filter(name => topLevelClass(name) === className);
  const rows = names.flatMap(name => rowsOfClass(classes, name));
  const claims = [own, ...others.map(({ claim }) => claim)];
  const frames = rows.map(row => frameOfMethod(classes, row));
  const best = whichRan(claims, frames);
  const paths = claims.map(({ file }) => file.path);
  const common = paths.map(path => `${dirname(path)}${sep}`).reduce(commonFolder);
  const files = paths.map(path => relative(common, path));
  return { className, files, ran: best === null ? null : claims.indexOf(best) };
}

function commonFolder(one: string, other: string): string {
  let folder = one;
  while (!other.startsWith(folder)) folder = folder.slice(0, folder.lastIndexOf(sep, folder.length - 2) + 1);
  return folder;
}

/** Files and folders that are looked at: a project has fewer, but a root outside of all projects may be a whole disk. */
const MOST_FOUND = 50_000;
/** Time after which other work gets its turn. */
const SLICE_MILLIS = 10;

/** Files below a folder that declare a top-level class and are called after it. */
export async function namesakesOf(className: string, root: string): Promise<SourceFile[]> {
  const name = `${className.slice(className.lastIndexOf('.') + 1)}.java`;
  const found: SourceFile[] = [];
  let sliceStart = performance.now();
  let left = MOST_FOUND;
  for (const each of walkSources([root], new DistinctProblems())) {
    if (left-- === 0) break;
    if (each !== null && basename(each.path) === name) {
      const text = textOnDisk(each.path);
      const file = text === null ? null : fileOnDisk(each.path, text);
      if (file?.declares(className)) found.push(file);
    }
    if (performance.now() - sliceStart < SLICE_MILLIS) continue;
    await setImmediate();
    sliceStart = performance.now();
  }
  return found;
}

function fileOnDisk(path: string, text: string): SourceFile {
  const uri = pathToFileURL(path).href;
  return new SourceFile({
    uri,
    path,
    text,
    outline: new KeptOutline(path),
    mapping: new KeptMapping(openedText(text)),
  });
}
