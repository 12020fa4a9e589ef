// Where a reader takes bytes from: random access with a known size, so that readers never hold a whole file.
import { closeSync, type Stats } from 'node:fs';
import type { Outcome } from '../base/problem.ts';
import { openRegular, readWhole, refusal } from '../base/regular-file.ts';

/** Bytes with random access. */
export type ByteSource = {
  /** The name in problems: the path as the user gave it. */
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

/** Opens a file; the value is null when that fails, with the reason as a problem. */
export function openFile(path: string): Outcome<ByteSource | null> {
  try {
    const { descriptor, about } = openRegular(path);
    return { value: fileSource(path, descriptor, about), problems: [] };
  } catch (error) {
    return { value: null, problems: [refusal(path, error)] };
  }
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
