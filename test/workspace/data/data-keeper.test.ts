// Tests that what is wanted is loaded once, what nobody wants is cancelled, and watching sees what changes.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TransferableData } from '../../../server/analysis/loaded-data.ts';
import { selectData } from '../../../server/analysis/select-data.ts';
import { encodeSegment } from '../../../server/store/key.ts';
import { DataKeeper } from '../../../server/workspace/data/data-keeper.ts';
import type { LoadHandle } from '../../../server/workspace/data/loader.ts';
import type { Source } from '../../../server/workspace/data/source.ts';
import { type Changed, folderStamp, projectFolder, watchStores } from '../../../server/workspace/data/store-watch.ts';
import { Workspace } from '../../../server/workspace/state.ts';
import { datasetOf, provenanceOf } from '../../support/profiles/loaded.ts';
import { profileOfText } from '../../support/profiles/profiles.ts';

type LoadResult = Awaited<LoadHandle['result']>;

/** A loader whose loads end when the test says so. */
class HandLoader {
  readonly loads: { source: Source; end: (result: LoadResult) => void }[] = [];

  load(source: Source): LoadHandle {
    const { promise, resolve } = Promise.withResolvers<LoadResult>();
    this.loads.push({ source, end: resolve });
    return { result: promise, cancel: () => resolve(null) };
  }
}

function loadable(picture: string): TransferableData {
  return selectData(datasetOf(profileOfText(picture), provenanceOf()), {}).value!;
}

function keeping(): { workspace: Workspace; loader: HandLoader; keeper: DataKeeper; events: string[] } {
  const workspace = new Workspace({ program: 'shop' }, { env: { INSITU_STORE: '/s' }, home: '/h' });
  const loader = new HandLoader();
  const events: string[] = [];
  const keeper = new DataKeeper(workspace, loader, {
    started: source => events.push(`started ${source.wish.project}`),
    progress: () => {},
    ended: (source, loaded) => events.push(`ended ${source.wish.project} ${loaded}`),
  });
  return { workspace, loader, keeper, events };
}

describe('keeping data', () => {
  test('loads each source once and tells when idle', async () => {
    const { workspace, loader, keeper, events } = keeping();
    workspace.apply({ kind: 'foldersChanged', folders: ['/one', '/two'] });
    const keyOf = (project: string) =>
      workspace.view().sources.find(({ source }) => source.wish.project === project)?.key ?? '';
    keeper.sync();
    keeper.sync();
    expect(loader.loads.map(({ source }) => source.wish.project)).toEqual(['one', 'two']);
    let idle = false;
    void keeper.whenIdle().then(() => {
      idle = true;
    });
    loader.loads[0]!.end({ value: loadable('A.run | 10@1'), problems: [] });
    await new Promise(setImmediate);
    expect(idle).toBe(false);
    loader.loads[1]!.end({ value: null, problems: [{ severity: 'error', message: 'empty' }] });
    await keeper.whenIdle();
    await new Promise(setImmediate);
    expect(idle).toBe(true);
    expect(events).toEqual(['started one', 'started two', 'ended one true', 'ended two false']);
    expect(workspace.view().sources.map(({ state }) => state?.kind)).toEqual(['ready', 'none']);
    keeper.sync();
    expect(loader.loads).toHaveLength(2);
    keeper.reloadAll();
    keeper.reloadAll();
    expect(loader.loads).toHaveLength(4);
    loader.loads[2]!.end({ value: null, problems: [] });
    await new Promise(setImmediate);
    expect(loader.loads).toHaveLength(5);
    expect(events.slice(-2)).toEqual(['ended one false', 'started one']);
    expect(keeper.stampOf(keyOf('one'))).toBeNull();
    const later = keeper.whenIdle();
    loader.loads[3]!.end(null);
    loader.loads[4]!.end({ value: null, problems: [], stamp: 'before' });
    await later;
    expect([keyOf('one'), keyOf('two')].map(key => keeper.stampOf(key))).toEqual(['before', null]);
  });

  test('cancels what nobody wants any more', async () => {
    const { workspace, keeper, events } = keeping();
    workspace.apply({ kind: 'foldersChanged', folders: ['/one'] });
    keeper.sync();
    workspace.apply({ kind: 'foldersChanged', folders: [] });
    keeper.sync();
    await keeper.whenIdle();
    expect(events).toEqual(['started one', 'ended one false']);
  });
});

