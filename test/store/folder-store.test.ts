// Checks the folder store: what it keeps, what it refuses, and that nothing it finds or is told leads out of its folder.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Execution } from '../../server/model/execution.ts';
import { fileProblem } from '../../server/store/file-problem.ts';
import { decodeSegment, encodeSegment, parseFileName } from '../../server/store/key.ts';
import { openStore } from '../../server/store/open-store.ts';
import type { Store } from '../../server/store/store.ts';
import { profileOfText, textOfProfile } from '../support/profiles/profiles.ts';
import { runs } from '../support/runs.ts';
import { EXECUTION, snapshotOf } from '../support/stores/snapshots.ts';

let root: string;
let store: Store;
const SNAPSHOT = snapshotOf(profileOfText('Main.main | 1@3'));
const OTHER = snapshotOf(profileOfText('Main.main | 2@3'), { execution: { ...EXECUTION, instance: 'eu-2' } });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'insitu-store-'));
  store = openStore(root).value!;
});
afterEach(() => {
  chmodSync(root, 0o700);
  rmSync(root, { recursive: true });
});

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile())
    .map(each => relative(folder, join(each.parentPath, each.name)).split(sep).join('/'));

describe('a snapshot that is put', () => {
  test('lies under its execution, start and content, and comes back', async () => {
    const { value: entry, problems } = await store.put(SNAPSHOT);
    expect(problems).toEqual([]);
    expect(entry!.key).toMatch(/^v1\/acme\/shop\/1\.4\.2\/eu-1\/1700000000000-[0-9a-f]{32}\.cct$/);
    expect(filesIn(root)).toEqual([entry!.key]);
    expect((await store.list({})).value).toEqual([entry]);
    const back = await store.read(entry!);
    expect(back.problems).toEqual([]);
    expect(back.value!.header).toEqual(SNAPSHOT.header);
    expect(textOfProfile(back.value!.profile)).toBe('Main.main | 1@3');
    expect((await store.readHeader(entry!)).value?.header).toEqual(SNAPSHOT.header);
  });

  test('twice is one', async () => {
    const [first, second] = [await store.put(SNAPSHOT), await store.put(SNAPSHOT)];
    expect(first.value).toEqual(second.value);
    expect(filesIn(root)).toHaveLength(1);
  });

  test('clears away what a killed import left half written days ago, and nothing else', async () => {
    const { value: entry } = await store.put(SNAPSHOT);
    const folder = dirname(join(root, entry!.key));
    const [old, young] = ['1', '2'].map(digit => `.${digit.repeat(8)}-1111-4111-8111-${digit.repeat(12)}.tmp`);
    const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 3600;
    for (const name of [old!, young!, 'notes.tmp']) writeFileSync(join(folder, name), 'half');
    for (const name of [old!, 'notes.tmp']) utimesSync(join(folder, name), twoDaysAgo, twoDaysAgo);
    await store.put(SNAPSHOT);
    expect(
      readdirSync(folder)
        .filter(name => name.endsWith('.tmp'))
        .sort(),
    ).toEqual([young, 'notes.tmp']);
  });

  test('replaces a broken file of its name', async () => {
    const { value: entry } = await store.put(SNAPSHOT);
    writeFileSync(join(root, entry!.key), 'half');
    await store.put(SNAPSHOT);
    expect((await store.read(entry!)).problems).toEqual([]);
  });

  test('is found by any part of its execution', async () => {
    await store.put(SNAPSHOT);
    await store.put(OTHER);
    const found = async (filter: Partial<Execution>) =>
      (await store.list(filter)).value.map(each => each.execution.instance);
    expect(await found({})).toEqual(['eu-1', 'eu-2']);
    expect(await found({ program: 'shop', instance: 'eu-2' })).toEqual(['eu-2']);
    expect(await found({ program: 'sho' })).toEqual([]);
    expect(await found({ project: '..', program: '..' })).toEqual([]);
  });

  test('is gone once removed, and removing it again does no harm', async () => {
    const { value: entry } = await store.put(SNAPSHOT);
    expect((await store.remove(entry!)).value).toBe(true);
    expect((await store.remove(entry!)).value).toBe(true);
    expect((await store.list({})).value).toEqual([]);
    const { value, problems } = await store.read(entry!);
    expect(value).toBe(null);
    expect(problems[0]!.message).toBe('the snapshot cannot be read: it does not exist');
    expect((await store.readHeader(entry!)).problems).toHaveLength(1);
  });
});

