// Reads single small files out of a jar: what a program says about its own version.
import { closeSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { openRegular, readWhole } from '../base/regular-file.ts';

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;
/** Manifests and property files are far smaller. */
const MOST_BYTES = 1 << 20;
const MOST_DIRECTORY_BYTES = 64 << 20;

/** The texts of the wanted entries that the jar has, by name; empty for what is no jar. Of an entry that is too large the text is empty. */
export function readJar(path: string, wanted: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let descriptor = -1;
  try {
    const opened = openRegular(path);
    descriptor = opened.descriptor;
    const directory = directoryOf(descriptor, opened.about.size);
    for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE; ) {
      const nameBytes = directory.readUInt16LE(at + 28);
      const name = directory.toString('utf8', at + 46, at + 46 + nameBytes);
      if (wanted.includes(name)) texts.set(name, entryText(descriptor, directory, at) ?? '');
      at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    }
  } catch {
    // Cut off, or no jar: what was found so far is all there is.
  } finally {
    if (descriptor >= 0) closeSync(descriptor);
  }
  return texts;
}

function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readWhole(descriptor, bytes, position));
}

function directoryOf(descriptor: number, size: number): Buffer {
  const start = Math.max(0, size - END_BYTES - LONGEST_COMMENT);
  const tail = bytesAt(descriptor, start, size - start);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    const length = Math.min(tail.readUInt32LE(at + 12), MOST_DIRECTORY_BYTES);
    return bytesAt(descriptor, tail.readUInt32LE(at + 16), length);
  }
  return Buffer.alloc(0);
}

function entryText(descriptor: number, directory: Buffer, at: number): string | null {
  const method = directory.readUInt16LE(at + 10);
  const [packed, unpacked] = [directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 24)];
  if (packed > MOST_BYTES || unpacked > MOST_BYTES) return null;
  const local = directory.readUInt32LE(at + 42);
  const head = bytesAt(descriptor, local, 30);
  const body = bytesAt(descriptor, local + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), packed);
  if (method === STORED) return body.toString('utf8');
  return method === DEFLATED ? inflateRawSync(body, { maxOutputLength: MOST_BYTES }).toString('utf8') : null;
}
