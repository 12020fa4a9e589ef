// Compaction and removal of old snapshots on the command line: what they do, say, and refuse.
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../server/store/open-store.ts';
import { insitu } from '../../support/insitu/command-line.ts';
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
