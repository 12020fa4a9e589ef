// Tests that a noted first look is given before anything is loaded, as long as nothing has changed that decides what the source names.
import {
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
import { dirname, join } from 'node:path';
import { serialize } from 'node:v8';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hintsOf } from '../../server/features/hints/hints.ts';
import { writeChecked } from '../../server/workspace/data/checked-file.ts';
import { FirstLooks, withoutTree } from '../../server/workspace/data/first-look.ts';
import { prepareData } from '../../server/workspace/data/load-data.ts';
import { completeData, type TransferableData } from '../../server/workspace/data/loaded-data.ts';
import { Loader } from '../../server/workspace/data/loader.ts';
import { decidingPlaces, hasNotes, headStamps, LookNotes } from '../../server/workspace/data/look-notes.ts';
import type { Source } from '../../server/workspace/data/source.ts';
import { folderStamp, projectFolder } from '../../server/workspace/data/store-watch.ts';
import { documentView } from '../../server/workspace/document/document-view.ts';
import { provenanceOf } from '../support/loaded.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/lsp-store.ts';
import { profileOfText } from '../support/profiles.ts';

/** What another thread does comes late on a busy machine. */
const PATIENT = { timeout: 30_000 };

let folder: string;
let place: LspFolder;
let source: Source;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-look-notes-'));
  place = await lspFolder();
  await putPicture(place.store, 'Shop.run | 20@1\n  Helper.go :1 | 60@9');
  source = { store: place.store, project: 'acme', program: null, version: null, metric: null, root: place.folder };
  age(place.store);
});
afterEach(async () => {
  // A loader's thread may still be keeping a look there.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  await place.remove();
});

/** As if all of it had been written a while ago. */
function age(path: string, seconds = 60): void {
  const then = new Date(Date.now() - seconds * 1000);
  const below = readdirSync(path, { recursive: true, withFileTypes: true });
  for (const entry of below) utimesSync(join(entry.parentPath, entry.name), then, then);
  utimesSync(path, then, then);
}

describe('a start', () => {
  const loaders: Loader[] = [];
  afterEach(() => {
    for (const loader of loaders.splice(0)) loader.close();
  });

  /** What a new process does with a first message; hints are never answered. */
  function begun(wanted = source, hintsFirst = true): Loader {
    const loader = new Loader({ folder, fewestNodes: 2 });
    loaders.push(loader);
    loader.begin(wanted, hintsFirst);
    return loader;
  }

  /** Loads all, as the first process does, and waits until that is kept. */
  async function kept(): Promise<TransferableData> {
    const loader = begun();
    expect(loader.isHolding).toBe(false);
    const load = loader.load(source, () => {});
    loader.readOn();
    const result = await load.result;
    await vi.waitFor(
      () => expect(readdirSync(folder).filter(name => /\.(look|note)$/.test(name))).toHaveLength(2),
      PATIENT,
    );
    return result!.value!;
  }

  function hintsWith(data: TransferableData): string {
    const state = { kind: 'ready', data: completeData(data), problems: [] } as const;
    return JSON.stringify(hintsOf(documentView({ text: 'class Shop { void run() { helper.go(); } }', state })));
  }

  test('gives what was noted before there is a thread to load, and loads when hints have been answered', {
    timeout: 120_000,
  }, async () => {
    expect(new Loader({ folder, fewestNodes: 2 }).mayHaveSeen).toBe(false);
    const whole = await kept();
    const loader = begun();
    expect([loader.mayHaveSeen, loader.isHolding]).toEqual([true, true]);
    const { firstLook, result } = loader.load(source, () => {});
    const look = await firstLook;
    expect(hintsWith(look!)).toBe(hintsWith(whole));
    expect(hintsWith(look!)).toContain('100% · self');
    expect(look!.selected.provenance).toEqual(whole.selected.provenance);
    expect(loader.isHolding).toBe(true);
    loader.readOn();
    expect(hintsWith((await result)!.value!)).toBe(hintsWith(whole));
  });

  test('loads a second later where nobody asks for hints, and something else at once', {
    timeout: 120_000,
  }, async () => {
    await kept();
    const load = begun().load(source, () => {});
    expect((await load.result)!.value).not.toBeNull();
    const other = begun();
    const result = other.load({ ...source, version: 'none' }, () => {}).result;
    expect(other.isHolding).toBe(false);
    expect((await result)?.missing).toEqual(['version']);
  });

  test('gives nothing when the store has changed, another source is wanted or nobody lists hints', {
    timeout: 120_000,
  }, async () => {
    await kept();
    expect(begun({ ...source, metric: 'cpu' }).isHolding).toBe(false);
    expect(begun({ ...source, part: { threads: ['main'] } }).isHolding).toBe(false);
    expect(begun(source, false).isHolding).toBe(false);
    expect(begun().isHolding).toBe(true);
    await putPicture(place.store, 'Shop.run | 7@1', { instance: 'i-2' }, 60);
    const loader = begun();
    expect(loader.isHolding).toBe(false);
    const { firstLook, result } = loader.load(source, () => {});
    // One of those that were begun above may have read what is new, and have kept its look.
    expect((await firstLook)?.selected.analysis.whole.count ?? 87).toBe(87);
    expect((await result)!.value!.selected.analysis.whole.count).toBe(87);
  });

  test('gives nothing when the first look is gone or damaged', { timeout: 120_000 }, async () => {
    await kept();
    const look = readdirSync(folder).find(name => name.endsWith('.look'))!;
    writeFileSync(join(folder, look), 'damaged, and long enough');
    expect(begun().isHolding).toBe(false);
    rmSync(join(folder, look));
    expect(begun().isHolding).toBe(false);
  });
});

