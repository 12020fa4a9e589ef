// Compaction and removal of old snapshots on the command line: what they do, say, and refuse.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../server/store/open-store.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { asNobody } from '../../support/recorders/nobody.ts';
import { samplesIn, windowSnapshot } from '../../support/stores/store-contract.ts';

let folder = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-upkeep-'));
  for (let minute = 0; minute < 30; minute++) await openStore(folder).value!.put(windowSnapshot(minute, 1));
});
afterEach(() => rmSync(folder, { recursive: true }));

const filesIn = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.cct'));
const run = (...args: string[]) => insitu(...args, '--store', folder, '--project', 'acme');

test('compact makes one of many, and removes the many when their time has come', async () => {
  const dry = await run('compact', '--dry-run');
  expect(dry).toMatchObject({ status: 0, out: expect.stringContaining('30 snapshots would become 1;') });
  expect(filesIn()).toHaveLength(30);
  expect(await run('compact')).toMatchObject({ status: 0, out: expect.stringContaining('30 snapshots became 1 (') });
  expect(filesIn()).toHaveLength(31);
  expect(await samplesIn(openStore(folder).value!)).toBe(30);
  expect((await run('compact')).out).toContain('0 snapshots became 0');
  const long = new Date(Date.now() - 3_600_000);
  for (const file of filesIn()) utimesSync(join(folder, file), long, long);
  expect(JSON.parse((await run('compact', '--json')).out)).toMatchObject({ merged: 0, removed: 30 });
  expect(filesIn()).toHaveLength(1);
  const store = openStore(folder).value!;
  expect(await samplesIn(store)).toBe(30);
  const [entry] = (await store.list({})).value;
  const { value } = await store.readHeader(entry!);
  expect(value!.header.replaces).toHaveLength(30);
  // From 22:13 to 22:43, in tens of minutes of the clock.
  expect(value!.windows).toHaveLength(4);
});

test('levels and grace that mean nothing are refused', async () => {
  for (const args of [
    ['--level', 'yesterday'],
    ['--level', '1d=0h'],
    ['--grace', '5'],
    ['--grace', '30s'],
  ]) {
    const { status, err } = await run('compact', ...args);
    expect([args, status]).toEqual([args, 2]);
    expect(err).not.toMatch(/\n\s+at /);
  }
});

test('executions --delete removes what is older, after saying so', async () => {
  expect((await run('executions', '--delete')).status).toBe(2);
  expect((await run('executions', '--delete', '--older-than', 'ages')).status).toBe(2);
  for (const more of [['--older-than', '1h'], ['--dry-run']])
    expect(await run('executions', ...more)).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringContaining('add --delete'),
    });
  const old = JSON.parse((await run('executions', '--delete', '--older-than', '1h', '--dry-run', '--json')).out);
  expect(old).toHaveLength(1);
  expect(old).toEqual(JSON.parse((await run('executions', '--json')).out).rows);
  await openStore(folder).value!.put(windowSnapshot(Math.floor((Date.now() - 1_700_000_000_000) / 60_000) - 5, 100));
  const dry = await run('executions', '--delete', '--older-than', '1h', '--dry-run');
  expect(dry).toMatchObject({
    status: 0,
    out: expect.stringContaining('30 snapshots of 1 execution would be removed'),
  });
  expect(filesIn()).toHaveLength(31);
  const none = await run('executions', '--delete', '--older-than', '1h', '--instance', 'another');
  expect(none.out).toContain('0 snapshots');
  const done = await run('executions', '--delete', '--older-than', '1h');
  expect(done).toMatchObject({ status: 0, out: expect.stringContaining('30 snapshots of 1 execution were removed') });
  expect(filesIn()).toHaveLength(1);
  expect(await samplesIn(openStore(folder).value!)).toBe(100);
});

describe('what lies behind a link in the store', () => {
  let outside = '';
  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), 'insitu-outside-'));
  });
  afterEach(() => rmSync(outside, { recursive: true }));

  test.each(['v1/acme', 'v1/acme/shop/1/eu-1'])('is never removed nor compacted: %s', async level => {
    const folders = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isDirectory());
    const deepest = folders.map(each => join(each.parentPath, each.name)).sort((a, b) => b.length - a.length)[0]!;
    const link = join(
      folder,
      ...deepest
        .slice(folder.length + 1)
        .split('/')
        .slice(0, level.split('/').length),
    );
    renameSync(link, join(outside, 'moved'));
    symlinkSync(join(outside, 'moved'), link);
    const before = readdirSync(outside, { recursive: true });
    expect(before.length).toBeGreaterThan(30);
    const named = `warning: ${link}: a symbolic link in a store is not followed`;
    const removed = await run('executions', '--delete', '--older-than', '1h');
    expect(removed).toMatchObject({
      status: 0,
      out: expect.stringContaining('0 snapshots'),
      err: expect.stringContaining(named),
    });
    for (const grace of ['2m', '1h']) {
      const compacted = await run('compact', '--grace', grace);
      expect(compacted.out).toContain('0 snapshots became 0');
      expect(compacted.err).toContain(named);
    }
    expect(readdirSync(outside, { recursive: true })).toEqual(before);
  });

  test('stays where a linked file had its name, and the store itself may be a link', async () => {
    const [name] = filesIn();
    renameSync(join(folder, name!), join(outside, 'target.cct'));
    symlinkSync(join(outside, 'target.cct'), join(folder, name!));
    const link = join(outside, 'store');
    symlinkSync(folder, link);
    const done = await insitu('executions', '--delete', '--older-than', '1h', '--all', '--store', link);
    expect(done).toMatchObject({ status: 0, out: expect.stringContaining('29 snapshots of 1 execution were removed') });
    expect(existsSync(join(outside, 'target.cct'))).toBe(true);
  });
});

describe('a store that may not be read or written', () => {
  beforeEach(async () => {
    // The modules of a command are loaded before, by the user who may read them.
    for (const name of ['import', 'top', 'executions', 'compact']) await insitu(name, '--help');
    chmodSync(folder, 0o755);
  });
  afterEach(() => chmodSync(folder, 0o755));

  test('is not called missing by commands that read it', async () => {
    chmodSync(folder, 0o700);
    for (const args of [['top'], ['executions'], ['compact'], ['executions', '--delete', '--older-than', '1h']]) {
      chmodSync(folder, 0o000);
      const { status, err } = await asNobody(() => run(...args));
      expect([args, status]).toEqual([args, 1]);
      expect(err).toContain(`error: ${folder}: the store cannot be read: permission is denied (`);
      expect(err).not.toMatch(/no snapshots|no store|import/);
    }
  });

  test('is told of by import, with the path and the reason', async () => {
    const recording = `${folder}.txt`;
    writeFileSync(recording, 'A.b 5\n');
    try {
      chmodSync(folder, 0o555);
      const { status, err } = await asNobody(() => run('import', recording, '--program', 'another'));
      expect(status).toBe(1);
      expect(err).toContain(`error: ${folder}`);
      expect(err).toContain('the snapshot cannot be stored: permission is denied (give this user');
    } finally {
      rmSync(recording);
    }
  });
});