describe('a store that is not as it should be', () => {
  test('a missing folder says how to fill it', async () => {
    const { value, problems } = await openStore(join(root, 'none')).value!.list({});
    expect(value).toEqual([]);
    expect(problems).toMatchObject([
      { severity: 'error', message: 'there is no store here', file: join(root, 'none') },
    ]);
    expect(problems[0]!.remedy).toContain('insitu import');
  });

  test('an empty folder is an empty store', async () => {
    expect(await store.list({})).toEqual({ value: [], problems: [] });
  });

  test('a file in place of the folder', async () => {
    writeFileSync(join(root, 'file'), '');
    const broken = openStore(join(root, 'file')).value!;
    expect((await broken.list({})).problems).toMatchObject([{ message: 'the store is a file' }]);
    const { value, problems } = await broken.put(SNAPSHOT);
    expect(value).toBe(null);
    expect(problems[0]).toMatchObject({ severity: 'error', file: expect.stringContaining(join(root, 'file')) });
    expect(problems[0]!.message).toMatch(/^the snapshot cannot be stored: /);
  });

  test('a file system that cannot be written to', () => {
    const error = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
    expect(fileProblem('the snapshot cannot be stored', '/mnt/store', error)).toEqual({
      severity: 'error',
      message: 'the snapshot cannot be stored: the file system is read-only',
      file: '/mnt/store',
      remedy: 'choose a store that can be written to',
    });
  });

  test('a write that fails leaves nothing behind', async () => {
    const { value: entry } = await store.put(SNAPSHOT);
    const file = join(root, entry!.key);
    rmSync(file);
    mkdirSync(join(file, 'in the way'), { recursive: true });
    expect((await store.put(SNAPSHOT)).value).toBe(null);
    expect(readdirSync(dirname(file))).toEqual([parseName(entry!.key)]);
  });

  test('broken snapshots and foreign files are reported, the rest goes on', async () => {
    const { value: entry } = await store.put(SNAPSHOT);
    await store.put(OTHER);
    const file = join(root, entry!.key);
    writeFileSync(file, readFileSync(file).subarray(0, 100));
    writeFileSync(join(dirname(file), 'notes.txt'), '');
    writeFileSync(join(dirname(file), '.123.tmp'), 'left by a crash');
    writeFileSync(join(root, 'v1', 'README'), '');
    mkdirSync(join(root, 'v1', 'not%encoded'));
    symlinkSync('nowhere', join(root, 'v1', 'dangling'));
    const { value, problems } = await store.list({});
    expect(value.map(each => each.execution.instance)).toEqual(['eu-1', 'eu-2']);
    expect(problems.map(each => each.message)).toEqual([
      'a symbolic link in a store is not followed',
      '2 things are left alone as no snapshot: README, not%encoded',
      'something is left alone as no snapshot: notes.txt',
    ]);
    const broken = await store.read(value[0]!);
    expect(broken.value).toBe(null);
    expect(broken.problems).toMatchObject([{ severity: 'error', file, place: 'byte 100' }]);
    expect((await store.readHeader(value[0]!)).problems).toMatchObject([{ severity: 'error', place: 'byte 100' }]);
  });

  test('a snapshot under another name is said to be', async () => {
    const { value: entry } = await store.put(SNAPSHOT);
    const stray = { ...entry!, execution: { ...EXECUTION, version: '2' } };
    const folder = join(root, 'v1/acme/shop/2/eu-1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, parseName(entry!.key)), readFileSync(join(root, entry!.key)));
    expect((await store.read(stray)).problems).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('its version is ‘1.4.2’') },
    ]);
  });
});

function parseName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

describe('whether anything could be put', () => {
  test('is told of a folder that will come into being, without making it', async () => {
    const place = join(root, 'not', 'yet');
    expect(await openStore(place).value!.tryPut()).toEqual([]);
    expect(await store.tryPut()).toEqual([]);
    expect(readdirSync(root)).toEqual([]);
  });

  test('a file in the way is told of, and so is a folder that this user may not write to', async () => {
    writeFileSync(join(root, 'file'), '');
    const message = expect.stringMatching(/^nothing can be stored here: /);
    for (const name of ['file', 'file/below'])
      expect(await openStore(join(root, name)).value!.tryPut()).toMatchObject([{ severity: 'error', message }]);
    chmodSync(root, 0o500);
    // The superuser may write anywhere.
    const isRefused = process.getuid?.() !== 0;
    expect(await store.tryPut()).toMatchObject(isRefused ? [{ severity: 'error', message }] : []);
  });
});

