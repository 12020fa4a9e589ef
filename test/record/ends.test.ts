// The end of a JVM at every moment: its last window is stored, or the recorder says what stays in the spool and why.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bootId, startTicksOf } from '../../server/base/linux-processes.ts';
import type { Problem } from '../../server/base/problem.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { Follower } from '../../server/record/follower.ts';
import { Recorder, type RecorderEvent } from '../../server/record/recorder.ts';
import { Spool } from '../../server/record/spool.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import { type FakeJvm, type FakeJvmOptions, startFakeJvm } from '../support/recorders/fake-jvm.ts';
import { type RecorderOptions, recorderOptions } from '../support/recorders/recorder-options.ts';
import { expectSame } from '../support/recorders/recording-shop.ts';
import { chunksOf, followerOptions, growingRepository } from '../support/recordings/growing-repository.ts';
import { ingest } from '../support/recordings/ingested.ts';

const RECORDING = readFileSync(join(import.meta.dirname, '../../samples/recordings/shop-v1-jdk17-b.jfr'));
const WAIT = { timeout: 30_000, interval: 20 };
const LOST = 'it ended before it could be recorded';

let folder = '';
let events: RecorderEvent[] = [];
let running: Recorder[] = [];
const jvms: FakeJvm[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-ends-'));
  events = [];
});

afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
  for (const each of jvms.splice(0)) await each.end();
  rmSync(folder, { recursive: true, force: true });
});

const storeFolder = () => join(folder, 'store');
const spoolFolder = () => join(folder, 'spool');
const repository = () => join(folder, 'repository');
const idOf = ({ pid }: FakeJvm) => `${bootId().slice(0, 8)}-${pid}-${startTicksOf(pid)}`;
const messages = () => events.flatMap(event => (event.kind === 'problem' ? [event.problem.message] : []));
const kinds = () => events.map(({ kind }) => kind).filter(kind => kind !== 'problem');
/** Files of the recording's chunks, as they stand in a repository. */
function chunkFiles(): string[] {
  return chunksOf(RECORDING).map((chunk, i) => {
    const file = join(folder, `chunk-${i}`);
    writeFileSync(file, chunk);
    return file;
  });
}

const whole = async (): Promise<Profile> => (await ingest(RECORDING, { names: 'normalised' })).profile!;

async function fakeJvm(options: FakeJvmOptions = {}): Promise<FakeJvm> {
  const jvm = await startFakeJvm(join(folder, `jvm-${jvms.length}`), options);
  jvms.push(jvm);
  return jvm;
}

async function recorderOf(pids: readonly number[], own: Partial<RecorderOptions> = {}): Promise<Recorder> {
  const recorder = new Recorder(
    recorderOptions(folder, {
      wants: ({ pid }) => pids.includes(pid),
      processes: pids,
      tell: event => events.push(event),
      ...own,
    }),
  );
  running.push(recorder);
  expect(await recorder.start()).toEqual({ value: true, problems: [] });
  return recorder;
}

async function stop(recorder: Recorder): Promise<readonly Problem[]> {
  running = running.filter(each => each !== recorder);
  return await recorder.stop();
}

/** Stops one that waits for what does not come, and waits no longer than the clock that it looks at says. */
async function stopInVain(recorder: Recorder): Promise<readonly Problem[]> {
  let isOver = false;
  const stopped = stop(recorder).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    vi.advanceTimersByTime(1_000);
    await pause(20);
  }
  return await stopped;
}

async function stored(): Promise<Profile> {
  return (await loadProfile(new FolderStore('store', storeFolder()), { project: 'acme' })).value!.profile;
}

/** Files of windows in the spool; a file that only says where reading goes on is none. */
function spooled(): string[] {
  if (!existsSync(spoolFolder())) return [];
  return readdirSync(spoolFolder(), { recursive: true, encoding: 'utf8' }).filter(name =>
    /\d\.(open|closed)$/.test(name),
  );
}

