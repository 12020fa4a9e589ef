// Checks stores in buckets of a real engine: the contract, many writers, a storage daemon that dies, rights, work without the engine.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ingestFile } from '../../../server/ingest/read.ts';
import { parseBucketAddress } from '../../../server/store/bucket/address.ts';
import { BucketStore } from '../../../server/store/bucket/bucket-store.ts';
import { DiskCache } from '../../../server/store/bucket/disk-cache.ts';
import { connect } from '../../../server/store/bucket/s3-chunk.ts';
import { loadProfile } from '../../../server/store/load-snapshots.ts';
import { Loader } from '../../../server/workspace/data/loader.ts';
import type { Source } from '../../../server/workspace/data/source.ts';
import { needs } from '../../support/engines/needs.ts';
import {
  ends,
  eventsOf,
  expectSame,
  type Process,
  startRecorder,
  until,
  untilFollowing,
} from '../../support/recorders/recording-shop.ts';
import { growingRepository } from '../../support/recordings/growing-repository.ts';
import { type Ceph, makeBucket, startCeph } from '../../support/stores/ceph.ts';
import { samplesIn, storeContract, windowSnapshot } from '../../support/stores/store-contract.ts';

const BUCKET = 'profiles';
/** A recorder's windows end every second, in which a recording of 2 MB must not come whole. */
const STEP_BYTES = 4_000;
const RECORDING = join(import.meta.dirname, '../../../samples/recordings/shop-v1-jdk17-a.jfr');

