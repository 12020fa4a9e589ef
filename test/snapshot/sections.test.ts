// Checks what becomes of snapshots with sections that this version does not know: nothing of them is lost.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decodeHeader, decodeSnapshot, findSnapshotFlaw } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import type { SnapshotHeader } from '../../server/snapshot/snapshot.ts';
import { compact } from '../../server/store/compact.ts';
import { encodeForStore } from '../../server/store/encoded.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { snapshotOf, withSection } from '../support/stores/snapshots.ts';

const LEVELS = [{ olderThanMillis: 0, spanMillis: 3_600_000, finestMillis: 0 }];
const NOW = 4e12;

let folder: string;
let store: FolderStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sections-'));
  store = new FolderStore(folder, folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plainBytes = (method: string, header: Partial<SnapshotHeader> = {}) =>
  encodeSnapshot(snapshotOf(profileOfText(`Main.main\n  Shop.${method} :3 | 2@5`), header));
const newerBytes = (method: string, header: Partial<SnapshotHeader> = {}) =>
  withSection(plainBytes(method, header), 'later', Uint8Array.of(1, 2, 3), false);

async function put(bytes: Uint8Array) {
  const { value, problems } = await store.put(bytes);
  expect(problems).toEqual([]);
  return value!;
}

const compactNow = () => compact(store, { levels: LEVELS, graceMillis: 0, now: () => NOW });
const keys = async () => (await store.list({})).value.map(({ key }) => key).sort();

describe('a reader', () => {
  test('skips an unknown optional section and says so', () => {
    const { value, problems } = decodeSnapshot(newerBytes('run'), 'a.cct');
    expect(value!.profile.tree.length).toBe(3);
    expect(problems).toEqual([
      {
        severity: 'info',
        message: 'this version of insitu does not know the section "later" and reads the rest of the snapshot',
        file: 'a.cct',
        remedy: 'update insitu on this machine',
      },
    ]);
    expect(decodeHeader(newerBytes('run')).value!.foreign).toEqual(['later']);
  });

  test('refuses an unknown required section by its name', () => {
    const bytes = withSection(plainBytes('run'), 'costs', Uint8Array.of(1), true);
    for (const { value, problems } of [decodeSnapshot(bytes), decodeHeader(bytes)]) {
      expect(value).toBe(null);
      expect(problems[0]!.message).toBe(
        'the snapshot needs the section "costs", which this version of insitu does not know',
      );
      expect(problems[0]!.remedy).toBe('update insitu on this machine');
    }
  });

  test('refuses two sections of one name', () => {
    const bytes = withSection(newerBytes('run'), 'later', Uint8Array.of(9), false);
    expect(decodeSnapshot(bytes).problems[0]!.message).toContain('has the name of another section');
  });

  test('a store takes no snapshot whose unknown section was damaged', () => {
    const bytes = newerBytes('run');
    bytes[bytes.length - 1]! ^= 1;
    expect(findSnapshotFlaw(bytes)).toEqual({
      message: 'its checksum is wrong: the file was damaged',
      place: 'section later',
    });
    expect(encodeForStore(bytes, folder).value).toBe(null);
  });

  test('a load of many says it once', async () => {
    for (const method of ['a', 'b', 'c']) await put(newerBytes(method));
    const { value, problems } = await loadProfile(store, {});
    expect(value!.profile.tree.length).toBe(5);
    expect(problems.map(({ message }) => message)).toEqual([
      'this version of insitu does not know the section "later" and reads the rest of the snapshot',
    ]);
  });
});

describe('compaction', () => {
  test('leaves a snapshot with an unknown section as it is, says so, and merges the others', async () => {
    const bytes = newerBytes('newer');
    const { key } = await put(bytes);
    await put(plainBytes('a'));
    await put(plainBytes('b'));
    const first = await compactNow();
    expect(first.value).toMatchObject({ merged: 2, written: 1 });
    expect(first.problems.map(({ message }) => message)).toEqual([
      `${key} is left as it is: this version of insitu does not know the section "later"`,
    ]);
    await compactNow();
    expect(await keys()).toHaveLength(2);
    expect(readFileSync(join(folder, key))).toEqual(Buffer.from(bytes));
    expect((await loadProfile(store, {})).value!.profile.cells[0]!.count.reduce((sum, each) => sum + each)).toBe(6);
  });

  test('removes no original that has an unknown section', async () => {
    const [a, b] = [await put(newerBytes('a')), await put(plainBytes('b'))];
    const both = profileOfText('Main.main\n  Shop.a :3 | 2@5\n  Shop.b :3 | 2@5');
    await put(encodeSnapshot(snapshotOf(both, { replaces: [a.hash, b.hash].sort() })));
    const before = await keys();
    const { value, problems } = await compactNow();
    expect(value.removed).toBe(0);
    expect(problems.some(({ message }) => message.includes('"later", unknown to this version'))).toBe(true);
    expect(await keys()).toEqual(before);
  });

  test('removes nothing in favour of a compacted snapshot that has an unknown section', async () => {
    const [a, b] = [await put(plainBytes('a')), await put(plainBytes('b'))];
    const both = snapshotOf(profileOfText('Main.main\n  Shop.a :3 | 2@5\n  Shop.b :3 | 2@5'), {
      replaces: [a.hash, b.hash].sort(),
    });
    await put(withSection(encodeSnapshot(both), 'later', Uint8Array.of(4), false));
    const before = await keys();
    expect((await compactNow()).value).toMatchObject({ removed: 0, written: 0 });
    expect(await keys()).toEqual(before);
  });

  test('touches nothing of an execution with an unknown required section', async () => {
    await put(plainBytes('a'));
    await put(plainBytes('b'));
    const key = (await put(plainBytes('c'))).key;
    writeFileSync(join(folder, key), withSection(plainBytes('c'), 'costs', Uint8Array.of(1), true));
    const before = await keys();
    const { value, problems } = await compactNow();
    expect(value).toMatchObject({ written: 0, removed: 0 });
    expect(problems.some(({ message }) => message.includes('needs the section "costs"'))).toBe(true);
    expect(await keys()).toEqual(before);
  });

  test('keeps what is known of the machine where all agree, and keeps forks apart', async () => {
    await put(plainBytes('a', { processors: 4, priorities: 'obeyed' }));
    await put(plainBytes('b', { processors: 4, priorities: 'ignored' }));
    await put(plainBytes('c', { benchmark: 'orders', fork: 0 }));
    await put(plainBytes('d', { benchmark: 'orders', fork: 0 }));
    await put(plainBytes('e', { benchmark: 'orders', fork: 1 }));
    await compactNow();
    await compactNow();
    const headers = await Promise.all((await store.list({})).value.map(entry => store.readHeader(entry)));
    const told = headers.map(({ value }) => {
      const { processors, priorities, benchmark, fork } = value!.header;
      return JSON.stringify({ processors, priorities, benchmark, fork });
    });
    expect(told.sort()).toEqual([
      '{"benchmark":"orders","fork":0}',
      '{"benchmark":"orders","fork":1}',
      '{"processors":4}',
    ]);
  });
});
