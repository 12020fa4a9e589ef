// A temporary folder of one process: private to the user, named by the process; the next process removes the folder of a killed one.
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './process-lock.ts';

/**
 * Makes a folder and removes the folders of the user's ended processes. Throws where none can be made.
 * @param kind names the folder, as `pages`; letters alone
 */
export function makeProcessFolder(kind: string, parent = tmpdir()): string {
  removeLeftBehind(kind, parent);
  return mkdtempSync(join(parent, `insitu-${kind}-${process.pid}-`));
}

function removeLeftBehind(kind: string, parent: string): void {
  const named = new RegExp(`^insitu-${kind}-(\\d+)-\\w{6}$`);
  for (const name of namesIn(parent)) {
    const pid = named.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(parent, name);
    try {
      // Any user may put a link or a folder here under such a name.
      const about = lstatSync(path);
      const isOwn = process.getuid === undefined || about.uid === process.getuid();
      if (about.isDirectory() && isOwn) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process was faster, or may do it later.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
