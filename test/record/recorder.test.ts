// A recorder of folders of chunk files: what an earlier one has left, one folder's trouble, and folders that are not there.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Problem } from '../../server/base/problem.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import { folderFlaw } from '../../server/record/folder-flaw.ts';
import { Follower } from '../../server/record/follower.ts';
import { Recorder, type RecorderEvent } from '../../server/record/recorder.ts';
import { Spool } from '../../server/record/spool.ts';
import { contentHash } from '../../server/store/encoded.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import { type RecorderOptions, recorderOptions } from '../support/recorders/recorder-options.ts';
import { expectSame } from '../support/recorders/recording-shop.ts';
import { EXECUTION, followerOptions, growingRepository } from '../support/recordings/growing-repository.ts';
import { ingest } from '../support/recordings/ingested.ts';

const RECORDING = readFileSync(join(import.meta.dirname, '../../samples/recordings/shop-v1-jdk17-b.jfr'));
const WAIT = { timeout: 30_000, interval: 20 };

let folder = '';
let events: RecorderEvent[] = [];
let running: Recorder[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-recorder-'));
  events = [];
});

afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
  rmSync(folder, { recursive: true, force: true });
});

const store = () => new FolderStore('store', join(folder, 'store'));
const repository = (name = 'repository') => join(folder, name);
const spoolOf = (name = 'repository') => `repository-${contentHash(Buffer.from(repository(name)))}`;
const problems = (): Problem[] => events.flatMap(event => (event.kind === 'problem' ? [event.problem] : []));
const files = () =>
  existsSync(join(folder, 'store'))
    ? readdirSync(join(folder, 'store'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.cct'))
    : [];

async function started(own: Partial<RecorderOptions> = {}, version = '1'): Promise<Recorder> {
  const recorder = new Recorder(
    recorderOptions(folder, {
      execution: { flags: { ...EXECUTION, version }, environment: {}, file: {}, folder: 'acme' },
      tell: event => events.push(event),
      ...own,
    }),
  );
  expect(await recorder.start()).toEqual({ value: true, problems: [] });
  running.push(recorder);
  return recorder;
}

/** How much could not be stored. */
async function stop(recorder: Recorder): Promise<number> {
  running = running.filter(each => each !== recorder);
  return (await recorder.stop()).length;
}

/** Leaves a window as a killed recorder leaves it: the saved data, and the provisional snapshot. */
async function leftOpen(jvm: ReturnType<typeof growingRepository>): Promise<void> {
  const spool = new Spool(join(folder, 'spool'), spoolOf());
  const follower = new Follower(followerOptions({ spool, repository: repository(), closed: () => undefined }));
  for (let step = 0; step < 3; step++) {
    jvm.grow(300_000);
    follower.poll();
  }
  await store().live.put(follower.save()!);
  expect(files()).toEqual([expect.stringContaining('-live')]);
}

/** The JVM writes the rest, a recorder follows its folder once more, and the store then holds all of the recording once. */
async function expectReadToTheEnd(jvm: ReturnType<typeof growingRepository>): Promise<void> {
  while (jvm.grow(1_000_000));
  const again = await started({ repositories: [repository()] });
  await vi.waitFor(() => expect(again.size).toBe(1), WAIT);
  expect(await stop(again)).toBe(0);
  expectSame(await storedOf(), (await ingest(RECORDING, { names: 'normalised' })).profile!);
}

async function storedOf(version?: string) {
  const filter = { project: 'acme', ...(version === undefined ? {} : { version }) };
  return (await loadProfile(store(), filter)).value?.profile ?? null;
}

test('an open window of a folder that is not named any more goes out, and reading can go on there later', async () => {
  const jvm = growingRepository(repository(), RECORDING);
  await leftOpen(jvm);
  const without = await started();
  await vi.waitFor(() => expect(files()).toEqual([expect.not.stringContaining('-live')]), WAIT);
  await stop(without);
  await expectReadToTheEnd(jvm);
});

test('a window of another version goes out under that, and nothing provisional of it stays', async () => {
  const jvm = growingRepository(repository(), RECORDING);
  await leftOpen(jvm);
  const before = await storedOf('1');
  const recorder = await started({ repositories: [repository()] }, '2');
  await vi.waitFor(() => expect(files()).toContainEqual(expect.stringMatching(/\/1\/a\/\d+-[0-9a-f]+\.cct$/)), WAIT);
  await vi.waitFor(() => expect(files().filter(name => name.includes('/1/'))).toHaveLength(1), WAIT);
  expectSame(await storedOf('1'), before!);
  while (jvm.grow(1_000_000));
  expect(await stop(recorder)).toBe(0);
  expectSame(
    mergeProfiles([before!, (await storedOf('2'))!]),
    (await ingest(RECORDING, { names: 'normalised' })).profile!,
  );
});

test('a window that was closed and not followed by another one when the recorder was killed is there once', async () => {
  const jvm = growingRepository(repository(), RECORDING);
  jvm.grow(600_000);
  const spool = new Spool(join(folder, 'spool'), spoolOf());
  const follower = new Follower(followerOptions({ spool, repository: repository(), closed: () => undefined }));
  follower.poll();
  follower.roll();
  for (const each of spool.list()) if (each.isOpen) spool.remove(each);
  // The store has it before the folder is followed again.
  const without = await started();
  await vi.waitFor(() => expect(files()).toHaveLength(1), WAIT);
  await stop(without);
  await expectReadToTheEnd(jvm);
});

test('trouble with one is told of, and ends neither the recorder nor the others', async () => {
  for (const name of ['repository', 'other']) mkdirSync(repository(name));
  mkdirSync(join(folder, 'spool'));
  // No folder can be made where its spool would be.
  writeFileSync(join(folder, 'spool', spoolOf()), '');
  const recorder = await started({ repositories: [repository(), repository('other')] });
  await vi.waitFor(() => expect(recorder.size).toBe(1), WAIT);
  expect(problems()).toEqual([
    expect.objectContaining({ message: expect.stringContaining('cannot be followed: EEXIST'), file: repository() }),
  ]);
  expect(await stop(recorder)).toBe(0);
});

test('a folder that is not there is told of, and followed as soon as it is', async () => {
  const recorder = await started({ repositories: [repository()] });
  await vi.waitFor(() => expect(problems()).toHaveLength(1), WAIT);
  expect(problems()[0]).toMatchObject({ message: 'there is no such folder of chunk files', file: repository() });
  expect(recorder.size).toBe(0);
  const jvm = growingRepository(repository(), RECORDING);
  while (jvm.grow(1_000_000));
  await vi.waitFor(() => expect(recorder.size).toBe(1), WAIT);
  await stop(recorder);
  expectSame(await storedOf(), (await ingest(RECORDING, { names: 'normalised' })).profile!);
});

test('a folder of another user is read by root alone', () => {
  const own = process.geteuid!();
  expect(folderFlaw(folder, own)).toBeNull();
  expect(folderFlaw(folder, 0)).toBeNull();
  symlinkSync('loop', join(folder, 'loop'));
  expect(folderFlaw(join(folder, 'loop'), own)).toMatchObject({ message: expect.stringContaining('ELOOP') });
  expect(folderFlaw(folder, own + 1)).toMatchObject({ remedy: `run insitu as user ${own} or as root` });
});
