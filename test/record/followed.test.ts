// One JVM that is followed, to its end: here any process stands in for it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTicksOf } from '../../server/base/linux-processes.ts';
import type { Problem } from '../../server/base/problem.ts';
import { tierSettings } from '../../server/record/flight-settings.ts';
import { Followed, type FollowedOptions } from '../../server/record/followed.ts';
import { Follower } from '../../server/record/follower.ts';
import { describeJvm, type Jvm, noJvm } from '../../server/record/jvms.ts';
import { readSpooled, Spool, type Spooled, type SpoolNote } from '../../server/record/spool.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import type { Snapshot } from '../../server/snapshot/snapshot.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { startFakeJvm } from '../support/recorders/fake-jvm.ts';
import { expectSame, until } from '../support/recorders/recording-shop.ts';
import { followerOptions, growingRepository } from '../support/recordings/growing-repository.ts';
import { ingest } from '../support/recordings/ingested.ts';

const RECORDING = readFileSync(join(import.meta.dirname, '../../samples/recordings/shop-v1-jdk17-b.jfr'));

let folder = '';
let child: ChildProcess;
let closed: Spooled[] = [];
let told: string[] = [];
let left = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-followed-'));
  child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  [closed, told, left] = [[], [], 0];
});

afterEach(async () => {
  vi.useRealTimers();
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

/** Has no room while it is full. */
class TightSpool extends Spool {
  isFull = false;

  override saveClosed(note: SpoolNote, snapshot: Uint8Array): Spooled {
    if (this.isFull) throw new Error('ENOSPC');
    return super.saveClosed(note, snapshot);
  }
}

function followed(spool: Spool, own: Partial<FollowedOptions> = {}): Followed {
  const repository = join(folder, 'repository');
  mkdirSync(repository, { recursive: true });
  const jvm: Jvm = { ...noJvm('shop'), pid: child.pid!, startTicks: startTicksOf(child.pid!)! };
  return new Followed({
    jvm,
    name: 'shop',
    recording: { repository, isOurs: false, isStreamed: true },
    follower: new Follower(followerOptions({ spool, repository, closed: window => closed.push(window) })),
    spool,
    dumps: null,
    store: new FolderStore('store', join(folder, 'store')),
    settings: tierSettings('base'),
    report: problems => told.push(...problems.map(({ message }) => message)),
    left: () => left++,
    moved: () => undefined,
    ...own,
  });
}

test('a JVM that ends while the disk is full is left when its last window is on it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const spool = new TightSpool(folder, 'spool');
  const jvm = growingRepository(join(folder, 'repository'), RECORDING);
  const one = followed(spool);
  jvm.grow(300_000);
  one.poll();
  while (jvm.grow(1_000_000));
  spool.isFull = true;
  child.kill('SIGKILL');
  await once(child, 'exit');
  await until('it is said', () => {
    one.poll();
    return told.length > 0;
  });
  expect(told[0]).toBe('what was read cannot be kept on disk: ENOSPC');
  expect([left, closed.length]).toEqual([0, 0]);
  spool.isFull = false;
  // It is tried again a while later.
  vi.advanceTimersByTime(60_000);
  await until('it has left', () => {
    one.poll();
    return left > 0;
  });
  expect(closed).toHaveLength(1);
  const { profile } = decodeSnapshot(readSpooled(closed[0]!.path)!.snapshot).value!;
  expectSame(profile, (await ingest(RECORDING, { names: 'normalised' })).profile!);
  for (let look = 0; look < 3; look++) {
    one.poll();
    await pause(1);
  }
  expect(left).toBe(1);
});

test('after so many events it is full, once, and its numbers are said to be lower bounds', () => {
  const jvm = growingRepository(join(folder, 'repository'), RECORDING);
  const spool = new Spool(folder, 'spool');
  const report = (problems: readonly Problem[]) => told.push(...problems.map(({ message }) => message));
  const follower = new Follower(
    followerOptions({ spool, repository: join(folder, 'repository'), report, closed: window => closed.push(window) }),
  );
  let full = 0;
  const one = followed(spool, { follower, mostEvents: 100, full: () => full++ });
  while (jvm.grow(300_000)) one.poll();
  expect(full).toBe(1);
  expect(told).toEqual([expect.stringMatching(/^counting ended after [\d,]{3,} calls: all numbers are lower bounds/)]);
});

test('a recording that has ended is missed after fifteen seconds of silence, and ours begins', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const fake = await startFakeJvm(join(folder, 'jvm'));
  const moved: boolean[] = [];
  const jvm = describeJvm(fake.pid)!;
  const one = followed(new Spool(folder, 'spool'), { jvm, moved: ({ isOurs }) => moved.push(isOurs) });
  for (const seconds of [1, 13]) {
    vi.advanceTimersByTime(1000 * seconds);
    one.poll();
  }
  vi.advanceTimersByTime(2_000);
  expect(fake.asked()).toEqual([]);
  await until('ours begins', () => {
    one.poll();
    return moved.length > 0;
  });
  expect(moved).toEqual([true]);
  expect(fake.asked().filter(command => command.startsWith('JFR.start'))).toHaveLength(1);
  await fake.end();
});

test('a store that hangs keeps nothing from being read, and the end from nothing', async () => {
  const jvm = growingRepository(join(folder, 'repository'), RECORDING);
  const shown: Snapshot[] = [];
  class Hanging extends FolderStore {
    override readonly live = {
      put: (snapshot: Snapshot) => {
        shown.push(snapshot);
        return new Promise<never>(() => undefined);
      },
      remove: async () => ({ value: true, problems: [] }),
    };
  }
  const one = followed(new Spool(folder, 'spool'), { store: new Hanging('hanging', folder) });
  jvm.grow(300_000);
  await until('something is shown', () => {
    one.poll();
    return shown.length > 0;
  });
  while (jvm.grow(1_000_000));
  one.poll();
  await one.leave();
  const { profile } = decodeSnapshot(readSpooled(closed[0]!.path)!.snapshot).value!;
  expectSame(profile, (await ingest(RECORDING, { names: 'normalised' })).profile!);
});
