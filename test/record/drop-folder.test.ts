// A folder whose files are imported once, also where they cannot be moved aside.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Problem } from '../../server/base/problem.ts';
import { DropFolder } from '../../server/record/drop-folder.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { EXECUTION } from '../support/stores/snapshots.ts';

let folder = '';
let told: string[] = [];
let stored: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-drop-'));
  mkdirSync(join(folder, 'drop'));
  told = [];
  stored = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function dropFolder(now?: () => number): DropFolder {
  const options = {
    folder: join(folder, 'drop'),
    store: new FolderStore('store', join(folder, 'store')),
    executionOf: () => EXECUTION,
    isInstanceNamed: false,
    metrics: [],
    redaction: { pattern: null, threads: 'all' as const },
    report: (problems: readonly Problem[]) => told.push(...problems.map(({ message }) => message)),
    stored: (_file: string, key: string) => stored.push(key),
  };
  return new DropFolder(options, now);
}

async function looks(drop: DropFolder, times: number): Promise<void> {
  for (let look = 0; look < times; look++) await drop.look();
}

test('what cannot be moved aside is told of, and not taken again before it changes', async () => {
  // A folder stands where the file would go.
  const inTheWay = join(folder, 'drop', 'imported', 'a.txt', 'b');
  mkdirSync(inTheWay, { recursive: true });
  const drop = dropFolder();
  writeFileSync(join(folder, 'drop', 'a.txt'), 'main;com.acme.Shop.run 2\n');
  await looks(drop, 4);
  expect(stored).toHaveLength(1);
  expect(told).toEqual([expect.stringMatching(/^the file cannot be moved aside: EISDIR/)]);
  rmSync(join(folder, 'drop', 'imported'), { recursive: true });
  writeFileSync(join(folder, 'drop', 'a.txt'), 'main;com.acme.Shop.run 3\n');
  await looks(drop, 3);
  expect(stored).toHaveLength(2);
  expect(readdirSync(join(folder, 'drop', 'imported'))).toEqual(['a.txt']);
});

test('nothing is moved through a link, and files that are links are left alone', async () => {
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.txt'), 'kept');
  symlinkSync(outside, join(folder, 'drop', 'imported'));
  symlinkSync(join(outside, 'a.txt'), join(folder, 'drop', 'b.txt'));
  const drop = dropFolder();
  writeFileSync(join(folder, 'drop', 'a.txt'), 'main;com.acme.Shop.run 2\n');
  await looks(drop, 4);
  expect(told).toEqual([expect.stringMatching(/^the file cannot be moved aside: .*imported is a link$/)]);
  expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('kept');
  expect(readdirSync(outside)).toEqual(['a.txt']);
  expect(stored).toHaveLength(1);
});

test('an empty file is left alone until something is written into it', async () => {
  const file = join(folder, 'drop', 'a.txt');
  const drop = dropFolder();
  writeFileSync(file, '');
  await looks(drop, 4);
  expect(readdirSync(join(folder, 'drop'))).toEqual(['a.txt']);
  writeFileSync(file, 'main;com.acme.Shop.run 2\n');
  await looks(drop, 2);
  expect(stored).toHaveLength(1);
  expect(told).toEqual([]);
});

test('a recording that ends in the middle is waited for, and taken as it is when it has not changed for a minute', async () => {
  const whole = readFileSync(join(import.meta.dirname, '../../samples/recordings/shop-v2-jdk17.jfr'));
  const file = join(folder, 'drop', 'a.jfr');
  const half = whole.subarray(0, whole.length >> 1);
  let later = 0;
  const drop = dropFolder(() => Date.now() + later);
  writeFileSync(file, half);
  await looks(drop, 4);
  expect([stored.length, told]).toEqual([0, []]);
  writeFileSync(file, whole);
  await looks(drop, 2);
  expect([stored.length, told]).toEqual([1, []]);
  // Of another recording: the first half of this one was imported with the whole.
  const other = readFileSync(join(import.meta.dirname, '../../samples/recordings/shop-v1-jdk17-a.jfr'));
  writeFileSync(file, other.subarray(0, other.length >> 1));
  // Whatever the clock of the machine says that it comes from.
  const tomorrow = Date.now() / 1000 + 86_400;
  utimesSync(file, tomorrow, tomorrow);
  await looks(drop, 3);
  expect(stored).toHaveLength(1);
  later = 61_000;
  await looks(drop, 1);
  expect(stored).toHaveLength(2);
  expect(told.length).toBeGreaterThan(0);
});

test('a folder that is not there is told of once, and again when it was there meanwhile', async () => {
  rmSync(join(folder, 'drop'), { recursive: true });
  const drop = dropFolder();
  await looks(drop, 3);
  expect(told).toEqual([expect.stringMatching(/^the folder cannot be watched: ENOENT/)]);
  mkdirSync(join(folder, 'drop'));
  await looks(drop, 1);
  rmSync(join(folder, 'drop'), { recursive: true });
  await looks(drop, 2);
  expect(told).toHaveLength(2);
});