needs('ceph', 'buckets of Ceph', engine => {
  let ceph: Ceph;
  let cacheFolder: string;
  let prefixes = 0;

  beforeAll(async () => {
    ceph = await startCeph(engine);
    await makeBucket(ceph);
  });
  afterAll(() => ceph.stop());
  beforeEach(() => {
    cacheFolder = mkdtempSync(join(tmpdir(), 'insitu-cache-'));
    vi.stubEnv('AWS_ACCESS_KEY_ID', ceph.accessKey);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', ceph.secretKey);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(cacheFolder, { recursive: true });
  });

  const client = () =>
    new S3Client({
      endpoint: ceph.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      credentials: { accessKeyId: ceph.accessKey, secretAccessKey: ceph.secretKey },
    });
  const location = (prefix: string, endpoint = ceph.endpoint) =>
    `s3://${BUCKET}/${prefix}?endpoint=${encodeURIComponent(endpoint)}`;
  /** A store with a cache and connections of its own, as another process has them. */
  const open = (prefix: string, cache = join(cacheFolder, String(Math.random())), endpoint = ceph.endpoint) => {
    mkdirSync(cache, { recursive: true });
    const address = parseBucketAddress(location(prefix, endpoint)).value!;
    const disk = new DiskCache({ folder: cache, mostBytes: 64 << 20 });
    return new BucketStore(location(prefix, endpoint), address, async to => connect(to), disk);
  };
  const freshPrefix = () => `team ${++prefixes}/profiles`;

  describe('a bucket', () => {
    storeContract(async () => {
      const prefix = freshPrefix();
      return { store: open(prefix), other: open(prefix) };
    });
  });

  test('objects that are no snapshots, or not what their names say, are told of and left alone', async () => {
    const prefix = freshPrefix();
    const { value: entry } = await open(prefix).put(windowSnapshot(0, 5));
    const folder = `${prefix}/v1/acme/shop/1.4.2/eu-1`;
    const foreign = [
      `${folder}/../../../../../etc/passwd`,
      `${folder}/notes.txt`,
      `${prefix}/v1/acme/shop/1.4.2/eu-1/deeper/1-${'0'.repeat(32)}.cct`,
      `${prefix}/v1/acme/shop/%2e%2e/eu-1/1-${'0'.repeat(32)}.cct`,
    ];
    for (const Key of foreign) await client().send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: 'x' }));
    const forged = `${folder}/1700000000000-${'f'.repeat(32)}.cct`;
    await client().send(new PutObjectCommand({ Bucket: BUCKET, Key: forged, Body: 'no snapshot' }));
    const store = open(prefix);
    const listed = await store.list({});
    expect(listed.value.map(({ hash }) => hash)).toEqual([entry!.hash, 'f'.repeat(32)].sort());
    expect(listed.problems).toMatchObject([{ severity: 'info', message: expect.stringContaining('4 things') }]);
    const read = await store.read({ ...entry!, hash: 'f'.repeat(32), bytes: 11 });
    expect(read.value).toBe(null);
    expect(read.problems[0]!.message).toContain('not what its name says');
  });

  test('a listing goes on over many pages', async () => {
    const prefix = freshPrefix();
    const s3 = client();
    const names = Array.from({ length: 1_234 }, (_, at) => `${1_700_000_000_000 + at}-${'a'.repeat(32)}.cct`);
    for (let from = 0; from < names.length; from += 64) {
      const some = names.slice(from, from + 64);
      await Promise.all(
        some.map(name =>
          s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: `${prefix}/v1/p/q/r/i/${name}`, Body: 'x' })),
        ),
      );
    }
    const { value, problems } = await open(prefix).list({ project: 'p' });
    expect(problems).toEqual([]);
    expect(value.map(({ startMillis }) => startMillis)).toEqual(names.map((_, at) => 1_700_000_000_000 + at));
  });

  test('a stamp changes when snapshots come and go', async () => {
    const prefix = freshPrefix();
    const [writer, reader] = [open(prefix), open(prefix)];
    const empty = await reader.stamp({ project: 'acme' });
    const { value: entry } = await writer.put(windowSnapshot(0, 1));
    const one = await reader.stamp({ project: 'acme' });
    expect(one.text).not.toBe(empty.text);
    expect(await reader.stamp({ project: 'acme' })).toEqual(one);
    await writer.remove(entry!);
    expect(await reader.stamp({ project: 'acme' })).toEqual(empty);
  });

  test('the loading thread tells of news, and reads only what is new', async () => {
    const prefix = freshPrefix();
    const writer = open(prefix);
    await writer.put(windowSnapshot(0, 11));
    vi.stubEnv('XDG_CACHE_HOME', cacheFolder);
    const loader = new Loader();
    const source: Source = {
      wish: { store: location(prefix), project: 'acme', program: 'shop', version: null, root: cacheFolder },
      selection: {},
    };
    try {
      const first = (await loader.load(source, () => {}).result)!;
      expect(first.problems).toEqual([]);
      expect(first.value!.selected.provenance.entries).toHaveLength(1);
      expect((await loader.stamp(source))?.text).toBe(first.stamp);
      await writer.put(windowSnapshot(1, 30));
      expect((await loader.stamp(source))?.text).not.toBe(first.stamp);
      const progress: number[] = [];
      const second = (await loader.load(source, ({ done }) => progress.push(done)).result)!;
      expect(second.value!.selected.provenance.entries).toHaveLength(2);
      expect(second.value!.selected.values.total.count).toContain(41);
      expect(progress).toEqual([2]);
    } finally {
      loader.close();
    }
  });

  test('what was read is there without the engine, and is said to be old', async () => {
    const prefix = freshPrefix();
    const cache = join(cacheFolder, 'kept');
    await open(prefix).put(windowSnapshot(0, 3));
    await open(prefix).put(windowSnapshot(1, 40));
    expect(await samplesIn(open(prefix, cache))).toBe(43);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    // The same bucket at the same address, where nobody listens any more.
    const parts = parseBucketAddress(location(prefix)).value!;
    const unreachable = { ...parts, endpoint: 'http://127.0.0.1:1' };
    const disk = new DiskCache({ folder: cache, mostBytes: 64 << 20 });
    const store = new BucketStore(location(prefix), unreachable, async to => connect(to), disk);
    const { value, problems } = await store.list({});
    expect(value).toHaveLength(2);
    expect(problems).toMatchObject([{ severity: 'warning', message: expect.stringContaining('without the store') }]);
    const read = await Promise.all(value.map(entry => store.read(entry)));
    expect(read.map(({ value: snapshot }) => snapshot!.profile.cells[0]!.count[0])).toEqual([3, 40]);
    expect((await store.put(windowSnapshot(2, 1))).problems).toMatchObject([{ severity: 'error' }]);
  });

  test('another user is refused, and no message or file holds a secret', async () => {
    const prefix = freshPrefix();
    await open(prefix).put(windowSnapshot(0, 3));
    const { accessKey, secretKey } = ceph.addUser('stranger');
    for (const [id, secret] of [
      [accessKey, secretKey],
      [ceph.accessKey, 'wrong-secret-key'],
      ['nobody-knows-this-key', 'wrong-secret-key'],
    ] as const) {
      vi.stubEnv('AWS_ACCESS_KEY_ID', id);
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret);
      const store = open(prefix);
      const outcomes = [await store.list({}), await store.put(windowSnapshot(0, 3))];
      for (const { problems } of outcomes) {
        expect(problems).toMatchObject([{ severity: 'error', remedy: expect.any(String) }]);
        const text = JSON.stringify(problems);
        for (const hidden of [id, secret, ceph.secretKey]) expect(text).not.toContain(hidden);
      }
    }
    for (const file of readdirSync(cacheFolder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const text = readFileSync(join(file.parentPath, file.name), 'latin1');
      for (const hidden of [ceph.accessKey, ceph.secretKey, accessKey, secretKey]) expect(text).not.toContain(hidden);
    }
  });

  test('a storage daemon that dies in the middle of uploads loses and doubles nothing', async () => {
    const prefix = freshPrefix();
    const acknowledged = new Map<string, number>();
    const writers = Array.from({ length: 6 }, () => open(prefix));
    let next = 0;
    let killed: Promise<void> | null = null;
    await Promise.all(
      writers.map(async store => {
        while (next < 60) {
          const at = next++;
          if (at === 15) killed = ceph.killDaemon(1);
          const snapshot = windowSnapshot(at, at + 1);
          let put = await store.put(snapshot);
          if (put.value === null) put = await store.put(snapshot);
          if (put.value !== null) acknowledged.set(put.value.hash, at + 1);
        }
      }),
    );
    expect(killed).not.toBe(null);
    await killed;
    expect(acknowledged.size).toBe(60);
    const wanted = [...acknowledged.values()].reduce((sum, count) => sum + count, 0);
    expect(await samplesIn(open(prefix))).toBe(wanted);
    const { value: listed } = await open(prefix).list({});
    expect(listed.map(({ hash }) => hash).sort()).toEqual([...acknowledged.keys()].sort());
    await ceph.reviveDaemon(1);
    expect(await samplesIn(open(prefix))).toBe(wanted);
  });

  test('a recorder whose uploads meet dying daemons, and who is killed in one of them, loses and doubles nothing', async () => {
    const prefix = freshPrefix();
    const repository = join(cacheFolder, 'repository');
    const jvm = growingRepository(repository, readFileSync(RECORDING));
    jvm.grow(1);
    const started = () =>
      startRecorder(cacheFolder, ['--repository', repository, '--interval', '1s', '--store', location(prefix)]);
    const uploaded = (recorder: Process) => eventsOf(recorder).filter(({ kind }) => kind === 'stored').length;
    let recorder = started();
    try {
      let more = true;
      for (const [windows, then] of [
        [1, () => ceph.killDaemon(2)],
        [3, () => ends(recorder, 'SIGKILL')],
      ] as const) {
        await until(`${windows} windows are stored`, () => {
          more = more && jvm.grow(STEP_BYTES);
          return uploaded(recorder) >= windows;
        });
        await then();
      }
      recorder = started();
      await untilFollowing(recorder);
      while (more) more = jvm.grow(20 * STEP_BYTES);
      await until('the rest is stored', () => uploaded(recorder) > 0);
      await ceph.reviveDaemon(2);
      expect(await ends(recorder)).toBe('0');
    } finally {
      await ends(recorder, 'SIGKILL');
    }
    const { profile } = await ingestFile(RECORDING, { names: 'normalised' });
    const { value, problems } = await loadProfile(open(prefix), { project: 'acme', program: 'shop' });
    expect(problems).toEqual([]);
    expectSame(value!.profile, profile!);
  });
});
