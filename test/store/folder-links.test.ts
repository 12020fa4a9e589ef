// Links and special files in a folder store: nothing behind a link is listed, written or removed, nothing hangs, and each is named.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MOST_FILE_BYTES } from '../../server/snapshot/format.ts';
import { fileProblem } from '../../server/store/file-problem.ts';
import { openStore } from '../../server/store/open-store.ts';
import type { Store, StoreEntry } from '../../server/store/store.ts';
import { makeFolders } from '../../server/store/way-down.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { EXECUTION, snapshotOf } from '../support/stores/snapshots.ts';

const SNAPSHOT = snapshotOf(profileOfText('Main.main | 1@3'));

let root = '';
let outside = '';
let store: Store;
let entry: StoreEntry;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'insitu-store-'));
  outside = mkdtempSync(join(tmpdir(), 'insitu-outside-'));
  store = openStore(root).value!;
  entry = (await store.put(SNAPSHOT)).value!;
});
afterEach(() => {
  rmSync(root, { recursive: true });
  rmSync(outside, { recursive: true });
});

/** Moves a part of the store out of it and leaves a link in its place. */
function moveOut(path: string): string {
  const [inside, there] = [join(root, path), join(outside, 'moved')];
  renameSync(inside, there);
  symlinkSync(there, inside);
  return inside;
}

const LEVELS = ['v1', 'v1/acme', 'v1/acme/shop', 'v1/acme/shop/1.4.2', 'v1/acme/shop/1.4.2/eu-1'];

describe.each(LEVELS)('a store in which %s is a link', level => {
  test.each([{}, { project: 'acme' }, EXECUTION])('is not followed, and named: %o', async filter => {
    const link = moveOut(level);
    const { value, problems } = await store.list(filter);
    expect(value).toEqual([]);
    expect(problems).toMatchObject([
      { severity: 'warning', file: link, message: expect.stringContaining('symbolic link') },
    ]);
  });

  test('loses nothing behind it, and gets nothing there', async () => {
    const link = moveOut(level);
    const before = readdirSync(outside, { recursive: true });
    const left = join(root, dirname(entry.key), '.11111111-1111-4111-8111-111111111111.tmp');
    writeFileSync(left, 'half');
    utimesSync(left, 1, 1);
    const { value, problems } = await store.remove(entry);
    expect(value).toBe(false);
    expect(problems).toMatchObject([
      { severity: 'error', file: link, message: expect.stringContaining('symbolic link') },
    ]);
    const other = await store.put(snapshotOf(profileOfText('Main.main | 7@3')));
    expect(other.value).toBe(null);
    expect(other.problems).toMatchObject([{ severity: 'error', file: link }]);
    expect((await store.live!.put(SNAPSHOT)).value).toBe(null);
    expect((await store.live!.remove(EXECUTION, SNAPSHOT.header.startMillis)).value).toBe(false);
    expect(readdirSync(outside, { recursive: true })).toHaveLength(before.length + 1);
    expect(existsSync(left)).toBe(true);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });
});

test('the root itself may be a link', async () => {
  const link = join(outside, 'store');
  symlinkSync(root, link);
  const linked = openStore(link).value!;
  expect(await linked.list({})).toEqual({ value: [entry], problems: [] });
  expect((await linked.put(SNAPSHOT)).problems).toEqual([]);
  expect((await linked.remove(entry)).value).toBe(true);
});

test('a root that is a link to nowhere, or to itself, is called so', async () => {
  symlinkSync('nowhere', join(outside, 'dangling'));
  symlinkSync('loop', join(outside, 'loop'));
  for (const [name, why] of [
    ['dangling', 'a link that leads nowhere'],
    ['loop', 'a link that leads back to itself'],
  ]) {
    const path = join(outside, name!);
    const broken = openStore(path).value!;
    for (const { problems } of [await broken.list({}), await broken.put(SNAPSHOT)])
      expect(problems).toMatchObject([
        { severity: 'error', message: expect.stringContaining(why!), file: expect.stringContaining(path) },
      ]);
  }
  expect(existsSync(join(outside, 'nowhere'))).toBe(false);
});

test('files that are links are left alone: their targets are neither read nor removed', async () => {
  const file = join(root, entry.key);
  renameSync(file, join(outside, 'target.cct'));
  symlinkSync(join(outside, 'target.cct'), file);
  const { value, problems } = await store.list({});
  expect(value).toEqual([]);
  expect(problems).toMatchObject([{ severity: 'warning', file }]);
  await store.remove(entry);
  expect(existsSync(join(outside, 'target.cct'))).toBe(true);
});

test('many links in a folder are one problem', async () => {
  for (let i = 0; i < 30; i++) symlinkSync(outside, join(root, `v1/acme/link-${i}`));
  const { value, problems } = await store.list({});
  expect(value).toEqual([entry]);
  expect(problems).toMatchObject([{ message: expect.stringContaining('and 29 more beside it') }]);
});

test('a pipe, a device or a file without end in place of a snapshot is reported, and no process waits', async () => {
  const file = join(root, entry.key);
  for (const [make, why] of [
    [() => spawnSync('mkfifo', [file]), 'a pipe or a device'],
    [() => symlinkSync('/dev/zero', file), 'a pipe or a device'],
    [() => symlinkSync(basename(file), file), 'leads back to itself'],
  ] as const) {
    rmSync(file);
    make();
    for (const read of [store.read(entry), store.readHeader(entry), store.readMethods(entry), store.readBytes(entry)]) {
      const { value, problems } = await read;
      expect(value).toBe(null);
      expect(problems).toMatchObject([{ severity: 'error', file, message: expect.stringContaining(why) }]);
    }
  }
  rmSync(file);
  writeFileSync(file, '');
  truncateSync(file, MOST_FILE_BYTES + 1);
  expect((await store.read(entry)).problems[0]!.message).toContain('larger than 1 GiB');
});

describe('folders are made one by one', () => {
  const failing = (code: string, from: string) => async (path: string) => {
    if (path === from) throw Object.assign(new Error(`${code}: ${path}`), { code });
    await mkdir(path);
  };

  // Node.js makes a missing folder of a read-only file system of this, where it is to make the folders above as well.
  test.each([
    ['EROFS', 'the file system is read-only'],
    ['EACCES', 'permission is denied'],
    ['ENOSPC', 'the disk is full'],
  ])('%s is what is told', async (code, why) => {
    for (const from of [join(outside, 'a'), join(outside, 'a/b/v1')]) {
      const made = makeFolders(join(outside, 'a/b'), ['v1', 'acme'], failing(code, from));
      const error = await made.catch((reason: unknown) => reason);
      expect(fileProblem('it cannot be stored', root, error).message).toBe(`it cannot be stored: ${why}`);
    }
  });

  test('the faster process does no harm', async () => {
    await makeFolders(join(outside, 'a'), ['v1', 'acme'], async path => {
      mkdirSync(path);
      await mkdir(path);
    });
    expect(existsSync(join(outside, 'a/v1/acme'))).toBe(true);
  });
});
