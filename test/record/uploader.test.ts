// Windows on their way from the spool into a store that refuses some, is down, or never answers.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outcome, Problem } from '../../server/base/problem.ts';
import { Spool } from '../../server/record/spool.ts';
import { Uploader } from '../../server/record/uploader.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { executionKey } from '../../server/store/counting.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import type { Store, StoreEntry } from '../../server/store/store.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { samplesOf } from '../support/recorders/recording-shop.ts';
import { EXECUTION, snapshotOf } from '../support/stores/snapshots.ts';

let folder = '';
let problems: Problem[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-uploader-'));
  problems = [];
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const storeOf = () => new FolderStore('store', join(folder, 'store'));
const messages = () => problems.map(({ message }) => message);

/** A store that puts in its own way. */
class Choosy extends FolderStore {
  override readonly mostBytes: number;
  readonly #refuses: (instance: string) => boolean;

  constructor(refuses: (instance: string) => boolean, mostBytes: number) {
    super('choosy', join(folder, 'store'));
    this.#refuses = refuses;
    this.mostBytes = mostBytes;
  }

  override async put(snapshot: Uint8Array): Promise<Outcome<StoreEntry | null>> {
    const { execution } = decodeSnapshot(snapshot).value!.header;
    if (!this.#refuses(execution.instance)) return super.put(snapshot);
    return { value: null, problems: [{ severity: 'error', message: 'access denied', remedy: 'ask somebody' }] };
  }
}

/** A store that refuses what `refuses` says of the execution's instance. */
function choosy(refuses: (instance: string) => boolean, mostBytes = Number.POSITIVE_INFINITY): Store {
  return new Choosy(refuses, mostBytes);
}

function uploaderTo(store: Store, mostBytes = 1 << 30): Uploader {
  return new Uploader({ store, mostBytes, report: more => problems.push(...more) });
}

/** Puts a window of one sample into the spool of an instance, and gives it to the uploader. */
function add(uploader: Uploader, instance: string, sequence: number, stack = 'com.acme.Shop.run'): void {
  const spool = new Spool(join(folder, 'spool'), instance.slice(0, 50));
  const execution = { ...EXECUTION, instance };
  const startMillis = sequence * 1000;
  const profile = {
    ...profileOfText(`${stack} | 1@1`),
    windows: [{ startMillis, endMillis: startMillis + 1000 }],
  };
  const snapshot = encodeSnapshot(snapshotOf(profile, { execution, startMillis, endMillis: startMillis + 1000 }));
  uploader.add(spool, spool.saveClosed({ sequence, execution, startMillis, position: null }, snapshot));
}

const waiting = () =>
  readdirSync(join(folder, 'spool'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.closed'));

async function storedInstances(): Promise<string[]> {
  const { value } = await storeOf().list({});
  return [...new Set(value.map(({ execution }) => executionKey(execution)))].map(key => JSON.parse(key)[3]).sort();
}

test('a window that the store refuses is in the way of no other, stays, and is told of', async () => {
  const uploader = uploaderTo(choosy(instance => instance === 'refused'));
  add(uploader, 'refused', 1);
  for (let window = 1; window <= 6; window++) for (const jvm of ['a', 'b']) add(uploader, jvm, window);
  await vi.waitFor(() => expect(waiting()).toEqual(['refused/1.closed']), 30_000);
  for (const jvm of ['c', 'd', 'e']) {
    add(uploader, jvm, 1);
    await vi.waitFor(() => expect(waiting()).toEqual(['refused/1.closed']), 30_000);
  }
  uploader.end();
  expect(await storedInstances()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(uploader.length).toBe(1);
  expect(messages()).toContain('access denied');
});

test('what was refused again and again while others went through is put aside, and goes out when that has changed', async () => {
  let refused = true;
  const uploader = uploaderTo(choosy(instance => refused && instance === 'refused'));
  add(uploader, 'refused', 1);
  const aside = 'the store refuses this window and takes others: access denied';
  for (let window = 1; !messages().includes(aside); window++) {
    add(uploader, 'a', window);
    await vi.waitFor(() => expect(waiting()).toEqual(['refused/1.closed']), 30_000);
    await nextTurn();
    if (window > 100) throw new Error('never put aside');
  }
  expect(problems.find(({ message }) => message === aside)).toMatchObject({
    file: join(folder, 'spool', 'refused', '1.closed'),
    remedy: 'ask somebody',
  });
  refused = false;
  expect(await uploader.drain(30_000)).toBe(0);
  expect(await storedInstances()).toEqual(['a', 'refused']);
});

test('a store that is down is told of once, and so is its return', async () => {
  let isDown = true;
  const uploader = uploaderTo(choosy(() => isDown));
  for (let window = 1; window <= 5; window++) add(uploader, 'a', window);
  await uploader.drain(500);
  expect(messages()).toEqual(['access denied']);
  isDown = false;
  expect(await uploader.drain(30_000)).toBe(0);
  expect(messages()).toEqual(['access denied', 'the store takes snapshots again']);
});

test('after its end nothing is sent any more', async () => {
  let puts = 0;
  const uploader = uploaderTo(choosy(() => ++puts > 0));
  add(uploader, 'a', 1);
  await vi.waitFor(() => expect(puts).toBeGreaterThan(0), 30_000);
  uploader.end();
  await nextTurn();
  const before = puts;
  add(uploader, 'a', 2);
  await nextTurn();
  expect(puts).toBe(before);
  expect(waiting()).toHaveLength(2);
});

test('a file that cannot be removed, and a store that fails as it must not, end nothing', async () => {
  let puts = 0;
  const failing = choosy(() => {
    if (++puts === 1) throw new Error('out of memory');
    return false;
  });
  const uploader = uploaderTo(failing);
  class Stuck extends Spool {
    override remove(): void {
      throw new Error('EROFS');
    }
  }
  const spool = new Stuck(join(folder, 'spool'), 'stuck');
  const snapshot = encodeSnapshot(snapshotOf(profileOfText('com.acme.Shop.run | 1@1')));
  const note = { sequence: 1, execution: EXECUTION, startMillis: 1, position: null };
  uploader.add(spool, spool.saveClosed(note, snapshot));
  expect(await uploader.drain(30_000)).toBe(0);
  expect(messages()).toContain('the store fails: out of memory');
  expect(messages()).toContain('what is stored cannot be removed from the spool: EROFS');
});

test('a window that cannot be read just now stays, and goes out when it can', async () => {
  const uploader = uploaderTo(storeOf());
  const spool = new Spool(join(folder, 'spool'), 'a');
  const snapshot = encodeSnapshot(snapshotOf(profileOfText('com.acme.Shop.run | 1@1')));
  const spooled = spool.saveClosed({ sequence: 1, execution: EXECUTION, startMillis: 1, position: null }, snapshot);
  const bytes = readFileSync(spooled.path);
  writeFileSync(spooled.path, 'x');
  uploader.add(spool, spooled);
  expect(uploader.has(spooled)).toBe(true);
  expect(await uploader.drain(300)).toBe(1);
  expect(uploader.reason).toBe('the window cannot be read');
  writeFileSync(spooled.path, bytes);
  expect(await uploader.drain(30_000)).toBe(0);
  expect(await storedInstances()).toEqual([EXECUTION.instance]);
});

test('windows are merged neither beyond what the store takes nor across executions', async () => {
  const uploader = uploaderTo(
    choosy(() => true),
    7000,
  );
  const execution = { ...EXECUTION, version: '2' };
  for (let window = 1; window <= 4; window++) add(uploader, 'a', window);
  const spool = new Spool(join(folder, 'spool'), 'a');
  const other = encodeSnapshot(snapshotOf(profileOfText('com.acme.Shop.run | 1@1'), { execution }));
  uploader.add(spool, spool.saveClosed({ sequence: 5, execution, startMillis: 5000, position: null }, other));
  for (let window = 6; window <= 11; window++) add(uploader, 'a', window);
  uploader.end();
  expect(messages()).toContain('the spool is full: its oldest windows were merged into one');
  const next = uploaderTo(storeOf());
  for (const spooled of spool.list()) next.add(spool, spooled);
  expect(await next.drain(30_000)).toBe(0);
  const samples = async (version: string) =>
    samplesOf((await loadProfile(storeOf(), { version })).value?.profile ?? null, 'cpu');
  expect(await samples('2')).toBe(1);
  expect(await samples(EXECUTION.version)).toBe(10);
});

test('windows that would be too large as one are left as they are', () => {
  const uploader = uploaderTo(
    choosy(() => true, 1000),
    2000,
  );
  for (let window = 1; window <= 6; window++) add(uploader, 'a', window);
  uploader.end();
  expect(messages()).not.toContain('the spool is full: its oldest windows were merged into one');
  expect(messages()).toContain('the spool is full: its oldest window is lost');
});
