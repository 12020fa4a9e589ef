// The recordings that arguments of `insitu import` stand for: files, standard input, and what is in folders and zip archives.

import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Unzip, type UnzipFile, UnzipInflate } from 'fflate';
import { messageOf } from '../base/message-of.ts';
import type { Problem } from '../base/problem.ts';
import { isDiskFull, openRegular, refusal } from '../base/regular-file.ts';
import { misused } from './failure.ts';

/** Standard input as an argument, and as the name of what comes from it. */
const STDIN = '-';
const STDIN_NAME = 'standard-input';

const BLOCK = 1 << 18;
/** As for gzip: what grows beyond this was made to do harm. */
const MOST_TIMES = 250;
const LEAST_LIMIT = 64 << 20;
const MOST_BYTES = 4 * 2 ** 30;
const MOST_ENTRIES = 1000;

export type GivenRecording = {
  readonly path: string;
  /** For people, and for the name of the instance: that of the file in the archive. */
  readonly name: string;
  /** Whether the file stands beside others in a folder or an archive: such a file need not be a recording. */
  readonly isBesideOthers: boolean;
};

/** Files that are made for a while stand in a folder that only this user can read. */
export class GivenRecordings {
  #folder: string | null = null;
  #made = 0;

  /** The recordings that one argument stands for. Without recordings, the problems say why. */
  async of(
    argument: string,
  ): Promise<{ readonly recordings: GivenRecording[]; readonly problems: readonly Problem[] }> {
    if (argument === STDIN && process.stdin.isTTY)
      throw misused('standard input is the terminal', 'send a recording to it: insitu import - < app.jfr');
    try {
      if (argument === STDIN) {
        const given = await this.#standardInput();
        return isZip(given.path) ? this.#unzipped(given.path, STDIN_NAME) : { recordings: [given], problems: [] };
      }
      if (statSync(argument).isDirectory()) return inFolder(argument);
      return isZip(argument)
        ? this.#unzipped(argument)
        : { recordings: [{ path: argument, name: argument, isBesideOthers: false }], problems: [] };
    } catch (error) {
      return { recordings: [], problems: [isDiskFull(error) ? noRoom(argument) : refusal(argument, error)] };
    }
  }

  /** Removes what was made. */
  remove(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Removes temporary files at a signal: data of production do not stay behind. */
  readonly #endBy = (signal: NodeJS.Signals): void => {
    this.remove();
    process.kill(process.pid, signal);
  };

  #newFile(): string {
    if (this.#folder === null) {
      this.#folder = mkdtempSync(join(tmpdir(), 'insitu-import-'));
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, this.#endBy);
      process.once('exit', () => this.remove());
    }
    return join(this.#folder, String(this.#made++));
  }

  async #standardInput(): Promise<GivenRecording> {
    const path = this.#newFile();
    const file = openSync(path, 'wx', 0o600);
    try {
      for await (const part of process.stdin) writeAll(file, part as Uint8Array);
    } catch (error) {
      rmSync(path);
      throw error;
    } finally {
      closeSync(file);
    }
    return { path, name: STDIN_NAME, isBesideOthers: false };
  }

  #unzipped(archive: string, name = archive): { recordings: GivenRecording[]; problems: Problem[] } {
    const { descriptor, about } = openRegular(archive);
    const limit = Math.min(MOST_BYTES, Math.max(LEAST_LIMIT, MOST_TIMES * about.size));
    const recordings: GivenRecording[] = [];
    const problems: Problem[] = [];
    const refused = (message: string) => new Error(`${message}; unpack it first if you trust it`);
    let written = 0;
    const unzip = new Unzip(entry => {
      if (isLeftOut(entry)) return;
      if (recordings.length === MOST_ENTRIES) throw refused(`the archive has more than ${MOST_ENTRIES} files`);
      const path = this.#newFile();
      const file = openSync(path, 'wx', 0o600);
      recordings.push({ path, name: entry.name, isBesideOthers: true });
      entry.ondata = (error, part, isLast) => {
        if (error !== null) throw error;
        written += part.length;
        if (written > limit) throw refused(`the archive grows to more than ${limit} bytes`);
        writeAll(file, part);
        if (!isLast) return;
        closeSync(file);
        // A format without times was taken when its file was written.
        utimesSync(path, about.mtime, about.mtime);
      };
      entry.start();
    });
    unzip.register(UnzipInflate);
    try {
      const block = new Uint8Array(BLOCK);
      for (let size = readSync(descriptor, block); size > 0; size = readSync(descriptor, block))
        unzip.push(block.slice(0, size), false);
      unzip.push(new Uint8Array(0), true);
    } catch (error) {
      const message = `the archive cannot be read: ${messageOf(error)}`;
      problems.push(isDiskFull(error) ? noRoom(name) : { severity: 'error', message, file: name });
      for (const { path } of recordings) rmSync(path);
    } finally {
      closeSync(descriptor);
    }
    if (recordings.length === 0 && problems.length === 0)
      problems.push({ severity: 'error', message: 'the archive holds no file', file: name });
    return { recordings: problems.length > 0 ? [] : recordings, problems };
  }
}

/** Why a given recording is not read: the temporary folder, to which it is written first, has no room. */
function noRoom(given: string): Problem {
  return {
    severity: 'error',
    message: `the disk with the temporary folder ${tmpdir()} is full`,
    file: given,
    remedy: 'make room there, or name a folder of another disk in TMPDIR',
  };
}

/** The files of a folder in the order of their names, without files of folders in it and hidden ones. */
function inFolder(folder: string): { recordings: GivenRecording[]; problems: Problem[] } {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter(entry => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
  if (names.length > MOST_ENTRIES)
    throw new Error(`the folder has more than ${MOST_ENTRIES} files; name the wanted ones`);
  if (names.length === 0)
    return { recordings: [], problems: [{ severity: 'error', message: 'the folder holds no file', file: folder }] };
  const recordings = names.map(name => ({ path: join(folder, name), name: join(folder, name), isBesideOthers: true }));
  return { recordings, problems: [] };
}

/** Folders, and what systems put beside files. */
function isLeftOut({ name }: UnzipFile): boolean {
  return name.endsWith('/') || name.startsWith('__MACOSX/') || basename(name).startsWith('.');
}

function isZip(path: string): boolean {
  const { descriptor } = openRegular(path);
  try {
    const start = new Uint8Array(4);
    readSync(descriptor, start);
    return start.join() === '80,75,3,4';
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
