// Checks how stores that are asked over the net are watched: what is told of them, and that an old answer says nothing.
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { WatchedPlace } from '../../../server/base/file-stamp.ts';
import { bucketPlace, watchBuckets } from '../../../server/workspace/data/bucket-watch.ts';
import { projectFolder } from '../../../server/workspace/data/store-watch.ts';

const WAIT = { timeout: 30_000 };
const AT_ONCE = { everyMillis: 1, lagMillis: 0, againMillis: 1 };

test('a bucket is named by address and project, and is no folder', () => {
  const source = { store: 's3://profiles/a?endpoint=http://127.0.0.1:9', project: 'shop' };
  expect(projectFolder(source)).toBe(null);
  expect(JSON.parse(bucketPlace(source)!)).toEqual([source.store, 'shop']);
  expect(bucketPlace({ ...source, files: ['/tmp/x.jfr'] })).toBe(null);
  expect(bucketPlace({ ...source, store: '/tmp/store' })).toBe(null);
});

const said = (text: string | null) => (text === null ? null : { text, nextMillis: null });

test('a stamp that differs from the one that was read is told of; none that is not known', async () => {
  const stop = new AbortController();
  const told: string[][] = [];
  let asked = 0;
  const stamps = ['one', null, 'one', 'two'];
  const stamp = async () => said(stamps[Math.min(asked++, 3)] ?? null);
  await watchBuckets(
    () => [{ path: 'b', stamp: 'one' }],
    paths => {
      told.push([...paths, `${asked}`]);
      stop.abort();
    },
    { ...AT_ONCE, stamp },
    stop.signal,
  );
  expect(told).toEqual([['b', '4']]);
});

test('of what is being read the last answer is what a new one is compared with, and a failure is no answer', async () => {
  const stop = new AbortController();
  const told: number[] = [];
  let asked = 0;
  const answers = ['one', 'one', 'fails', 'one', 'two', 'two'];
  const stamp = async () => {
    const answer = answers[asked++];
    if (answer === undefined) stop.abort();
    if (answer === 'fails') throw new Error('nobody answers');
    return said(answer ?? 'two');
  };
  const places: WatchedPlace[] = [{ path: 'b', stamp: null }];
  await watchBuckets(
    () => places,
    () => told.push(asked),
    { ...AT_ONCE, stamp },
    stop.signal,
  );
  expect(told).toEqual([5]);
});

test('each bucket is asked once a round, however many sources are read of it', async () => {
  const stop = new AbortController();
  const asked: string[] = [];
  const stamp = async (path: string) => {
    asked.push(path);
    if (asked.length === 4) stop.abort();
    return said('one');
  };
  const watched = () => ['a', 'a', 'b'].map(path => ({ path, stamp: 'one' }));
  await watchBuckets(watched, () => {}, { ...AT_ONCE, stamp }, stop.signal);
  expect(asked).toEqual(['a', 'b', 'a', 'b']);
});

test('a bucket is left alone until it is time', async () => {
  const stop = new AbortController();
  let asked = 0;
  const stamp = async () => {
    asked++;
    return said('one');
  };
  const look = { everyMillis: 3_600_000, lagMillis: 1_800_000, againMillis: 60_000, stamp };
  const watching = watchBuckets(
    () => [{ path: 'b', stamp: 'one' }],
    () => {},
    look,
    stop.signal,
  );
  await wait(20);
  stop.abort();
  await watching;
  expect(asked).toBe(0);
});

test('a bucket is asked when a window ends that an answer foresees', async () => {
  const stop = new AbortController();
  const asked: number[] = [];
  const stamp = async () => {
    asked.push(Date.now());
    if (asked.length === 2) stop.abort();
    return { text: 'one', nextMillis: Date.now() + 100 };
  };
  // Nothing else would make it ask again before an hour has passed.
  const look = { everyMillis: 3_600_000, lagMillis: 0, againMillis: 1, stamp };
  const watched = () => [{ path: 'b', stamp: 'one' }];
  await watchBuckets(watched, () => {}, look, stop.signal);
  expect(asked[1]! - asked[0]!).toBeGreaterThanOrEqual(99);
});

test('an answer from before the data were read anew says nothing about them', async () => {
  const stop = new AbortController();
  let asked = 0;
  let stamp = 'one';
  const told: string[] = [];
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const watching = watchBuckets(
    () => [{ path: 'b', stamp }],
    () => told.push(stamp),
    { ...AT_ONCE, stamp: async () => said(await answers[Math.min(asked++, 1)]!.promise) },
    stop.signal,
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
