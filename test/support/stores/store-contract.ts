// The contract of every store: the same tests for folders and buckets.
import { expect, test } from 'vitest';
import type { Execution } from '../../../server/model/execution.ts';
import { decodeSources } from '../../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../../server/snapshot/encode.ts';
import type { Snapshot } from '../../../server/snapshot/snapshot.ts';
import { compact } from '../../../server/store/compact.ts';
import { loadProfile } from '../../../server/store/load-snapshots.ts';
import type { Store, StoreEntry } from '../../../server/store/store.ts';
import { profileOfText } from '../profiles/profiles.ts';
import { EXECUTION, snapshotOf } from './snapshots.ts';

const START = 1_700_000_000_000;
/** The sources of the snapshots that are put with them. */
const SOURCES = [
  {
    members: [
      { parent: -1, kind: 'class', name: 'Main', signature: 'Main', firstLine: 1, lastLine: 9, text: '', code: '' },
    ],
  },
];

/** A window of a minute with so many samples, some minutes after a fixed start. */
export function windowSnapshot(minute: number, samples: number, execution: Partial<Execution> = {}): Snapshot {
  const startMillis = START + minute * 60_000;
  const profile = profileOfText(`Main.main | ${samples}@3`);
  const windows = [{ startMillis, endMillis: startMillis + 60_000 }];
  return snapshotOf({ ...profile, windows }, { execution: { ...EXECUTION, ...execution } });
}

/** Samples of everything in the store that answers a filter. */
export async function samplesIn(store: Store, filter: Partial<Execution> = {}): Promise<number> {
  const { value, problems } = await loadProfile(store, filter);
  expect(problems).toEqual([]);
  return value!.profile.cells[0]!.count.reduce((sum, count) => sum + count, 0);
}

