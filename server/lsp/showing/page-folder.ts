// The folder of a server's pages: private to the user, named by its process, and gone with the next server where one was killed.
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../base/process-lock.ts';

const NAME = /^insitu-pages-(\d+)-\w{6}$/;

/** Makes a folder and removes those of the user's processes that are gone. Throws where none can be made. */
export function makePageFolder(parent = tmpdir()): string {
  removeLeftBehind(parent);
  return mkdtempSync(join(parent, `insitu-pages-${process.pid}-`));
}

function removeLeftBehind(parent: string): void {
  for (const name of namesIn(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(parent, name);
    try {
      // Any user may put a link or a folder here under such a name.
      const about = lstatSync(path);
      const isOwn = process.getuid === undefined || about.uid === process.getuid();
      if (about.isDirectory() && isOwn) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another server was faster, or may do it later.
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
