// The way from the root of a folder store down to its snapshots: it follows no link, so that nothing outside is read, written or removed.
import { lstat, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Problem } from '../base/problem.ts';
import { errorCode } from '../base/regular-file.ts';
import { StoreLink } from './file-problem.ts';

/** Below a folder of the store; raises what the system says, and a `StoreLink` where a folder on the way is a link. */
export async function checkWay(root: string, segments: readonly string[]): Promise<void> {
  let path = root;
  for (const segment of segments) {
    path = join(path, segment);
    if (!(await isThere(path))) return;
  }
}

/** The same, and makes what is missing, the root too. A folder at a time: of several Node.js says the wrong reason where it cannot. */
export async function makeFolders(
  root: string,
  segments: readonly string[],
  make: (path: string) => Promise<unknown> = path => mkdir(path),
): Promise<void> {
  await makeRoot(root, make);
  let path = root;
  for (const segment of segments) {
    path = join(path, segment);
    if (await isThere(path)) continue;
    await makeOne(path, make);
    // Another may have been faster, with a link.
    await isThere(path);
  }
}

/** The root is what the user named, and may be a link. */
async function makeRoot(root: string, make: (path: string) => Promise<unknown>): Promise<void> {
  if (await isRootThere(root)) return;
  await makeRoot(dirname(root), make);
  await makeOne(root, make);
}

/** Raises what the system says, and a `StoreLink` where the root is a link that leads nowhere. */
export async function isRootThere(root: string): Promise<boolean> {
  try {
    await stat(root);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    if (await isLink(root)) throw new StoreLink('dangling', root);
    return false;
  }
}

function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    found => found.isSymbolicLink(),
    () => false,
  );
}

async function makeOne(path: string, make: (path: string) => Promise<unknown>): Promise<void> {
  try {
    await make(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Whether there is something below the root that is no link, which is raised. */
export async function isThere(path: string): Promise<boolean> {
  try {
    if ((await lstat(path)).isSymbolicLink()) throw new StoreLink('link', path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The problem for links in a folder of the store when it is listed. */
export function linksProblem(folder: string, names: readonly string[]): Problem {
  const more = names.length === 1 ? '' : ` (and ${names.length - 1} more beside it)`;
  return {
    severity: 'warning',
    message: `a symbolic link in a store is not followed${more}`,
    file: join(folder, names[0]!),
    remedy: 'move what it leads to here, or name that as a store of its own',
  };
}
