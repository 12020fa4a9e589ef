// Opens the store that a location string names.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../base/problem.ts';
import { parseBucketAddress } from './bucket/address.ts';
import { BucketStore } from './bucket/bucket-store.ts';
import { cacheSettings, DiskCache } from './bucket/disk-cache.ts';
import { FolderStore } from './folder-store.ts';
import type { Store } from './store.ts';

/** Buckets that are open: their connections, and what was listed and read lately, are used again. */
const buckets = new Map<string, BucketStore>();
const MOST_BUCKETS = 16;

/**
 * A folder path, a `file:` address, or a bucket as `s3://bucket/prefix?endpoint=…&region=…&pathStyle=…`; other schemes are refused
 * with a problem. Nothing on disk is touched, and no server is asked, until the store is used.
 */
export function openStore(location: string): Outcome<Store | null> {
  const refuse = (message: string, remedy: string): Outcome<null> => ({
    value: null,
    problems: [{ severity: 'error', message, file: location, remedy }],
  });
  if (location.trim() === '' || location.includes('\0')) {
    return refuse('this names no store', 'give the path of a folder');
  }
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1]?.toLowerCase();
  if (scheme === undefined) return { value: new FolderStore(location, resolve(location)), problems: [] };
  if (scheme === 's3') return openBucket(location);
  if (scheme !== 'file') {
    return refuse(`there are no stores of the kind ${scheme}://`, 'give the path of a folder, or s3://bucket/prefix');
  }
  try {
    return { value: new FolderStore(location, fileURLToPath(location)), problems: [] };
  } catch {
    return refuse('this file: address names no folder on this machine', 'give the path of a folder');
  }
}

function openBucket(location: string): Outcome<Store | null> {
  const known = buckets.get(location);
  if (known !== undefined) return { value: known, problems: [] };
  const { value: address, problems } = parseBucketAddress(location);
  if (address === null) return { value: null, problems };
  // The code that speaks to a bucket is loaded only for a bucket.
  const connect: ConstructorParameters<typeof BucketStore>[2] = async to =>
    (await import('./bucket/s3-chunk.ts')).connect(to);
  const store = new BucketStore(location, address, connect, new DiskCache(cacheSettings(process.env)));
  if (buckets.size >= MOST_BUCKETS) buckets.clear();
  buckets.set(location, store);
  return { value: store, problems };
}