describe('names', () => {
  const nasty = fc.oneof(
    fc.constantFrom(
      '',
      '.',
      '..',
      '...',
      'a/b',
      'a\\b',
      '/etc',
      'C:\\x',
      'con',
      'NUL.txt',
      'com1',
      'x.',
      ' ',
      '~',
      '%',
      '%2E',
      '\0',
    ),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
  );

  test('any text that is not too long is one safe segment and comes back', () => {
    fc.assert(
      fc.property(nasty, text => {
        const segment = encodeSegment(text);
        // Segments have at most 200 characters. A byte becomes at most three; a grapheme can have many bytes.
        if (segment === null) return expect(Buffer.byteLength(text) * 3).toBeGreaterThan(200);
        expect(segment).toMatch(/^(%|[A-Za-z0-9_+%-][A-Za-z0-9_+.%-]*)$/);
        expect(segment).not.toMatch(/\.$/);
        expect(segment).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(decodeSegment(segment)).toBe(text.toWellFormed());
      }),
      { numRuns: runs(2000) },
    );
  });

  test('what nobody encoded is not decoded', () => {
    for (const name of ['..', '.', '', 'a b', '%2e', '%41', '%zz', 'x.', 'con', '.hidden']) {
      expect(decodeSegment(name), name).toBe(null);
    }
    expect(parseFileName('12-short.cct')).toBe(null);
  });

  test('times that no clock shows, and numbers that nobody writes so, are foreign', () => {
    const named = (start: string) => parseFileName(`${start}-${'0'.repeat(32)}.cct`)?.startMillis ?? null;
    for (const start of ['9999999999999999', '8640000000000001', '-8640000000000001', '007', '-0']) {
      expect(named(start), start).toBe(null);
    }
    for (const start of [0, 1_700_000_000_000, 8_640_000_000_000_000, -8_640_000_000_000_000]) {
      expect(named(String(start))).toBe(start);
    }
  });

  test('any execution stays inside the folder and is listed as it was put', async () => {
    const short = nasty.filter(text => encodeSegment(text)!.length < 120);
    const execution = fc.record({ project: short, program: short, version: short, instance: short });
    await fc.assert(
      fc.asyncProperty(execution, async names => {
        const { value: entry, problems } = await store.put(snapshotOf(SNAPSHOT.profile, { execution: names }));
        expect(problems).toEqual([]);
        expect(filesIn(root)).toEqual([entry!.key]);
        const wellFormed = Object.fromEntries(Object.entries(names).map(([key, text]) => [key, text.toWellFormed()]));
        expect((await store.list({})).value.map(each => each.execution)).toEqual([wellFormed]);
        await store.remove(entry!);
        rmSync(join(root, 'v1'), { recursive: true });
      }),
      { numRuns: runs(60) },
    );
  });

  test('one that is too long is refused by its field', async () => {
    const execution = { ...EXECUTION, version: 'ü'.repeat(100) };
    const { value, problems } = await store.put(snapshotOf(SNAPSHOT.profile, { execution }));
    expect(value).toBe(null);
    expect(problems[0]!.message).toBe('the version is too long to name a folder');
    expect(filesIn(root)).toEqual([]);
  });
});

describe('locations', () => {
  test('a scheme that nobody knows is refused', () => {
    const { value, problems } = openStore('ftp://host/profiles');
    expect(value).toBe(null);
    expect(problems).toMatchObject([{ severity: 'error', message: 'there are no stores of the kind ftp://' }]);
  });

  test('so are an empty name and an address of another machine', () => {
    for (const location of ['', '  ', 'a\0b', 'file://other-machine/store']) {
      expect(openStore(location).problems, location).toHaveLength(1);
    }
  });

  test('a file: address is a folder', async () => {
    const other = openStore(`file://${root}`).value!;
    await store.put(SNAPSHOT);
    expect((await other.list({})).value).toHaveLength(1);
  });
});
