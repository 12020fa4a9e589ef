// Where a reader takes bytes from: random access with a known size, so that readers never hold a whole file.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import type { Outcome } from '../base/problem.ts';

/** Bytes with random access. */
export type ByteSource = {
  /** What to call it in problems: the path as the user gave it. */
  readonly name: string;
  readonly size: number;
  /** When the file was written last, in milliseconds since the epoch; absent where there is no file. */
  readonly modifiedMillis?: number;
  /** Fills `target` from `position` on as far as there are bytes; returns how many were read. */
  read(position: number, target: Uint8Array): number;
  close(): void;
};

/** Bytes that are in memory already. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read(position, target) {
      const part = bytes.subarray(position, position + target.length);
      target.set(part);
      return part.length;
    },
    close() {},
  };
}

const REASONS: Record<string, [message: string, remedy: string]> = {
  ENOENT: ['there is no such file', 'check the path'],
  EISDIR: ['this is a folder, not a file', 'name the files in it'],
  EACCES: ['the file may not be read', 'check its permissions'],
  ELOOP: ['this is a link that leads back to itself', 'name the file itself'],
};

/** Not a code of the system: what stands here is neither a file nor a folder. */
const NO_FILE = 'no file';
const NO_FILE_REASON: [message: string, remedy: string] = [
  'this is a pipe or a device, not a file',
  'write what comes from it into a file first',
];

/** Opens a file; the value is null when that fails, with the reason as a problem. */
export function openFile(path: string): Outcome<ByteSource | null> {
  let descriptor = -1;
  try {
    // Without waiting: a pipe that nobody writes to would never open.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(descriptor);
    if (status.isDirectory()) return refused(path, 'EISDIR', descriptor);
    if (!status.isFile()) return refused(path, NO_FILE, descriptor);
    return { value: fileSource(path, descriptor, status), problems: [] };
  } catch (error) {
    return refused(path, errorCode(error), descriptor);
  }
}

function refused(path: string, code: string, descriptor: number): Outcome<null> {
  if (descriptor >= 0) closeSync(descriptor);
  const known = code === NO_FILE ? NO_FILE_REASON : REASONS[code];
  const [message, remedy] = known ?? [`the file cannot be read (${code})`, 'check the path and the disk'];
  return { value: null, problems: [{ severity: 'error', message, file: path, remedy }] };
}

/** The code of a system error such as `ENOENT`, else `unknown error`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
}

function fileSource(name: string, descriptor: number, { size, mtimeMs }: Stats): ByteSource {
  return {
    name,
    size,
    modifiedMillis: Math.max(0, Math.round(mtimeMs)),
    read: (position, target) => readWhole(descriptor, target, position),
    close: () => closeSync(descriptor),
  };
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
