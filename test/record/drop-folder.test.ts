// A folder whose files are imported once, also where they cannot be moved aside.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DropFolder } from '../../server/record/drop-folder.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { EXECUTION } from '../support/snapshots.ts';

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

function dropFolder(): DropFolder {
  return new DropFolder({
    folder: join(folder, 'drop'),
    store: new FolderStore('store', join(folder, 'store')),
    executionOf: () => EXECUTION,
    metrics: [],
    redaction: { pattern: null, threads: 'all' },
    report: problems => told.push(...problems.map(({ message }) => message)),
    stored: (_file, key) => stored.push(key),
  });
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
