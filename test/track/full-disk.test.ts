// A disk that is full while a commit is built ends the work; it does not make the commit a broken one.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore } from '../../server/store/open-store.ts';
import { commandBenchmark } from '../../server/track/benchmark.ts';
import { Journal } from '../../server/track/journal.ts';
import { track } from '../../server/track/track.ts';
import { DiskFull } from '../../server/track/worktrees.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';

vi.mock('node:fs', async original => {
  const all = await original<typeof import('node:fs')>();
  return { ...all, statfsSync: vi.fn(all.statfsSync) };
});

let scratch: ScratchRepository;
let temporary: string;

beforeEach(() => {
  scratch = new ScratchRepository();
  temporary = mkdtempSync(join(tmpdir(), 'insitu-full-'));
  vi.stubEnv('TMPDIR', join(temporary, 'tmp'));
  mkdirSync(join(temporary, 'tmp'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.mocked(statfsSync).mockReset();
  scratch.remove();
  rmSync(temporary, { recursive: true });
});

async function run(build: string, journal: Journal, commit: string) {
  journal.take();
  const repository = await scratch.open();
  try {
    return await track({
      repository,
      env: scratch.env,
      journal,
      commits: [commit],
      places: [0],
      benchmarks: [commandBenchmark('run', 'true', build)],
      build,
      maven: null,
      forks: 1,
      budgetMillis: Number.POSITIVE_INFINITY,
      limitMillis: 60_000,
      store: openStore(join(temporary, 'store')).value!,
      project: 'shop',
      program: 'shop',
      metrics: [],
      signal: new AbortController().signal,
      tell: () => {},
    });
  } finally {
    journal.release();
    repository.close();
  }
}

test('a build that fails on a full disk', async () => {
  const commit = scratch.commit({ file: 'text' });
  const full = { bavail: 1, bsize: 4096 } as ReturnType<typeof statfsSync>;
  const journal = new Journal(join(temporary, 'journal'), 1);
  vi.mocked(statfsSync).mockReturnValue(full);
  await expect(run('false', journal, commit)).rejects.toThrow(DiskFull);
  expect(journal.buildOf(commit)).toBeNull();
  expect(readdirSync(join(temporary, 'tmp'))).toEqual([]);
  // With room again the commit is measured.
  vi.mocked(statfsSync).mockReset();
  expect(await run('true', new Journal(join(temporary, 'journal'), 1), commit)).toBe('decided');
  expect(new Journal(join(temporary, 'journal'), 1).measuredForks(commit, 'run')).toEqual([0]);
});