/** @param fresh an empty store, and another one that looks at the same place */
export function storeContract(fresh: () => Promise<{ readonly store: Store; readonly other: Store }>): void {
  test('what is put comes back, by list, header, methods, bytes and whole', async () => {
    const { store, other } = await fresh();
    const snapshot = windowSnapshot(0, 7);
    const { value: entry, problems } = await store.put(snapshot);
    expect(problems).toEqual([]);
    expect(entry!.key).toMatch(/^v1\/acme\/shop\/1\.4\.2\/eu-1\/1700000000000-[0-9a-f]{32}\.cct$/);
    expect(await other.list({})).toEqual({ value: [entry], problems: [] });
    expect((await other.readHeader(entry!)).value!.header).toEqual(snapshot.header);
    expect((await other.read(entry!)).value!.header).toEqual(snapshot.header);
    expect((await other.readMethods(entry!)).value!.length).toBe(snapshot.profile.methods.length);
    expect(Buffer.from((await other.readBytes(entry!)).value!)).toEqual(Buffer.from(encodeSnapshot(snapshot)));
    expect(Math.abs((await other.storedMillis(entry!))! - Date.now())).toBeLessThan(600_000);
  });

  test('the same snapshot is one entry, however often and from wherever it is put', async () => {
    const { store, other } = await fresh();
    const snapshot = windowSnapshot(0, 7);
    const puts = [store.put(snapshot), other.put(snapshot), store.put(encodeSnapshot(snapshot))];
    const entries = (await Promise.all(puts)).map(({ value }) => value);
    expect(entries[1]).toEqual(entries[0]);
    expect(entries[2]).toEqual(entries[0]);
    expect((await other.list({})).value).toEqual([entries[0]]);
    expect(await samplesIn(other)).toBe(7);
  });

  test('a filter names executions, whatever their names hold', async () => {
    const { store, other } = await fresh();
    const names = ['1.0', '1.0/../2', 'ä ö+%', '', '.', 'x'.repeat(190)];
    for (const [at, version] of names.entries()) {
      const { value } = await store.put(windowSnapshot(0, 2 ** at, { version }));
      expect(value!.key).not.toContain('/../');
    }
    for (const [at, version] of names.entries()) expect(await samplesIn(other, { version })).toBe(2 ** at);
    const { value: all } = await other.list({ project: 'acme', instance: 'eu-1' });
    expect(all.map(({ execution }) => execution.version).sort()).toEqual([...names].sort());
    expect((await other.list({ project: 'acm' })).value).toEqual([]);
  });

  test('what is removed is gone, and removing it again is no mistake', async () => {
    const { store, other } = await fresh();
    const { value: entry } = await store.put(windowSnapshot(0, 7));
    expect(await store.remove(entry!)).toEqual({ value: true, problems: [] });
    expect(await store.remove(entry!)).toEqual({ value: true, problems: [] });
    expect((await store.list({})).value).toEqual([]);
    const gone = await other.read(entry!);
    expect(gone.value).toBe(null);
    expect(gone.problems).toMatchObject([{ severity: 'error', remedy: expect.any(String) }]);
    expect(await other.storedMillis(entry!)).toBe(null);
  });

  test('entries that were made up lead nowhere', async () => {
    const { store } = await fresh();
    const { value: entry } = await store.put(windowSnapshot(0, 7));
    const madeUp: Partial<StoreEntry>[] = [
      { hash: '../../../../etc/passwd' },
      { hash: '' },
      { startMillis: Number.NaN },
      { execution: { ...EXECUTION, version: 'x'.repeat(400) } },
      { execution: { ...EXECUTION, version: '../..' } },
    ];
    for (const change of madeUp) {
      for (const outcome of [
        await store.read({ ...entry!, ...change }),
        await store.readHeader({ ...entry!, ...change }),
      ]) {
        expect(outcome.value).toBe(null);
        expect(outcome.problems).toMatchObject([{ severity: 'error' }]);
      }
    }
    expect((await store.list({})).value).toEqual([entry]);
  });

  test('compaction makes one of many, which readers see once before and after the many are removed', async () => {
    const { store, other } = await fresh();
    for (let minute = 0; minute < 20; minute++) {
      const sources = minute % 5 === 0 ? SOURCES : [];
      await store.put({ ...windowSnapshot(minute, minute + 1), sources });
    }
    expect((await compact(store)).value).toMatchObject({ executions: 1, merged: 20, written: 1, removed: 0 });
    expect((await other.list({})).value).toHaveLength(21);
    expect(await samplesIn(other)).toBe(210);
    // As if an hour had passed.
    const later = { now: () => Date.now() + 3_600_000 };
    expect((await compact(other, later)).value).toMatchObject({ merged: 0, written: 0, removed: 20 });
    const { value: left } = await other.list({});
    expect(left).toHaveLength(1);
    expect(await samplesIn(other)).toBe(210);
    const { value: bytes } = await other.readBytes(left[0]!);
    expect(decodeSources(bytes!).value).toEqual(SOURCES);
    // A recorder that did not hear of its success puts a window again.
    await store.put(windowSnapshot(3, 4));
    expect(await samplesIn(store)).toBe(210);
    expect((await compact(store, later)).value).toMatchObject({ written: 0, removed: 1 });
  });

  test('a forged snapshot hides nothing, and compaction removes nothing because of it', async () => {
    const { store, other } = await fresh();
    const put = async (snapshot: Snapshot) => (await store.put(snapshot)).value!;
    const genuine = [await put(windowSnapshot(0, 7)), await put(windowSnapshot(1, 8))];
    const replaces = genuine.map(({ hash }) => hash);
    const forged = (own: readonly string[], samples: number) => {
      const { header, profile } = windowSnapshot(0, samples);
      return { profile, header: { ...header, endMillis: START + 120_000, replaces: own } };
    };
    const all = await put(forged(replaces, 1));
    expect(await samplesIn(other)).toBe(15);
    const some = await put(forged([replaces[0]!, 'f'.repeat(32)], 6));
    const { value, problems } = await loadProfile(store, {});
    expect(value!.profile.cells[0]!.count.reduce((sum, count) => sum + count, 0)).toBe(15);
    expect(problems).toMatchObject([{ file: some.key, message: expect.stringContaining(genuine[0]!.key) }]);
    const levels = [{ olderThanMillis: 0, spanMillis: 1, finestMillis: 0 }];
    const later = { levels, now: () => Date.now() + 3_600_000 };
    const compacted = await compact(store, later);
    expect(compacted.value).toMatchObject({ removed: 0, written: 0 });
    const told = compacted.problems.map(({ file, message }) => `${file} ${message}`).join('\n');
    for (const { key } of [all, some, ...genuine]) expect(told).toContain(key);
    expect(told).toContain('nothing is removed');
    expect(told).toContain('samples of cpu in Main.main');
    expect((await store.list({})).value).toHaveLength(4);
  });

  test('what is removed because of a compacted snapshot is in it as the store has it', async () => {
    const { store } = await fresh();
    const windows = [windowSnapshot(0, 7), windowSnapshot(1, 8)];
    const hashes: string[] = [];
    for (const window of windows) hashes.push((await store.put(window)).value!.hash);
    const { header } = windows[0]!;
    // Equal samples of each method, and yet not the same: another line, another time, nothing of its sources.
    const moved = profileOfText('Main.main | 15@4');
    const early = profileOfText('Main.main | 15@3');
    const span = [{ startMillis: START, endMillis: START + 120_000 }];
    for (const profile of [
      { ...moved, windows: span },
      { ...early, windows: windows[0]!.profile.windows },
      { ...early, windows: span },
    ])
      await store.put({ profile, header: { ...header, endMillis: START + 120_000, replaces: hashes } });
    const levels = [{ olderThanMillis: 0, spanMillis: 1, finestMillis: 0 }];
    const { value, problems } = await compact(store, { levels, now: () => Date.now() + 3_600_000 });
    expect(value.removed).toBe(0);
    expect(problems.length).toBeGreaterThan(2);
    expect(await samplesIn(store)).toBe(15);
    // As fine as these levels ask, it holds what it says.
    const coarse = [{ olderThanMillis: 0, spanMillis: 1, finestMillis: 600_000 }];
    const done = await compact(store, { levels: coarse, now: () => Date.now() + 3_600_000 });
    expect(done.value.removed).toBe(2);
    const { value: left } = await loadProfile(store, {});
    expect(left!.profile.windows).toContainEqual({ ...span[0], jvm: left!.provenance.executions[0]!.instance });
  });

  test.each([
    ['keeps the names of single threads in windows as they were', 0, ['main', 'reader-1', 'reader-2', 'reader-3']],
    ['drops the names of single threads in coarser windows', 600_000, ['main', 'reader-#']],
  ])('compaction %s, and what it replaces goes', async (_, finestMillis, names) => {
    const { store } = await fresh();
    const stacks = ['Main.main | 1@3 2@3/1 4@3/2', 'Main.main | 8@3/1 16@3/2'];
    const threads = [
      ['main', 'reader-1', 'reader-2'],
      ['main', 'reader-2', 'reader-3'],
    ];
    for (const [minute, text] of stacks.entries()) {
      const { header, profile } = windowSnapshot(minute, 1);
      const { threads: table, ...rest } = profileOfText(text, { threads: threads[minute]! });
      const rawNames = table.name.map(() => []);
      await store.put({ header, profile: { ...rest, threads: { ...table, rawNames }, windows: profile.windows } });
    }
    const levels = [{ olderThanMillis: 0, spanMillis: 3_600_000, finestMillis }];
    const now = Date.now() + 3_600_000;
    const run = () => compact(store, { levels, graceMillis: 0, now: () => now });
    expect((await run()).problems).toEqual([]);
    expect(await run()).toMatchObject({ value: { removed: 2 }, problems: [] });
    const { profile } = (await loadProfile(store, {})).value!;
    expect([...profile.threads.name].sort()).toEqual(names);
    expect(await samplesIn(store)).toBe(31);
  });

  test('sixteen writers of one snapshot and sixteen others: each counts once', async () => {
    const { store, other } = await fresh();
    const same = windowSnapshot(0, 1_000);
    const puts = Array.from({ length: 16 }, (_, at) => [
      (at % 2 === 0 ? store : other).put(same),
      (at % 2 === 0 ? other : store).put(windowSnapshot(at + 1, 1)),
    ]);
    for (const { value, problems } of await Promise.all(puts.flat()))
      expect(value, JSON.stringify(problems)).not.toBe(null);
    expect((await other.list({})).value).toHaveLength(17);
    expect(await samplesIn(other)).toBe(1_016);
  });
}
