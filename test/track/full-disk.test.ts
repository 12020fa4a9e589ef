// A disk that is full ends the work, whatever is written then; it leaves nothing behind, breaks no commit, and the next run goes on.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore } from '../../server/store/open-store.ts';
import { commandBenchmark } from '../../server/track/benchmark.ts';
import { Journal } from '../../server/track/journal.ts';
import { track } from '../../server/track/track.ts';
import { DiskFull } from '../../server/track/worktrees.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';

vi.mock('node:fs', async original => {
  const all = await original<typeof import('node:fs')>();
  return { ...all, statfsSync: vi.fn(all.statfsSync), writeFileSync: vi.fn(all.writeFileSync) };
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
  vi.mocked(writeFileSync).mockReset();
  scratch.remove();
  rmSync(temporary, { recursive: true });
});

async function run(build: string, journal: Journal, commit: string, benchmark = 'true') {
  const repository = await scratch.open();
  try {
    journal.take();
    return await track({
      repository,
      env: scratch.env,
      journal,
      commits: [commit],
      places: [0],
      benchmarks: [commandBenchmark('run', benchmark, build)],
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

test('a disk that is full from any write on', async () => {
  const { writeFileSync: write } = await vi.importActual<typeof import('node:fs')>('node:fs');
  const commit = scratch.commit({ file: 'text' });
  let room = 0;
  for (let isDone = false; !isDone; room++) {
    const folder = join(temporary, `journal-${room}`);
    let left = room;
    vi.mocked(writeFileSync).mockImplementation((file, data, options) => {
      if (left-- > 0) return write(file, data, options);
      // As the system does: the name is there, the bytes are not.
      if (typeof file === 'string') write(file, '', options);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    isDone = await run('true', new Journal(folder, 1), commit).then(
      () => true,
      error => {
        expect(error).toMatchObject({ code: 'ENOSPC' });
        return false;
      },
    );
    vi.mocked(writeFileSync).mockReset();
    expect(readdirSync(join(temporary, 'tmp'))).toEqual([]);
    expect(await run('true', new Journal(folder, 1), commit)).toBe('decided');
    expect(new Journal(folder, 1).measuredForks(commit, 'run')).toEqual([0]);
  }
  expect(room).toBeGreaterThan(5);
});

test('recordings that the store does not take wait for the next run', async () => {
  const commit = scratch.commit({ file: 'text' });
  const recording = resolve('samples/recordings/shop-v1-jdk17-b.jfr');
  // As a full disk, it refuses what is written below a folder that may be written to.
  mkdirSync(join(temporary, 'store'));
  writeFileSync(join(temporary, 'store', 'v1'), '');
  const benchmark = `f=\${JAVA_TOOL_OPTIONS#*filename=}; cp ${recording} "\${f%%,*}/a.jfr"`;
  const journal = () => new Journal(join(temporary, 'journal'), 1);
  expect(await run('true', journal(), commit, benchmark)).toBe('decided');
  expect(journal().waitingRecordings()).toHaveLength(1);
  rmSync(join(temporary, 'store', 'v1'));
  expect(await run('true', journal(), commit, benchmark)).toBe('decided');
  expect(journal().waitingRecordings()).toEqual([]);
  const { value } = await openStore(join(temporary, 'store')).value!.list({});
  expect(value.map(({ execution }) => execution.version)).toEqual([commit]);
});