describe('watching', () => {
  test('a stamp changes with every added or removed file and folder', async () => {
    const root = await mkdtemp(join(tmpdir(), 'insitu-watch-'));
    const stamps = [await folderStamp(root)];
    await mkdir(join(root, 'shop/1.0/i-1'), { recursive: true });
    stamps.push(await folderStamp(root));
    await writeFile(join(root, 'shop/1.0/i-1/1.cct'), '');
    stamps.push(await folderStamp(root));
    expect(await folderStamp(root)).toBe(stamps[2]);
    await rm(join(root, 'shop/1.0/i-1/1.cct'));
    stamps.push(await folderStamp(root));
    await rm(root, { recursive: true });
    stamps.push(await folderStamp(root));
    expect(new Set(stamps).size).toBe(5);
  });

  test('looks at the project of a folder store only', () => {
    expect(projectFolder({ store: '/s', project: 'a b' })).toBe(join('/s/v1', encodeSegment('a b')!));
    expect(projectFolder({ store: 'file:///s%20t', project: 'acme' })).toBe(join('/s t/v1/acme'));
    expect(projectFolder({ store: 's3://bucket', project: 'acme' })).toBeNull();
    expect(projectFolder({ store: 'file://elsewhere/s', project: 'acme' })).toBeNull();
  });

  test('tells what changed since it was read, or else since the look before, until it is stopped', async () => {
    const root = await mkdtemp(join(tmpdir(), 'insitu-watch-'));
    const file = join(root, 'insitu.json');
    const stopping = new AbortController();
    const changes: Changed[] = [];
    let looks = 0;
    const read = join(root, 'read');
    const stamp = await folderStamp(read);
    await mkdir(read);
    const watched = () => {
      looks++;
      const folders = [
        { path: join(root, 'store'), stamp: null },
        { path: read, stamp: looks === 1 ? stamp : null },
      ];
      return { folders, files: [{ path: file, stamp: null }] };
    };
    const watching = watchStores(
      watched,
      changed => changes.push(changed),
      () => 5,
      stopping.signal,
    );
    await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(changes).toEqual([{ folders: new Set([read]), files: new Set() }]);
    await writeFile(file, '{}');
    await expect.poll(() => changes.at(-1)?.files.has(file), { timeout: 10_000 }).toBe(true);
    await mkdir(join(root, 'store'));
    await expect.poll(() => changes.at(-1)?.folders.has(join(root, 'store')), { timeout: 10_000 }).toBe(true);
    stopping.abort();
    await watching;
    await rm(root, { recursive: true });
  });

  test('what is done about one change does not keep the next one from being seen', async () => {
    const root = await mkdtemp(join(tmpdir(), 'insitu-busy-'));
    const file = join(root, 'HEAD');
    await writeFile(file, '');
    const stopping = new AbortController();
    let seen = 0;
    const busy = () => {
      seen++;
      for (const end = performance.now() + 60; performance.now() < end; );
    };
    const watched = () => ({ folders: [{ path: root, stamp: null }], files: [{ path: file, stamp: null }] });
    const watching = watchStores(watched, busy, () => 5, stopping.signal);
    for (let round = 1; round <= 3; round++) {
      await expect
        .poll(() => writeFile(file, `${round}`).then(() => seen), { timeout: 1500 })
        .toBeGreaterThanOrEqual(round);
    }
    stopping.abort();
    await watching;
    await rm(root, { recursive: true });
  });
});