/** Leaves an open window that has all of the recording, as a killed recorder leaves it. */
function leftOpen(jvm: FakeJvm): void {
  const growing = growingRepository(repository(), RECORDING);
  while (growing.grow(1_000_000));
  const spool = new Spool(spoolFolder(), idOf(jvm));
  const follower = new Follower(followerOptions({ spool, repository: repository(), closed: () => undefined }));
  follower.readAll();
  follower.save();
}

describe('a JVM that ends while it is attached to', () => {
  test('at or after any question: it is told once, and why', async () => {
    const moments = ['VM.version', 'JFR.configure', 'JFR.check', 'JFR.start'].flatMap(command =>
      (['endsAt', 'endsAfter'] as const).map(how => ({ [how]: command })),
    );
    const pids: number[] = [];
    for (const moment of moments) pids.push((await fakeJvm(moment)).pid);
    const recorder = await recorderOf(pids);
    await recorder.over;
    const told = events.flatMap(event => (event.kind === 'problem' ? [event.problem] : []));
    for (const [i, pid] of pids.entries())
      expect(
        told.filter(({ file }) => file?.startsWith(`JVM ${pid} `)).map(({ message }) => message),
        JSON.stringify(moments[i]),
      ).toEqual([LOST]);
    expect(messages()).toHaveLength(pids.length);
    expect(kinds()).toEqual([]);
    expect(recorder.isInVain).toBe(true);
    expect(await stop(recorder)).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  test('what an earlier recorder has left of it is stored', async () => {
    const jvm = await fakeJvm({ endsAt: 'VM.version' });
    leftOpen(jvm);
    const recorder = await recorderOf([jvm.pid]);
    await recorder.over;
    await vi.waitFor(() => expect(kinds()).toEqual(['stored']), WAIT);
    expect(spooled()).toEqual([]);
    await stop(recorder);
    expectSame(await stored(), await whole());
  });
});

test('what was left of a JVM that is not recorded now goes out when it ends, or the recorder', async () => {
  const [ended, alive, other] = [await fakeJvm(), await fakeJvm(), await fakeJvm()];
  leftOpen(ended);
  const recorder = await recorderOf([other.pid]);
  expect(spooled()).toHaveLength(1);
  await ended.end();
  await vi.waitFor(() => expect(kinds()).toContain('stored'), WAIT);
  expectSame(await stored(), await whole());
  await stop(recorder);
  rmSync(storeFolder(), { recursive: true });
  rmSync(repository(), { recursive: true });
  leftOpen(alive);
  expect(await stop(await recorderOf([other.pid]))).toEqual([]);
  expectSame(await stored(), await whole());
});

test('of a JVM whose recording ends with the recorder nothing stays in the spool', async () => {
  const jvm = await fakeJvm({ chunks: chunkFiles() });
  const recorder = await recorderOf([jvm.pid]);
  await vi.waitFor(() => expect(recorder.size).toBe(1), WAIT);
  expect(await stop(recorder)).toEqual([]);
  expect(readdirSync(spoolFolder())).toEqual([]);
  expectSame(await stored(), await whole());
});

test('a JVM that ends when the recorder does is read to its end', async () => {
  const jvm = await fakeJvm({ endsAt: 'JFR.stop', chunks: chunkFiles().slice(0, -1), lastChunk: chunkFiles().at(-1)! });
  const recorder = await recorderOf([jvm.pid]);
  await vi.waitFor(() => expect(recorder.size).toBe(1), WAIT);
  expect(await stop(recorder)).toEqual([]);
  expect(messages()).toEqual([]);
  expect(kinds()).toEqual(['following', 'left', 'stored']);
  expectSame(await stored(), await whole());
  expect(spooled()).toEqual([]);
});

test('a JVM that ends by itself is told of once, also when the recorder is stopped just then', async () => {
  const jvm = await fakeJvm({ chunks: chunkFiles() });
  const recorder = await recorderOf([jvm.pid]);
  await vi.waitFor(() => expect(recorder.size).toBe(1), WAIT);
  await jvm.end();
  expect(await stop(recorder)).toEqual([]);
  expect(kinds()).toEqual(['following', 'left', 'stored']);
  expectSame(await stored(), await whole());
});

test('a JVM that ends before it has written anything is told of', async () => {
  const jvm = await fakeJvm();
  const recorder = await recorderOf([jvm.pid]);
  await vi.waitFor(() => expect(recorder.size).toBe(1), WAIT);
  await jvm.end();
  await vi.waitFor(() => expect(kinds()).toContain('left'), WAIT);
  expect(messages()).toEqual(['it ended before anything that it did could be read']);
  expect(kinds()).toEqual(['following', 'left']);
  expect(await stop(recorder)).toEqual([]);
});

describe('what stays in the spool', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  test('when it cannot be written where reading goes on is told', async () => {
    const jvm = await fakeJvm({ chunks: chunkFiles(), recording: 'own' });
    const recorder = await recorderOf([jvm.pid]);
    await vi.waitFor(() => expect(recorder.size).toBe(1), WAIT);
    // The window itself can be written.
    mkdirSync(join(spoolFolder(), idOf(jvm), '2.open'));
    const problems = await stopInVain(recorder);
    expect(problems).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/EISDIR/), severity: 'error' }),
    ]);
    expect(spooled()).toContain(`${idOf(jvm)}/1.closed`);
  });

  test('when it cannot be read is told, and stays', async () => {
    const name = `${bootId().slice(0, 8)}-1-1`;
    mkdirSync(join(spoolFolder(), name), { recursive: true });
    writeFileSync(join(spoolFolder(), name, '1.closed'), 'damaged');
    const recorder = await recorderOf([process.pid]);
    expect(await stop(recorder)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^1 window could not be stored: .*cannot be read/) }),
    ]);
    expect(spooled()).toEqual([`${name}/1.closed`]);
  });

  test('when the store is down is told with what the store says', async () => {
    writeFileSync(storeFolder(), 'no folder');
    const jvm = await fakeJvm({ chunks: chunkFiles() });
    const recorder = await recorderOf([jvm.pid]);
    await vi.waitFor(() => expect(recorder.size).toBe(1), WAIT);
    await jvm.end();
    await vi.waitFor(() => expect(kinds()).toContain('left'), WAIT);
    expect(await stopInVain(recorder)).toEqual([
      expect.objectContaining({
        severity: 'error',
        message: expect.stringMatching(/^1 window could not be stored: .*a part of its path is a file/),
        file: spoolFolder(),
      }),
    ]);
    expect(spooled()).toEqual([`${spooled()[0]!.split('/')[0]}/1.closed`]);
  });
});

test('with the last named JVM that was recorded, the recorder is over; not while another one runs', async () => {
  const [first, second] = [await fakeJvm({ chunks: chunkFiles() }), await fakeJvm({ chunks: chunkFiles() })];
  const recorder = await recorderOf([first.pid, second.pid]);
  await vi.waitFor(() => expect(recorder.size).toBe(2), WAIT);
  let isOver = false;
  const over = recorder.over.then(() => {
    isOver = true;
  });
  await first.end();
  await vi.waitFor(() => expect(kinds()).toContain('left'), WAIT);
  expect(isOver).toBe(false);
  await second.end();
  await over;
  expect(recorder.isInVain).toBe(false);
  expect(await stop(recorder)).toEqual([]);
  expect(messages()).toEqual([]);
});

test('a process that does not run is told of as such, and nothing is waited for', async () => {
  const recorder = await recorderOf([4_194_303]);
  await recorder.over;
  expect(recorder.isInVain).toBe(true);
  expect(events).toMatchObject([
    { problem: { severity: 'error', message: 'it is not running', file: 'process 4194303' } },
  ]);
});
