// Compaction on a full disk: a word, no sample lost or counted twice, nothing left behind, and the next run goes on.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compact } from '../../server/store/compact.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

vi.mock('node:fs/promises', async original => {
  const all = await original<typeof import('node:fs/promises')>();
  return { ...all, open: vi.fn(all.open) };
});

test.each(['the name of a file', 'the bytes of a file'])('a disk without room for %s', async what => {
  const { open: opened } = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises');
  const folder = mkdtempSync(join(tmpdir(), 'insitu-full-'));
  onTestFinished(() => {
    vi.mocked(open).mockReset();
    rmSync(folder, { recursive: true });
  });
  const store = new FolderStore('store', folder);
  for (const startMillis of [0, 60_000]) {
    const windows = [{ startMillis, endMillis: startMillis + 60_000 }];
    await store.put(snapshotOf({ ...profileOfText(`M${startMillis}.run | 1@3`), windows }));
  }
  const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.includes('.'));
  const samples = async () => (await loadProfile(store, {})).value?.profile;
  const before = { files: files(), samples: await samples() };
  const fail = () => Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }));
  vi.mocked(open).mockImplementation(async (path, flags, mode) => {
    if (flags !== 'wx') return opened(path, flags, mode);
    if (what === 'the name of a file') return fail();
    const file: FileHandle = await opened(path, flags, mode);
    return Object.assign(file, { writeFile: fail });
  });
  const levels = [{ olderThanMillis: 0, spanMillis: 3_600_000, finestMillis: 0 }];
  const { value, problems } = await compact(store, { levels });
  expect(value).toMatchObject({ merged: 0, written: 0, removed: 0 });
  expect(problems).toMatchObject([{ severity: 'error', message: 'the snapshot cannot be stored: the disk is full' }]);
  expect({ files: files(), samples: await samples() }).toEqual(before);
  vi.mocked(open).mockReset();
  expect(await compact(store, { levels })).toMatchObject({ value: { merged: 2, written: 1 }, problems: [] });
  expect(files()).toHaveLength(before.files.length + 1);
});