describe('what decides which snapshots a source names', () => {
  const now = () => Date.now();
  const stamp = () => folderStamp(projectFolder(source)!);

  test('are all folders of its project, as long as no other program is in it', async () => {
    const places = decidingPlaces(source, await stamp(), [], now());
    expect(places!.map(([path]) => path)).toContain(projectFolder(source)!);
    expect(places).toHaveLength(4);
    await putPicture(place.store, 'Other.run | 7@1', { program: 'other' });
    age(place.store);
    expect(decidingPlaces(source, await stamp(), [], now())).toBeNull();
    expect(decidingPlaces({ ...source, program: 'shop' }, await stamp(), [], now())).toHaveLength(7);
  });

  test('is not known of buckets, of what changed just now and of what is behind a link', async () => {
    expect(decidingPlaces({ ...source, store: 's3://b' }, 'stamp', [], now())).toBeNull();
    expect(decidingPlaces(source, null, [], now())).toBeNull();
    age(place.store, 1);
    // A whole second is a step of two.
    const half = new Date(Math.floor(now() / 1000) * 1000 - 500);
    utimesSync(projectFolder(source)!, half, half);
    const [moment, whole] = [half.getTime(), new Date(half.getTime() - 500)];
    for (const path of (await stamp()).split('\n')) utimesSync(path.split('\0')[0]!, half, half);
    expect(decidingPlaces(source, await stamp(), [], moment + 50)).toBeNull();
    expect(decidingPlaces(source, await stamp(), [], moment + 150)).not.toBeNull();
    utimesSync(projectFolder(source)!, whole, whole);
    expect(decidingPlaces(source, await stamp(), [], moment + 150)).toBeNull();
    expect(decidingPlaces(source, await stamp(), [], moment + 5_000)).not.toBeNull();
    symlinkSync(join(place.folder, 'insitu.json'), join(projectFolder(source)!, 'elsewhere'));
    age(place.store);
    expect(decidingPlaces(source, await stamp(), [], now())).toBeNull();
  });

  test('is the commit checked out too, where nobody names a version', () => {
    const head = join(place.folder, '.git', 'HEAD');
    mkdirSync(dirname(head));
    writeFileSync(head, 'ref: refs/heads/main\n');
    expect(headStamps(source)).toEqual([]);
    expect(headStamps({ ...source, repository: place.folder, version: '1.0' })).toEqual([]);
    const stamps = headStamps({ ...source, repository: place.folder });
    expect(stamps.map(([path]) => path)).toContain(head);
    const notes = new LookNotes(folder, 'build');
    const looks = new FirstLooks(folder, 'build');
    looks.keep('key', withoutTree(prepareData(profileOfText('Shop.run | 20@1'), provenanceOf(), null).value!));
    notes.keep(source, stamps, { path: looks.pathOf('key'), key: 'key' }, provenanceOf());
    expect(hasNotes(folder)).toBe(true);
    expect(notes.find(source)?.key).toBe('key');
    expect(new LookNotes(folder, 'newer').find(source)).toBeNull();
    for (const name of readdirSync(folder).filter(name => name.endsWith('.note'))) {
      const kept = readFileSync(join(folder, name));
      writeChecked(join(folder, name), serialize({ source: 7 }));
      expect(notes.find(source)).toBeNull();
      writeFileSync(join(folder, name), kept);
    }
    expect(notes.find(source)?.key).toBe('key');
    utimesSync(head, 1, 1);
    expect(notes.find(source)).toBeNull();
  });
});
