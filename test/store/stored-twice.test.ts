// Snapshots with the same samples count, with a warning; snapshots of processes that did the same at other times are no copies.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SnapshotHeader } from '../../server/snapshot/snapshot.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { EXECUTION, snapshotOf } from '../support/stores/snapshots.ts';

const TEXT = 'M.run | 3@1\n  M.work | 40@7';

/** The samples and problems of a store with two snapshots: one, and another with this header that differs in these parts. */
async function told(
  header: Partial<SnapshotHeader>,
  { laterMillis = 0, jvm = 'one', text = TEXT } = {},
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-twice-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = new FolderStore('store', folder);
  const at = (startMillis: number, jvm: string) => ({
    windows: [{ startMillis, endMillis: startMillis + 60_000, jvm }],
  });
  await store.put(snapshotOf({ ...profileOfText(TEXT), ...at(0, 'one') }));
  await store.put(snapshotOf({ ...profileOfText(text), ...at(laterMillis, jvm) }, header));
  const { value, problems } = await loadProfile(store, {});
  const samples = value!.profile.cells[0]!.count.reduce((a, b) => a + b);
  return [`${samples} samples`, ...problems.map(({ message }) => message.replace(/: .*/, ''))];
}

const TWICE = ['86 samples', 'these snapshots have the same samples, which count twice'];

test.each<[string, Partial<SnapshotHeader>]>([
  ['another instance', { execution: { ...EXECUTION, instance: 'copy' } }],
  ['another recorder', { recorder: 'somebody' }],
  ['a claim to hold others', { replaces: ['0'.repeat(32)] }],
  ['another span', { startMillis: -5, endMillis: 70_000 }],
])('a copy whose header has %s', async (_, header) => {
  expect(await told(header)).toEqual(TWICE);
});

test('the same file once more is one snapshot', async () => {
  expect(await told({})).toEqual(['43 samples']);
});

test('the same work at another time', async () => {
  expect(await told({ execution: { ...EXECUTION, instance: 'other' } }, { laterMillis: 1000 })).toEqual(['86 samples']);
});

test('a copy that names another process', async () => {
  expect(await told({ execution: { ...EXECUTION, instance: 'other' } }, { jvm: 'two' })).toEqual(TWICE);
});

test('as much of other work at the same time', async () => {
  expect(await told({}, { text: TEXT.replace('work', 'rest') })).toEqual(['86 samples']);
});
