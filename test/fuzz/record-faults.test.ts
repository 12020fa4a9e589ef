// A recorder that dies or is stopped at any point, with a store and a disk that fail as they like, stores every sample exactly once.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Profile } from '../../server/cct/profile.ts';
import { endOpenWindows, keepPosition } from '../../server/record/abandoned-windows.ts';
import { Follower } from '../../server/record/follower.ts';
import { Spool, type Spooled, type SpoolNote } from '../../server/record/spool.ts';
import { Uploader } from '../../server/record/uploader.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import type { Store } from '../../server/store/store.ts';
import { expectSame } from '../support/recorders/recording-shop.ts';
import { followerOptions, growingRepository } from '../support/recordings/growing-repository.ts';
import { ingest } from '../support/recordings/ingested.ts';
import { runs } from '../support/runs.ts';

const RECORDING = join(import.meta.dirname, '../../samples/recordings/shop-v1-jdk17-b.jfr');

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-faults-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

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

/** Has no room every so often. */
class TightSpool extends Spool {
  hasRoom: () => boolean = () => true;

  override saveOpen(note: SpoolNote, snapshot: Uint8Array): void {
    if (!this.hasRoom()) throw new Error('ENOSPC');
    super.saveOpen(note, snapshot);
  }

  override saveClosed(note: SpoolNote, snapshot: Uint8Array): Spooled {
    if (!this.hasRoom()) throw new Error('ENOSPC');
    return super.saveClosed(note, snapshot);
  }
}

function follower(spool: Spool, repository: string, uploader: Uploader): Follower {
  return new Follower(
    followerOptions({
      spool,
      repository,
      report: problems => expect(problems).toEqual([]),
      closed: spooled => uploader.add(spool, spooled),
    }),
  );
}

/** Does it again until there is room. */
function untilRoom(work: () => void): void {
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      expect(error).toMatchObject({ message: 'ENOSPC' });
    }
  }
}

async function storedProfile(store: Store): Promise<Profile | null> {
  return (await loadProfile(store, { project: 'acme', program: 'shop' })).value?.profile ?? null;
}

const STEPS = ['grow', 'grow', 'grow', 'save', 'roll', 'die', 'stop'] as const;

test('whatever happens in whatever order', async () => {
  const bytes = readFileSync(RECORDING);
  const { profile: whole } = await ingest(bytes, { names: 'normalised' });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STEPS), { minLength: 8, maxLength: 14 }),
      fc.array(fc.nat(4), { minLength: 5 }),
      fc.array(fc.boolean(), { minLength: 3 }),
      fc.integer({ min: 150_000, max: 500_000 }),
      async (steps, luck, room, by) => {
        const place = join(folder, String(run++));
        const repository = join(place, 'repository');
        const plain = new FolderStore('store', join(place, 'store'));
        let put = 0;
        const store = unreliable(plain, () => luck[put++ % luck.length]!);
        let written = 0;
        const hasRoom = () => room[written++ % room.length]! || written % 50 === 0;
        const jvm = growingRepository(repository, bytes);
        const newUploader = (to: Store) => new Uploader({ store: to, mostBytes: 1 << 30, report: () => {} });
        let uploader = newUploader(store);
        const begin = () => {
          uploader.end();
          uploader = newUploader(store);
          const spool = new TightSpool(place, 'spool');
          keepPosition(spool);
          for (const spooled of spool.list()) if (!spooled.isOpen) uploader.add(spool, spooled);
          spool.hasRoom = hasRoom;
          return follower(spool, repository, uploader);
        };
        let current = begin();
        let more = true;
        for (let i = 0; more; i++) {
          const step = steps[i % steps.length]!;
          if (step === 'grow' || i > 60) more = jvm.grow(by);
          current.poll();
          if (step === 'save') untilRoom(() => current.save());
          if (step === 'roll') untilRoom(() => current.roll());
          if (step === 'stop') untilRoom(() => current.close(null, false));
          if (step === 'die' || step === 'stop') {
            // Whatever the store has taken by now has left the spool.
            await pause(5);
            current = begin();
          }
        }
        current.poll();
        untilRoom(() => current.close(null, true));
        uploader.end();
        const last = newUploader(plain);
        const spool = new Spool(place, 'spool');
        for (const spooled of spool.list()) if (!spooled.isOpen) last.add(spool, spooled);
        expect(await last.drain(60_000)).toBe(0);
        expectSame(await storedProfile(plain), whole!);
      },
    ),
    { numRuns: runs(12) },
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
  const { value: saved } = decodeSnapshot(first.save()!);
  expect(saved?.header.provisional).toBe(true);
  const redaction = { pattern: null, threads: 'all' } as const;
  const { problems } = await endOpenWindows(spool, { isOver: () => true, isForGood: true, redaction });
  expect(problems).toEqual([]);
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
  current.close(null, true);
  expect(told).toContain('the spool is full: its oldest windows were merged into one');
  expect(told).not.toContain('the spool is full: its oldest window is lost');
  isDown = false;
  expect(await uploader.drain(60_000)).toBe(0);
  const { profile } = await ingest(bytes, { names: 'normalised' });
  expectSame(await storedProfile(plain), profile!);
});
