// Checks provisional snapshots of windows that are still open: what readers see while they are written again and make way for final ones.
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Profile } from '../../server/cct/profile.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import type { SnapshotHeader } from '../../server/snapshot/snapshot.ts';
import { type Loaded, loadProfile, type Merged } from '../../server/store/load-snapshots.ts';
import { openStore } from '../../server/store/open-store.ts';
import type { LiveStore, Store } from '../../server/store/store.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { EXECUTION, snapshotOf } from '../support/stores/snapshots.ts';

let root: string;
let store: Store;
let live: LiveStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'insitu-live-'));
  store = openStore(root).value!;
  live = store.live!;
});
afterEach(() => rmSync(root, { recursive: true }));

const START = 1_700_000_000_000;
const LIVE = { provisional: true } as const;

/** `samples` samples of a window of a minute that begins `minute` minutes after the start. */
function windowOf(minute: number, samples: number, header: Partial<SnapshotHeader> = {}) {
  const startMillis = START + minute * 60_000;
  const profile: Profile = { ...profileOfText(`Main.main | ${samples}@3`) };
  return snapshotOf({ ...profile, windows: [{ startMillis, endMillis: startMillis + 60_000 }] }, header);
}

async function load(before: readonly Merged[] = []): Promise<{ loaded: Loaded; problems: readonly string[] }> {
  const { value, problems } = await loadProfile(store, {}, undefined, undefined, before);
  return { loaded: value!, problems: problems.map(({ message }) => message) };
}

const samplesOf = ({ profile }: Loaded) => profile.cells[0]!.count.reduce((sum, count) => sum + count, 0);

test('a provisional snapshot is replaced whenever it is written, and left aside once a final one covers its start', async () => {
  await store.put(windowOf(0, 100));
  const first = await live.put(windowOf(1, 1, LIVE));
  expect(first.problems).toEqual([]);
  expect(samplesOf((await load()).loaded)).toBe(101);
  const second = await live.put(windowOf(1, 22, LIVE));
  expect(second.value!.key).toBe(first.value!.key);
  expect(second.value!.hash).not.toBe(first.value!.hash);
  expect((await store.list({})).value.filter(({ liveMillis }) => liveMillis !== undefined)).toEqual([second.value]);
  expect(samplesOf((await load()).loaded)).toBe(122);
  await store.put(windowOf(1, 33));
  expect(samplesOf((await load()).loaded)).toBe(133);
  await live.put(windowOf(2, 4, LIVE));
  expect(samplesOf((await load()).loaded)).toBe(137);
  expect((await live.remove(EXECUTION, START + 60_000)).value).toBe(true);
  expect((await live.remove(EXECUTION, START + 60_000)).value).toBe(true);
  expect(samplesOf((await load()).loaded)).toBe(137);
});

test('a final snapshot that only says it covers the start hides nothing', async () => {
  await live.put(windowOf(5, 7, LIVE));
  await store.put(windowOf(0, 1, { endMillis: START + 3_600_000 }));
  expect(samplesOf((await load()).loaded)).toBe(8);
  // Of the same window, with less.
  await store.put(windowOf(5, 6));
  expect(samplesOf((await load()).loaded)).toBe(14);
  await store.put(windowOf(5, 7));
  expect(samplesOf((await load()).loaded)).toBe(14);
});

test('a final snapshot of another instance leaves it alone', async () => {
  await live.put(windowOf(1, 5, LIVE));
  await store.put(windowOf(1, 70, { execution: { ...EXECUTION, instance: 'eu-2' } }));
  expect(samplesOf((await load()).loaded)).toBe(75);
});

test('its next state is merged onto what was read before, and nothing of that is read again', async () => {
  for (const minute of [0, 1, 2]) await store.put(windowOf(minute, 10));
  await live.put(windowOf(3, 1, LIVE));
  const { loaded } = await load();
  expect(samplesOf(loaded)).toBe(31);
  const base: Merged = { ...loaded.base!, isExtendable: true };
  const read: string[] = [];
  const counted: Store = {
    location: root,
    mostBytes: store.mostBytes,
    list: filter => store.list(filter),
    readHeader: entry => store.readHeader(entry),
    readMethods: entry => store.readMethods(entry),
    readBytes: entry => store.readBytes(entry),
    put: snapshot => store.put(snapshot),
    tryPut: () => store.tryPut(),
    remove: entry => store.remove(entry),
    storedMillis: entry => store.storedMillis(entry),
    read: entry => {
      read.push(entry.key);
      return store.read(entry);
    },
  };
  await live.put(windowOf(3, 2, LIVE));
  const again = await loadProfile(counted, {}, undefined, undefined, [{ ...loaded, isExtendable: true }, base]);
  expect(samplesOf(again.value!)).toBe(32);
  expect(read).toEqual([expect.stringMatching(/-live\.cct$/)]);
  const same = await loadProfile(counted, {}, undefined, undefined, [{ ...again.value!, isExtendable: false }, base]);
  expect(same.value!.profile).toBe(again.value!.profile);
  expect(read).toHaveLength(1);
});

test('one that nobody writes any more still counts and is told of', async () => {
  const { value } = await live.put(windowOf(0, 9, LIVE));
  expect((await load()).problems).toEqual([]);
  const old = new Date(Date.now() - 121_000);
  utimesSync(join(root, value!.key), old, old);
  const { loaded, problems } = await load();
  expect(samplesOf(loaded)).toBe(9);
  expect(problems).toEqual([expect.stringContaining('recorder of eu-1 has stopped')]);
});

test('final and provisional are not taken for each other', async () => {
  expect((await live.put(windowOf(0, 1))).problems[0]?.message).toContain('it is final');
  expect((await store.put(windowOf(0, 1, LIVE))).problems[0]?.message).toContain('it is provisional');
  const { value } = await live.put(windowOf(0, 1, LIVE));
  writeFileSync(join(root, value!.key), encodeSnapshot(windowOf(0, 1)));
  const final = await store.put(windowOf(5, 3));
  const { loaded, problems } = await load();
  expect(samplesOf(loaded)).toBe(3);
  expect(problems).toEqual([expect.stringContaining('its name says that this snapshot is provisional')]);
  expect(readdirSync(dirname(join(root, final.value!.key)))).toHaveLength(2);
});

test('bytes are put as they are, and read back only when they are what their name says', async () => {
  const bytes = encodeSnapshot(windowOf(0, 7));
  const { value: entry } = await store.put(bytes);
  expect(entry).toEqual((await store.put(windowOf(0, 7))).value);
  expect(Buffer.from((await store.readBytes(entry!)).value!)).toEqual(Buffer.from(bytes));
  const broken = Uint8Array.from(bytes);
  broken[broken.length - 1]! ^= 1;
  expect((await store.put(broken)).value).toBe(null);
  writeFileSync(join(root, entry!.key), broken);
  const { value, problems } = await store.readBytes(entry!);
  expect(value).toBe(null);
  expect(problems[0]!.message).toContain('not what its name says');
});
