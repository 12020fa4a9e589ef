// Checks which snapshots a request takes, and what the merged profile says about where it comes from.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprintsOf } from '../../server/mapping/stale/source-fingerprints.ts';
import type { SnapshotHeader } from '../../server/snapshot/snapshot.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import { openStore } from '../../server/store/open-store.ts';
import type { Store } from '../../server/store/store.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { profileOfText, textOfProfile } from '../support/profiles/profiles.ts';
import { EXECUTION, snapshotOf } from '../support/stores/snapshots.ts';

let root: string;
let store: Store;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'insitu-store-'));
  store = openStore(root).value!;
});
afterEach(() => rmSync(root, { recursive: true }));

async function put(
  text: string,
  names: Partial<typeof EXECUTION> = {},
  header: Partial<SnapshotHeader> = {},
  startMillis = 1_700_000_000_000,
): Promise<string> {
  const profile = profileOfText(text, { startMillis });
  const { value } = await store.put(snapshotOf(profile, { execution: { ...EXECUTION, ...names }, ...header }));
  return value!.hash;
}

function fileOf(hash: string): string {
  return join(root, readdirSync(root, { recursive: true, encoding: 'utf8' }).find(name => name.includes(hash))!);
}

async function loaded(request: Parameters<typeof loadProfile>[1]): Promise<string> {
  const { value } = await loadProfile(store, request);
  if (value === null) return '(nothing)';
  assertProfile(value.profile);
  return textOfProfile(value.profile).replaceAll(/#\d+/g, '');
}

test('instances of the newest version are merged', async () => {
  await put('Main.main | 1@3', { version: '1', instance: 'a' });
  await put('Main.main | 10@3', { version: '2', instance: 'a' }, {}, 1_700_000_100_000);
  await put('Main.main | 20@3', { version: '2', instance: 'b' }, {}, 1_700_000_100_000);
  expect(await loaded({ program: 'shop' })).toBe('Main.main | 10@3 20@3');
  expect(await loaded({ version: '1' })).toBe('Main.main | 1@3');
  expect(await loaded({ instance: 'b' })).toBe('Main.main | 20@3');
  expect(await loaded({ versions: 'all' })).toBe('Main.main | 1@3 10@3 20@3');
});

test('benchmarks are chosen by name alone', async () => {
  const run = { benchmark: 'search', fork: 0 };
  await put('Main.main | 1@3', { version: '1', instance: 'production' });
  await put('Main.main | 10@3', { version: '1', instance: 'search-0' }, run);
  await put('Main.main | 100@3', { version: '2', instance: 'search-0' }, run, 1_700_000_100_000);
  // The newest version ran as a benchmark alone, and the one before it in both ways.
  expect(await loaded({ program: 'shop' })).toBe('Main.main | 1@3');
  expect(await loaded({ version: '1' })).toBe('Main.main | 1@3');
  expect(await loaded({ version: '2' })).toBe('Main.main | 100@3');
  expect(await loaded({ version: '1', instances: ['search-0'] })).toBe('Main.main | 10@3');
});

test('no version is chosen where benchmarks alone ran', async () => {
  await put('Main.main | 100@3', { version: '2', instance: 'search-0' }, { benchmark: 'search', fork: 0 });
  const { value, problems } = await loadProfile(store, { program: 'shop' });
  expect(value).toBeNull();
  expect(problems.map(({ message }) => message)).toEqual(['only benchmarks ran, no version in production']);
});

test('some instances, and the instances that recorded in a time', async () => {
  const START = 1_700_000_000_000;
  for (const [i, instance] of ['a', 'b', 'c'].entries())
    await put(`Main.main | ${10 ** i}@3`, { instance }, {}, START + i * 100_000);
  const total = async (request: Parameters<typeof loadProfile>[1]) => {
    const { value } = await loadProfile(store, request);
    return value === null ? 0 : value.profile.cells[0]!.count.reduce((sum, count) => sum + count, 0);
  };
  expect(await total({ instances: ['a', 'c', 'nobody'] })).toBe(101);
  expect(await total({ from: START + 30_000 })).toBe(110);
  expect(await total({ from: START + 29_999 })).toBe(111);
  expect(await total({ to: START + 100_000 })).toBe(1);
  expect(await total({ to: START + 100_001, instances: ['b', 'c'] })).toBe(10);
  const { problems } = await loadProfile(store, { instances: ['x', 'y'], to: 0 });
  expect(problems).toMatchObject([{ message: 'the store has no snapshot of instance x or y in that time' }]);
});

test('it says where it comes from', async () => {
  await put('Main.main | 1@3', { instance: 'b' }, { recorder: 'x' });
  await put(
    'Main.main | 1@3\n[truncated]\n  Log.log | 4@5',
    { instance: 'a' },
    { debugNonSafepoints: null },
    1_700_000_100_000,
  );
  const progress: number[][] = [];
  const { value, problems } = await loadProfile(store, {}, (read, all) => progress.push([read, all]));
  expect(problems).toEqual([]);
  expect(value!.provenance).toMatchObject({
    project: 'acme',
    program: 'shop',
    executions: [
      { ...EXECUTION, instance: 'a' },
      { ...EXECUTION, instance: 'b' },
    ],
    startMillis: 1_700_000_000_000,
    endMillis: 1_700_000_130_000,
    recorders: ['JDK Flight Recorder, OpenJDK 17.0.15', 'x'],
    debugNonSafepoints: true,
  });
  expect(progress).toEqual([
    [1, 2],
    [2, 2],
  ]);
  await put('Main.main | 1@3', { instance: 'c' }, { debugNonSafepoints: false });
  expect((await loadProfile(store, {})).value!.provenance.debugNonSafepoints).toBe(false);
});

test('it says which snapshots know something of sources', async () => {
  await put('Main.main | 1@3', { instance: 'a' });
  const snapshot = snapshotOf(profileOfText('Main.main | 1@3'), { execution: { ...EXECUTION, instance: 'b' } });
  const sources = [fingerprintsOf('class Main {\n  void main() {}\n}\n', 'Main.java')];
  const { value: entry } = await store.put({ ...snapshot, sources });
  const { provenance } = (await loadProfile(store, {})).value!;
  expect(provenance.entries).toHaveLength(2);
  expect(provenance.sourceEntries).toEqual([entry]);
});

test('programs are never mixed', async () => {
  await put('Main.main | 1@3');
  await put('Main.main | 1@3', { program: 'till' });
  const { value, problems } = await loadProfile(store, {});
  expect(value).toBe(null);
  expect(problems).toMatchObject([{ message: 'this fits several programs: acme / shop, acme / till' }]);
  expect(await loaded({ program: 'till' })).toBe('Main.main | 1@3');
});

test('nothing that fits says what was asked', async () => {
  await put('Main.main | 1@3');
  const { value, problems } = await loadProfile(store, { program: 'till', version: '9' });
  expect(value).toBe(null);
  expect(problems).toMatchObject([
    { severity: 'error', message: 'the store has no snapshot of program till, version 9' },
  ]);
  const missing = await loadProfile(openStore(join(root, 'none')).value!, {});
  expect(missing.problems.map(each => each.message)).toEqual(['there is no store here']);
});

test('a broken snapshot is reported and left out', async () => {
  await put('Main.main | 1@3', { instance: 'a' });
  const hash = await put('Main.main | 2@3', { instance: 'b' });
  const bytes = readFileSync(fileOf(hash));
  writeFileSync(fileOf(hash), bytes.with(bytes.length - 3, bytes.at(-3)! ^ 1));
  const { value, problems } = await loadProfile(store, {});
  expect(textOfProfile(value!.profile)).toBe('Main.main | 1@3');
  expect(value!.provenance.entries).toHaveLength(1);
  expect(problems).toMatchObject([{ severity: 'error', place: 'section cells.0', file: fileOf(hash) }]);
});

test('what compaction replaced does not count twice', async () => {
  const [first, second] = [await put('Main.main | 1@3'), await put('Main.main | 2@3')];
  const compacted = await put('Main.main | 3@3', {}, { replaces: [first, second] });
  await put('Main.main | 7@3');
  expect(await loaded({})).toBe('Main.main | 10@3');
  rmSync(fileOf(first));
  expect(await loaded({})).toBe('Main.main | 10@3');
  // A recorder puts a window again of which all was compacted.
  rmSync(fileOf(second));
  expect(await put('Main.main | 1@3')).toBe(first);
  expect(await loaded({})).toBe('Main.main | 10@3');
  rmSync(fileOf(compacted));
  expect(await loaded({})).toBe('Main.main | 8@3');
});

test('where an original is broken, the compacted snapshot that holds it counts', async () => {
  const [first, second] = [await put('Main.main | 1@3'), await put('Main.main | 2@3')];
  await put('Main.main | 3@3', {}, { replaces: [first, second] });
  const bytes = readFileSync(fileOf(first));
  writeFileSync(fileOf(first), bytes.with(bytes.length - 3, bytes.at(-3)! ^ 1));
  expect(await loaded({})).toBe('Main.main | 3@3');
  // Another snapshot under its name is no better.
  writeFileSync(fileOf(first), readFileSync(fileOf(second)));
  const { value, problems } = await loadProfile(store, {});
  expect(textOfProfile(value!.profile)).toBe('Main.main | 3@3');
  expect(problems).toMatchObject([{ file: fileOf(first), message: expect.stringContaining('not what its name says') }]);
});

test('loading stops when it is cancelled', async () => {
  await put('Main.main | 1@3');
  const { value, problems } = await loadProfile(store, {}, undefined, AbortSignal.abort());
  expect(value).toBe(null);
  expect(problems).toMatchObject([{ message: 'loading was cancelled' }]);
});
