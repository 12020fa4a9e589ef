// A lock file: the living process that its content names has the folder; every other lock file is stale.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { startTicksOf } from './linux-processes.ts';
import { errorCode, readRegular } from './regular-file.ts';

const MOST_BYTES = 100;
/** Each attempt fails only while another process takes the lock at the same moment. */
const MOST_ATTEMPTS = 10;

/** The process that has a lock, other than this one; null where there is none. Throws where the file may not be read. */
export function lockHolder(path: string): number | null {
  // The line end tells that the content is whole: a full disk or a crash can cut the content anywhere.
  const [, pid, ticks] = /^(\d+) (\d+|-)\n$/.exec(contentOf(path)) ?? [];
  if (pid === undefined || Number(pid) === process.pid) return null;
  return isRunning(Number(pid), ticks === '-' ? null : Number(ticks)) ? Number(pid) : null;
}

/** Takes a lock for this process: null, or the process that has it. Throws what the system says, and leaves no part of a lock. */
export function takeLock(path: string): number | null {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const holder = lockHolder(path);
    if (holder !== null) return holder;
    removeStale(path);
    if (writeLock(path)) return null;
  }
  throw new Error(`the lock ${path} cannot be taken`);
}

/** Gives a lock back; the lock of another process stays. */
export function releaseLock(path: string): void {
  if (contentOf(path) === ownContent()) rmSync(path, { force: true });
}

/**
 * Whether a process runs; a process that has ended and waits to be buried does not. `startTicks`: when it began, which tells it from a later
 * process with the same number; null where that is not known.
 */
export function isRunning(pid: number, startTicks: number | null = null): boolean {
  const ticks = startTicksOf(pid);
  if (ticks !== null) return startTicks === null || ticks === startTicks;
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    // Where /proc tells of this process, it would tell of the other process too.
    return startTicksOf(process.pid) === null;
  } catch (error) {
    // /proc may hide processes of other users.
    return errorCode(error) === 'EPERM';
  }
}

function ownContent(): string {
  return `${process.pid} ${startTicksOf(process.pid) ?? '-'}\n`;
}

/** Content of a lock file; empty where there is none, or something else has its name. */
function contentOf(path: string): string {
  try {
    return readRegular(path, MOST_BYTES).toString('latin1');
  } catch (error) {
    if (['EACCES', 'EISDIR'].includes(errorCode(error))) throw error;
    return '';
  }
}

/** Another process may take the lock between the look at it and its removal: the removed file is looked at once more. */
function removeStale(path: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (lockHolder(aside) === null) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

/** false where another process was faster. */
function writeLock(path: string): boolean {
  try {
    writeFileSync(path, ownContent(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    // A full disk takes the file's name and none of its bytes.
    rmSync(path, { force: true });
    throw error;
  }
  // The file was stale for other processes before it had its content.
  return contentOf(path) === ownContent();
}
