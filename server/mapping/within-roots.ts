// Decides whether a path lies within the folders of a project, once all links are resolved: the only place that does, for every face.
import { lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { realPath } from '../base/folders-above.ts';

/** Whether a file, or the place where one would be, lies within one of the folders; links on the way to both are resolved. */
export function liesWithin(roots: readonly string[], path: string): boolean {
  const real = realPlace(path);
  return real !== null && roots.some(root => isWithin(realPath(root) ?? root, real));
}

/** Whether a path in one of the roots leads out of all of them, by a link; the caller decides about a path outside of all roots. */
export function leadsOut(roots: readonly string[], path: string): boolean {
  return roots.some(root => isWithin(root, path)) && realPath(path) !== null && !liesWithin(roots, path);
}

/** Whether `path` is the folder or lies below it, by their names alone. */
export function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** The real path of a file that need not exist, below the nearest folder that does; null where a link on the way leads nowhere. */
function realPlace(path: string): string | null {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = realPath(at);
    if (real !== null) return join(real, ...missing);
    if (at === dirname(at) || isThere(at)) return null;
    missing.unshift(basename(at));
  }
}

/** Whether a path exists; also for a link that leads nowhere, and a path that cannot be looked at. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
