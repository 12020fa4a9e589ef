// Checks how stores that are asked over the net are watched: less often than folders, and told of like them.
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bucketPlace, projectFolder, watchStores } from '../../server/workspace/data/store-watch.ts';

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

test('a bucket is asked less often than folders are looked at', async () => {
  const stop = new AbortController();
  let [looks, asked] = [0, 0];
  const watching = watchStores(
    () => {
      looks++;
      return { folders: [], files: [], buckets: [{ path: 'b', stamp: 'one' }] };
    },
    () => {},
    1,
    stop.signal,
    {
      everyMillis: 3_600_000,
      stamp: async () => {
        asked++;
        return 'one';
      },
    },
  );
  while (looks < 5) await wait(1);
  stop.abort();
  await watching;
  expect(asked).toBe(1);
});
