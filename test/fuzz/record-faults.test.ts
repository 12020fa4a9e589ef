// A recorder that dies at any point, with a store that fails as it likes, stores every sample exactly once.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Profile } from '../../server/cct/profile.ts';
import { memorySource } from '../../server/ingest/byte-source.ts';
import { listChunks } from '../../server/ingest/jfr/chunk-header.ts';
import { Follower } from '../../server/record/follower.ts';
import { endOpenWindows } from '../../server/record/recovery.ts';
import { Spool } from '../../server/record/spool.ts';
import { Uploader } from '../../server/record/uploader.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { loadProfile } from '../../server/store/load.ts';
import type { Store } from '../../server/store/store.ts';
import { growing } from '../support/growing-chunk.ts';
import { ingest } from '../support/ingested.ts';
import { expectSame } from '../support/recording-shop.ts';

const RECORDING = join(import.meta.dirname, '../../samples/recordings/shop-v1-jdk17-b.jfr');
const EXECUTION = { project: 'acme', program: 'shop', version: '1', instance: 'a' };

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-faults-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A repository on disk that grows as the JVM that made the recording let it grow. */
function growingRepository(path: string, bytes: Uint8Array): { grow(by: number): boolean } {
  const { chunks } = listChunks(memorySource('recording', bytes));
  const parts = chunks.map(({ position, available }) => bytes.subarray(position, position + available));
  mkdirSync(path, { recursive: true });
  let at = 0;
  let chunk = growing(parts[0]!);
  return {
    grow(by) {
      chunk.grow(by);
      const shown = new Uint8Array(parts[at]!.length);
      chunk.read(0, shown);
      writeFileSync(join(path, `${at}.jfr`), shown);
      if (shown[64] !== 0) return true;
      at++;
      if (at < parts.length) chunk = growing(parts[at]!);
      return at < parts.length;
    },
  };
}

/** Fails every so often, before it has stored something or after. */
function unreliable(store: Store, next: () => number): Store {
  const down = { value: null, problems: [{ severity: 'error', message: 'the store is down' }] } as const;
  return {
    ...store,
    location: 'unreliable',
    mostBytes: store.mostBytes,
    list: filter => store.list(filter),
    put: async snapshot => {
      const luck = next();
      if (luck === 0) return down;
      const outcome = await store.put(snapshot);
      return luck === 1 ? down : outcome;
    },
  };
}

function follower(spool: Spool, repository: string, uploader: Uploader): Follower {
  return new Follower({
    execution: EXECUTION,
    repository,
    recorder: 'test',
    metrics: [],
    redaction: { pattern: null, threads: 'all' },
    spool,
    firstMillis: 3_600_000,
    intervalMillis: 3_600_000,
    report: problems => expect(problems).toEqual([]),
    closed: ({ spooled }) => uploader.add(spool, spooled),
  });
}

async function storedProfile(store: Store): Promise<Profile | null> {
  return (await loadProfile(store, { project: 'acme', program: 'shop' })).value?.profile ?? null;
}

const STEPS = ['grow', 'grow', 'grow', 'save', 'roll', 'die'] as const;

test('whatever happens in whatever order', async () => {
  const bytes = readFileSync(RECORDING);
  const { profile: whole } = await ingest(bytes, { names: 'normalised' });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STEPS), { minLength: 8, maxLength: 14 }),
      fc.array(fc.nat(4), { minLength: 5 }),
      fc.integer({ min: 150_000, max: 500_000 }),
      async (steps, luck, by) => {
        const place = join(folder, String(run++));
        const repository = join(place, 'repository');
        const plain = new FolderStore('store', join(place, 'store'));
        let put = 0;
        const store = unreliable(plain, () => luck[put++ % luck.length]!);
        const jvm = growingRepository(repository, bytes);
        const newUploader = (to: Store) => new Uploader({ store: to, mostBytes: 1 << 30, report: () => {} });
        let uploader = newUploader(store);
        const begin = () => {
          const spool = new Spool(place, 'spool');
          for (const spooled of spool.list()) if (!spooled.isOpen) uploader.add(spool, spooled);
          return follower(spool, repository, uploader);
        };
        let current = begin();
        let more = true;
        for (let i = 0; more; i++) {
          const step = steps[i % steps.length]!;
          if (step === 'grow' || i > 60) more = jvm.grow(by);
          current.poll();
          if (step === 'save') current.save();
          if (step === 'roll') current.roll();
          if (step === 'die') {
            uploader = newUploader(store);
            current = begin();
          }
        }
        current.poll();
        current.close();
        const last = newUploader(plain);
        const spool = new Spool(place, 'spool');
        for (const spooled of spool.list()) if (!spooled.isOpen) last.add(spool, spooled);
        expect(await last.drain(60_000)).toBe(0);
        expectSame(await storedProfile(plain), whole!);
      },
    ),
    { numRuns: 12 },
  );
});

test('an open window of a JVM that is gone is stored as it was saved', async () => {
  const repository = join(folder, 'repository');
  const jvm = growingRepository(repository, readFileSync(RECORDING));
  const store = new FolderStore('store', join(folder, 'store'));
  const uploader = new Uploader({ store, mostBytes: 1 << 30, report: () => {} });
  const spool = new Spool(folder, 'spool');
  const first = follower(spool, repository, uploader);
  jvm.grow(800_000);
  jvm.grow(1);
  first.poll();
  const saved = first.save();
  expect(saved?.header.provisional).toBe(true);
  expect(endOpenWindows(spool, uploader, () => true, true)).toEqual([]);
  for (const spooled of spool.list()) uploader.add(spool, spooled);
  expect(await uploader.drain(60_000)).toBe(0);
  expectSame(await storedProfile(store), saved!.profile);
  spool.removeIfEmpty();
  expect(() => spool.list()).toThrow('ENOENT');
});

test('a spool that is full merges its oldest windows, says so, and loses nothing', async () => {
  const bytes = readFileSync(RECORDING);
  const repository = join(folder, 'repository');
  const jvm = growingRepository(repository, bytes);
  const plain = new FolderStore('store', join(folder, 'store'));
  let isDown = true;
  const store = unreliable(plain, () => (isDown ? 1 : 2));
  const told: string[] = [];
  const report = (problems: readonly { readonly message: string }[]) =>
    told.push(...problems.map(({ message }) => message));
  const uploader = new Uploader({ store, mostBytes: 120_000, report });
  const current = follower(new Spool(folder, 'spool'), repository, uploader);
  while (jvm.grow(200_000)) {
    current.poll();
    current.roll();
  }
  current.close();
  expect(told).toContain('the spool is full: its oldest windows were merged into one');
  expect(told).not.toContain('the spool is full: its oldest window is lost');
  isDown = false;
  expect(await uploader.drain(60_000)).toBe(0);
  const { profile } = await ingest(bytes, { names: 'normalised' });
  expectSame(await storedProfile(plain), profile!);
});
