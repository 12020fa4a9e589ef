// Keeps a source index on disk between starts; a cache that cannot be read or written costs time, never an answer.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeWhole } from '../base/kept-files.ts';
import { readRegular } from '../base/regular-file.ts';
import type { FoundFile } from './source-walk.ts';

/** One indexed file. `types` are the binary names of its top-level types. */
export type IndexedFile = FoundFile & { readonly packageName: string; readonly types: readonly string[] };

const VERSION = 2;
/** Some hundred bytes for each of the most files that are indexed. */
const MOST_BYTES = 256 * 2 ** 20;

/** Files of a cache by path; empty when there is none, or it is of another version or damaged. */
export function readCache(cacheFile: string): Map<string, IndexedFile> {
  const files = new Map<string, IndexedFile>();
  try {
    const cache: unknown = JSON.parse(readRegular(cacheFile, MOST_BYTES).toString('utf8'));
    if (!isRecord(cache) || cache.version !== VERSION || !Array.isArray(cache.files)) return files;
    for (const entry of cache.files) {
      const file = toFile(entry);
      if (file !== null) files.set(file.path, file);
    }
  } catch {
    return new Map();
  }
  return files;
}

/** Writes the cache under a temporary name first, so that a reader never sees half of it. */
export function writeCache(cacheFile: string, files: Iterable<IndexedFile>): void {
  const rows = Array.from(files, file => [file.path, file.size, file.modifiedMs, file.packageName, file.types]);
  try {
    mkdirSync(dirname(cacheFile), { recursive: true });
    writeWhole(cacheFile, [JSON.stringify({ version: VERSION, files: rows })]);
  } catch {
    // The next start takes longer.
  }
}

function toFile(entry: unknown): IndexedFile | null {
  if (!Array.isArray(entry)) return null;
  const [path, size, modifiedMs, packageName, types]: unknown[] = entry;
  if (typeof path !== 'string' || typeof size !== 'number' || typeof modifiedMs !== 'number') return null;
  if (typeof packageName !== 'string' || !Array.isArray(types)) return null;
  return { path, size, modifiedMs, packageName, types: types.filter(type => typeof type === 'string') };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
