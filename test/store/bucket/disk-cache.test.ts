// Checks the cache of what was read from buckets: its limit, who may look into it, and that nothing in it is believed.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeSnapshot } from '../../../server/snapshot/encode.ts';
import { BucketStore } from '../../../server/store/bucket/bucket-store.ts';
import { cacheSettings, DiskCache } from '../../../server/store/bucket/disk-cache.ts';
import type { Objects } from '../../../server/store/bucket/objects.ts';
import { windowSnapshot } from '../../support/stores/store-contract.ts';

let folder: string;
let cache: DiskCache;
const name = (number: number) => `${String(number).padStart(32, '0')}.cct`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-cache-'));
  cache = new DiskCache({ folder: join(folder, 'cache'), mostBytes: 10_000 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const kept = () => readdirSync(join(folder, 'cache')).sort();

test('what was used least lately goes when there is too much', async () => {
  for (let number = 0; number < 10; number++) {
    await cache.put(name(number), new Uint8Array(1_000));
    utimesSync(join(folder, 'cache', name(number)), number, number);
  }
  expect(kept()).toHaveLength(10);
  expect(await cache.get(name(0))).toHaveLength(1_000);
  await cache.put(name(10), new Uint8Array(1_000));
  expect(kept()).toEqual([0, 3, 4, 5, 6, 7, 8, 9, 10].map(name));
  await cache.put(name(11), new Uint8Array(5_000));
  expect(kept()).not.toContain(name(11));
});

test('nobody else may look into it', async () => {
  mkdirSync(join(folder, 'cache'));
  chmodSync(join(folder, 'cache'), 0o777);
  await cache.put(name(1), new Uint8Array(10));
  expect(statSync(join(folder, 'cache')).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'cache', name(1))).mode & 0o777).toBe(0o600);
});

test('a link in its place, names that are no hashes, and no room at all are left alone', async () => {
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'cache'));
  await cache.put(name(1), new Uint8Array(10));
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
  const other = new DiskCache({ folder: join(folder, 'other'), mostBytes: 1_000 });
  for (const odd of ['../x.cct', 'x', '', `${'0'.repeat(32)}.exe`]) {
    await other.put(odd, new Uint8Array(10));
    expect(await other.get(odd)).toBe(null);
    expect(await other.has(odd)).toBe(false);
  }
  expect(existsSync(join(folder, 'x.cct'))).toBe(false);
  const none = new DiskCache({ folder: join(folder, 'none'), mostBytes: 0 });
  await none.put(name(1), new Uint8Array(10));
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

test('its place and size come from the environment', () => {
  const settings = cacheSettings({ XDG_CACHE_HOME: '/caches', INSITU_CACHE_MB: '3' });
  expect(settings).toEqual({ folder: join('/caches', 'insitu', 'bucket'), mostBytes: 3 << 20 });
  expect(cacheSettings({ INSITU_CACHE_MB: 'lots' }).mostBytes).toBe(512 << 20);
});

test('a snapshot is read from the bucket once, and again when what is kept was changed', async () => {
  const snapshot = windowSnapshot(0, 3);
  const bytes = encodeSnapshot(snapshot);
  let gets = 0;
  const objects: Objects = {
    list: async () => ({ objects: [], next: null }),
    get: async () => {
      gets++;
      return bytes;
    },
    putIfAbsent: async () => 'stored',
    remove: async () => undefined,
    storedMillis: async () => 0,
  };
  const address = { bucket: 'b', prefix: '', endpoint: null, region: null, pathStyle: null };
  const open = () => new BucketStore('s3://b', address, async () => objects, cache);
  const { value: entry } = await open().put(bytes);
  for (let time = 0; time < 3; time++) expect((await open().read(entry!)).value!.header).toEqual(snapshot.header);
  expect((await open().readHeader(entry!)).value!.header).toEqual(snapshot.header);
  expect(gets).toBe(1);
  writeFileSync(join(folder, 'cache', `${entry!.hash}.cct`), bytes.slice(0, -1));
  expect((await open().read(entry!)).value!.header).toEqual(snapshot.header);
  expect(gets).toBe(2);
});
