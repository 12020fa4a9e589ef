// Checks how stores that are asked over the net are watched: less often than folders, and told of like them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { bucketPlace, projectFolder, watchStores } from '../../server/workspace/data/store-watch.ts';

const WAIT = { timeout: 30_000 };
vi.setConfig({ testTimeout: 120_000 });

afterEach(() => {
  vi.restoreAllMocks();
});

test('a bucket is named by address and project, and is no folder', () => {
  const source = { store: 's3://profiles/a?endpoint=http://127.0.0.1:9', project: 'shop' };
  expect(projectFolder(source)).toBe(null);
  expect(JSON.parse(bucketPlace(source)!)).toEqual([source.store, 'shop']);
  expect(bucketPlace({ ...source, file: '/tmp/x.jfr' })).toBe(null);
  expect(bucketPlace({ ...source, store: '/tmp/store' })).toBe(null);
});

test('a stamp that differs from the one that was read is told of; none that is not known', async () => {
  const stop = new AbortController();
  const told: string[][] = [];
  let asked = 0;
  const stamps = ['one', null, 'one', 'two'];
  const watching = watchStores(
    () => ({ folders: [], files: [], buckets: [{ path: 'b', stamp: 'one' }] }),
    ({ folders }) => {
      told.push([...folders, `${asked}`]);
      stop.abort();
    },
    1,
    stop.signal,
    { everyMillis: 1, stamp: async () => stamps[Math.min(asked++, 3)] ?? null },
  );
  await watching;
  expect(told).toEqual([['b', '4']]);
});

/** Watches one bucket and nothing else, every millisecond; the bucket may be asked each `everyMillis`. */
function watchBucket(everyMillis: number, stamp: () => Promise<string | null>) {
  const stop = new AbortController();
  let looks = 0;
  const look = () => {
    looks++;
    return { folders: [], files: [], buckets: [{ path: 'b', stamp: 'one' }] };
  };
  const watching = watchStores(look, () => {}, 1, stop.signal, { everyMillis, stamp });
  const end = () => {
    stop.abort();
    return watching;
  };
  return { looks: () => looks, end };
}

test('a bucket is asked less often than folders are looked at', async () => {
  let asked = 0;
  const { looks, end } = watchBucket(3_600_000, async () => {
    asked++;
    return 'one';
  });
  while (looks() < 5) await wait(1);
  await end();
  expect(asked).toBe(1);
});

test('a bucket that does not answer keeps nothing else from being looked at', async () => {
  const root = await mkdtemp(join(tmpdir(), 'insitu-bucket-'));
  const file = join(root, 'insitu.json');
  const stop = new AbortController();
  const told: string[] = [];
  let looks = 0;
  const { promise: never, resolve } = Promise.withResolvers<string | null>();
  const watching = watchStores(
    () => {
      looks++;
      return { folders: [], files: [{ path: file, stamp: null }], buckets: [{ path: 'b', stamp: 'one' }] };
    },
    ({ folders, files }) => told.push(...folders, ...files),
    1,
    stop.signal,
    { everyMillis: 1, stamp: () => never },
  );
  await vi.waitFor(() => expect(looks).toBeGreaterThan(2), WAIT);
  await writeFile(file, '{}');
  await vi.waitFor(() => expect(told).toContain(file), WAIT);
  expect(told).not.toContain('b');
  resolve('two');
  await vi.waitFor(() => expect(told).toContain('b'), WAIT);
  stop.abort();
  await watching;
  await rm(root, { recursive: true });
});

test('a bucket is asked again in time, however long the answer took', async () => {
  let now = 1;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let [asked, took] = [0, 0];
  const { looks, end } = watchBucket(30_000, async () => {
    asked++;
    now += took;
    throw new Error('nobody answers');
  });
  const isAsked = async (times: number) => {
    await vi.waitFor(() => expect(asked).toBe(times), WAIT);
    const before = looks();
    // Answers are looked at before the clock goes on.
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(before + 1), WAIT);
    expect(asked).toBe(times);
  };
  took = 12_000;
  await isAsked(1);
  now = 30_001;
  took = 600_000;
  await isAsked(2);
  now += 30_000;
  await isAsked(3);
  await end();
});

test('an answer from before the data were read anew says nothing about them', async () => {
  const stop = new AbortController();
  let asked = 0;
  let stamp = 'one';
  const told: string[] = [];
  const answers = [Promise.withResolvers<string | null>(), Promise.withResolvers<string | null>()];
  const watching = watchStores(
    () => ({ folders: [], files: [], buckets: [{ path: 'b', stamp }] }),
    () => told.push(stamp),
    1,
    stop.signal,
    { everyMillis: 1, stamp: () => answers[Math.min(asked++, 1)]!.promise },
  );
  await vi.waitFor(() => expect(asked).toBe(1), WAIT);
  stamp = 'two';
  answers[0]!.resolve('between');
  await vi.waitFor(() => expect(asked).toBe(2), WAIT);
  expect(told).toEqual([]);
  answers[1]!.resolve('three');
  await vi.waitFor(() => expect(told).toContain('two'), WAIT);
  stop.abort();
  await watching;
});
