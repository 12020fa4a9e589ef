// JVMs that start between two looks are seen by the files of their performance data, also when they have ended by then.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PerfWatch } from '../../server/record/perf-watch.ts';

const WAIT = { timeout: 30_000, interval: 10 };

let folder = '';
let came: (readonly [number, boolean])[] = [];
let watching: PerfWatch;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-perf-watch-'));
  came = [];
  mkdirSync(join(folder, 'hsperfdata_shop'));
  // One that runs already.
  write('4711');
  watching = watchOf(process.geteuid!());
});

afterEach(() => {
  watching.close();
  rmSync(folder, { recursive: true, force: true });
});

const path = (name: string, user = 'shop') => join(folder, `hsperfdata_${user}`, name);
const write = (name: string) => writeFileSync(path(name), '');
const watchOf = (user: number) =>
  new PerfWatch({ temporary: folder, user, came: (pid, isGone) => came.push([pid, isGone]) });

test('one that starts is told of once', async () => {
  write('4712');
  await vi.waitFor(() => expect(came).toEqual([[4712, false]]), WAIT);
  write('4712');
  rmSync(path('4712'));
  rmSync(path('4711'));
  write('no process');
  write('4713');
  await vi.waitFor(() => expect(came.at(-1)).toEqual([4713, false]), WAIT);
  expect(came).toHaveLength(2);
});

test('one that has ended before anything could look is told of as gone', async () => {
  write('4712');
  rmSync(path('4712'));
  await vi.waitFor(() => expect(came).toContainEqual([4712, true]), WAIT);
  expect(came).not.toContainEqual([4712, false]);
});

test('a folder that comes later is watched from the next look on, and no link is followed', async () => {
  mkdirSync(path('', 'other'));
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), path('', 'link'));
  // The folder's time of change may be coarse.
  await pause(20);
  watching.look();
  writeFileSync(join(folder, 'elsewhere', '1'), '');
  writeFileSync(path('2', 'other'), '');
  await vi.waitFor(() => expect(came).toEqual([[2, false]]), WAIT);
});

test('folders of other users are watched by root alone', async () => {
  watching.close();
  watching = watchOf(process.geteuid!() + 1);
  const root = new PerfWatch({ temporary: folder, user: 0, came: pid => came.push([pid, false]) });
  write('4712');
  await vi.waitFor(() => expect(came).toEqual([[4712, false]]), WAIT);
  root.close();
});
