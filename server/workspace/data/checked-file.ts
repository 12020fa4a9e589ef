// Files of the user's cache that are whole or nothing: written under another name first, and checked by a sum when they are read.
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';

/** The sum stands in front of what is kept: a multiple of what columns are aligned to. */
export const CHECK_BYTES = 8;

/** The file with its sum, in a buffer of its own, which can move to another thread; null where there is none, or it is damaged. */
export function readChecked(path: string, mostBytes = Number.POSITIVE_INFINITY): Uint8Array<ArrayBuffer> | null {
  try {
    if (mostBytes !== Number.POSITIVE_INFINITY && statSync(path).size > mostBytes) return null;
    const bytes = ownBuffer(readFileSync(path));
    if (bytes.length <= CHECK_BYTES || crc32(bytes.subarray(CHECK_BYTES)) !== checkOf(bytes)) return null;
    const now = new Date();
    utimesSync(path, now, now);
    return bytes;
  } catch {
    // Never kept, or gone.
    return null;
  }
}

/** Small files are read into a buffer that others share. */
function ownBuffer(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return file.byteLength === file.buffer.byteLength ? new Uint8Array(file.buffer) : new Uint8Array(file);
}

function checkOf(bytes: Uint8Array<ArrayBuffer>): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}

/** Writes the file, readable by its user alone. Throws where its folder cannot be written to. */
export function writeChecked(path: string, body: Uint8Array): void {
  const fresh = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const check = new DataView(new ArrayBuffer(CHECK_BYTES));
  check.setUint32(0, crc32(body), true);
  writeFileSync(fresh, Buffer.concat([new Uint8Array(check.buffer), body]), { mode: 0o600 });
  renameSync(fresh, path);
}

/** Leaves those used last of the files whose names end so. What a killed process left half written goes as well. */
export function tidyFiles(folder: string, ending: string, most: number): void {
  const files = globSync(`*${ending}*`, { cwd: folder }).map(name => {
    const path = join(folder, name);
    return { path, millis: statSync(path).mtimeMs };
  });
  files.sort((a, b) => b.millis - a.millis);
  for (const { path } of files.slice(most)) rmSync(path, { force: true });
}
