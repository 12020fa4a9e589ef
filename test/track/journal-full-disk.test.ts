// A journal on a full disk: what cannot be written does not count, leaves no part behind, and is there once there is room.
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Journal } from '../../server/track/journal.ts';

vi.mock('node:fs', async original => {
  const all = await original<typeof import('node:fs')>();
  return { ...all, writeFileSync: vi.fn(all.writeFileSync) };
});

const COMMIT = 'c'.repeat(40);
const KEY = { commit: COMMIT, benchmark: 'run', fork: 0 };
const RESULT = { state: 'measured', round: 0, millis: 5, tookMillis: 6, atMillis: 7 } as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-journal-'));
});
afterEach(() => {
  vi.mocked(writeFileSync).mockReset();
  rmSync(folder, { recursive: true });
});

/** The system takes the first bytes, and says then that there is no room. */
function fill(): void {
  vi.mocked(writeFileSync).mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
}

test.each([
  ['a fork', (journal: Journal) => journal.saveFork(KEY, RESULT)],
  ['a build', (journal: Journal) => journal.saveBuild(COMMIT, { state: 'built', millis: 1, atMillis: 2 })],
  ['a benchmark', (journal: Journal) => journal.saveBenchmark('run', { command: 'true', build: null })],
])('%s', (_, save) => {
  const journal = new Journal(folder, 1);
  journal.take();
  fill();
  expect(() => save(journal)).toThrow('ENOSPC');
  const state = (each: Journal) => [each.forksOf(COMMIT, 'run'), each.buildOf(COMMIT), each.benchmarkOf('run')];
  expect(state(journal)).toEqual([[], null, null]);
  expect(globSync('**/*.tmp', { cwd: folder })).toEqual([]);
  expect(state(new Journal(folder, 1))).toEqual([[], null, null]);
  vi.mocked(writeFileSync).mockReset();
  save(journal);
  expect(state(new Journal(folder, 1))).not.toEqual([[], null, null]);
});
