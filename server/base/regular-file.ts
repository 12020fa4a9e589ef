// Opens files by names from outside: regular files alone, up to a size, and without waiting for a pipe or a device.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Problem } from './problem.ts';

/** Without waiting: a pipe without a writer would never open. A terminal does not become that of this process. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** The path names no regular file, or one that is too large: an error like the system's, with a code of its own. */
class FileFlaw extends Error {
  readonly code: 'EISDIR' | 'no file' | 'too large';

  constructor(code: FileFlaw['code'], message: string) {
    super(message);
    this.code = code;
  }
}

function check(about: Stats, mostBytes: number): Stats {
  if (about.isDirectory()) throw new FileFlaw('EISDIR', 'this is a folder, not a file');
  if (!about.isFile()) throw new FileFlaw('no file', 'this is a pipe or a device, not a file');
  if (about.size > mostBytes) throw new FileFlaw('too large', `the file is larger than ${sizeText(mostBytes)}`);
  return about;
}

function sizeText(bytes: number): string {
  if (bytes < 2 ** 20) return `${bytes / 2 ** 10} KiB`;
  return bytes < 2 ** 30 ? `${bytes / 2 ** 20} MiB` : `${bytes / 2 ** 30} GiB`;
}

/** An open file as it was when it was opened. */
type OpenedFile = { readonly descriptor: number; readonly about: Stats };

/**
 * Opens a file for reading; the caller closes it. Throws what the system says, or a `FileFlaw`. Looked at before: to open a device may do
 * something already. And after: by then another may have the name.
 */
export function openRegular(path: string, mostBytes = Number.POSITIVE_INFINITY): OpenedFile {
  check(statSync(path), mostBytes);
  const descriptor = openSync(path, FLAGS);
  try {
    return { descriptor, about: check(fstatSync(descriptor), mostBytes) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The bytes that the file had when it was opened, in a buffer of their own. Throws as `openRegular` does. */
export function readRegular(path: string, mostBytes: number): Buffer<ArrayBuffer> {
  const { descriptor, about } = openRegular(path, mostBytes);
  try {
    const bytes = Buffer.allocUnsafeSlow(about.size);
    return bytes.subarray(0, readWhole(descriptor, bytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Fills `target` from `position` on as far as the file has bytes; returns how many were read. Throws what the system says. */
export function readWhole(descriptor: number, target: Uint8Array, position: number): number {
  let filled = 0;
  while (filled < target.length) {
    const read = readSync(descriptor, target, filled, target.length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

/** `openRegular` without stopping others; `use` gets the file and what it was like, and it is closed afterwards. */
export async function withRegular<T>(
  path: string,
  mostBytes: number,
  use: (file: FileHandle, about: Stats) => Promise<T>,
): Promise<T> {
  check(await stat(path), mostBytes);
  const file = await open(path, FLAGS);
  try {
    return await use(file, check(await file.stat(), mostBytes));
  } finally {
    await file.close();
  }
}

/** `readRegular` without stopping others. */
export function readRegularLater(path: string, mostBytes: number): Promise<Buffer<ArrayBuffer>> {
  return withRegular(path, mostBytes, (file, { size }) => readFrom(file, size));
}

/** The first bytes of an open file, fewer where it has no more. */
export async function readFrom(file: FileHandle, length: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

const REASONS: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
  ENOENT: ['there is no such file', 'check the path'],
  EISDIR: ['this is a folder, not a file', 'name the files in it'],
  EACCES: ['the file may not be read', 'check its permissions'],
  ELOOP: ['this is a link that leads back to itself', 'name the file itself'],
  'no file': ['this is a pipe or a device, not a file', 'write what comes from it into a file first'],
};

/** Why a file was not opened; the remedy is for files that the user named, unless another one is given. */
export function refusal(path: string, error: unknown, remedy?: string): Problem {
  const code = errorCode(error);
  const own = error instanceof FileFlaw ? error.message : `the file cannot be read (${code || 'unknown error'})`;
  const [message, usual] = REASONS[code] ?? [own, 'check the path and the disk'];
  return { severity: 'error', message, file: path, remedy: remedy ?? usual };
}

/** Whether something could not be written because the disk, or this user's part of it, is full. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error));
}

/** The code of a system error such as `ENOENT`; empty for other errors. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
