// Tests that a choice is stronger than settings, is taken back when what it names is gone, and brings a baseline with it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Choice, NO_CHOICE } from '../../../server/workspace/data/choice.ts';
import { DataKeeper } from '../../../server/workspace/data/data-keeper.ts';
import { Loader } from '../../../server/workspace/data/loader.ts';
import { isComparable } from '../../../server/workspace/data/source.ts';
import { Workspace } from '../../../server/workspace/state.ts';
import { type LspFolder, lspFolder, putPicture } from '../../support/insitu/lsp-store.ts';
import { loadedFromText } from '../../support/profiles/loaded.ts';

let place: LspFolder;
let loader: Loader;
let workspace: Workspace;
let keeper: DataKeeper;

beforeEach(async () => {
  place = await lspFolder();
  await putPicture(place.store, 'Shop.run | 40@1\n  Helper.go :1 | 60@9', { version: '1.0' });
  await putPicture(place.store, 'Shop.run | 80@1\n  Helper.go :1 | 20@9', { version: '2.0', instance: 'i-2' }, 60);
  loader = new Loader();
  workspace = new Workspace({}, { env: {}, home: place.folder });
  workspace.apply({ kind: 'foldersChanged', folders: [place.folder] });
  const nothing = () => {};
  keeper = new DataKeeper(workspace, loader, { started: nothing, progress: nothing, ended: nothing });
});

afterEach(async () => {
  loader.close();
  await place.remove();
});

async function loaded(): Promise<void> {
  keeper.sync();
  await keeper.whenIdle();
}

async function choose(choice: Partial<Choice>): Promise<void> {
  workspace.apply({ kind: 'choiceChanged', uri: null, choice: { ...NO_CHOICE, ...choice } });
  await loaded();
}

const shown = () => workspace.view().sources[0]!;
const versions = () => shown().state?.data?.provenance.executions.map(({ version }) => version);
const wholeCount = () => shown().state?.data?.analysis.whole.count;

describe('a choice', () => {
  test('is stronger than the settings, holds for documents of the folder too, and survives a reload', async () => {
    workspace.apply({ kind: 'editorSettingsChanged', settings: { version: '2.0' } });
    await loaded();
    expect(versions()).toEqual(['2.0']);
    await choose({ version: '1.0', focus: ['Helper.go'] });
    expect(versions()).toEqual(['1.0']);
    expect(wholeCount()).toBe(60);
    const uri = place.uri('Shop.java');
    workspace.apply({ kind: 'documentChanged', uri, path: `${place.folder}/Shop.java`, text: 'class Shop {}' });
    expect(workspace.view().document(uri)?.source).toMatchObject({
      wish: { version: '1.0' },
      selection: { focus: ['Helper.go'] },
    });
    expect(workspace.view().choice(uri).version).toBe('1.0');
    keeper.reloadAll();
    await keeper.whenIdle();
    expect(wholeCount()).toBe(60);
    await choose({});
    expect(versions()).toEqual(['2.0']);
  });

  test('shows what was shown before until its own data are there', async () => {
    await loaded();
    const before = shown().state?.data;
    workspace.apply({ kind: 'choiceChanged', uri: null, choice: { focus: ['Helper.go'] } });
    const uri = place.uri('Shop.java');
    workspace.apply({ kind: 'documentChanged', uri, path: `${place.folder}/Shop.java`, text: 'class Shop {}' });
    expect(workspace.view().document(uri)?.state).toMatchObject({ kind: 'loading', data: before });
    keeper.sync();
    expect(workspace.view().document(uri)?.state).toMatchObject({ kind: 'loading', data: before });
    await keeper.whenIdle();
    expect(workspace.view().document(uri)?.state.data?.selection.focus).toEqual(['Helper.go']);
  });

  test('of what is not there any more makes way for the settings, and says so', async () => {
    await choose({ version: '9.9', metric: 'cpu' });
    expect(versions()).toEqual(['2.0']);
    expect(workspace.view().choice(null)).toEqual({ metric: 'cpu' });
    expect(shown().state?.problems.map(({ message }) => message)).toContain(
      'version 9.9 was chosen and is not there any more; what the settings say is shown',
    );
    await choose({ instances: ['i-9'] });
    expect(versions()).toEqual(['2.0']);
    expect(shown().state?.problems.some(({ message }) => message.startsWith('instance i-9 was chosen'))).toBe(true);
    await choose({});
    expect(shown().state?.problems.filter(({ severity }) => severity === 'warning')).toEqual([]);
  });

  test('of a version that only the settings name stays a mistake', async () => {
    workspace.apply({ kind: 'editorSettingsChanged', settings: { version: '9.9' } });
    await loaded();
    expect(shown().state).toMatchObject({ kind: 'none', data: null });
  });

  test('of a version that the settings name too is no endless load when that is gone', async () => {
    workspace.apply({ kind: 'editorSettingsChanged', settings: { version: '9.9' } });
    await choose({ version: '9.9' });
    expect(workspace.view().choice(null)).toEqual(NO_CHOICE);
    expect(shown().state).toMatchObject({ kind: 'none', data: null });
    expect(JSON.stringify(shown().state?.problems)).toContain('version 9.9 was chosen');
  });
});

describe('a baseline', () => {
  const compared = () => shown().baseline?.compared?.data;

  test('that settings name is loaded with the data; a choice of none takes it away', async () => {
    workspace.apply({ kind: 'editorSettingsChanged', settings: { baseline: '1.0' } });
    await loaded();
    expect(versions()).toEqual(['2.0']);
    expect(compared()?.provenance.executions[0]?.version).toBe('1.0');
    await choose({ baseline: null });
    expect(compared()).toBeUndefined();
  });

  test('has the focus of the data, and is none of another focus while that is read', async () => {
    await choose({ baseline: { version: '1.0' } });
    expect(compared()?.analysis.whole.count).toBe(100);
    workspace.apply({
      kind: 'choiceChanged',
      uri: null,
      choice: { focus: ['Helper.go'], baseline: { version: '1.0' } },
    });
    expect(shown().baseline?.compared).toBeNull();
    await loaded();
    expect(compared()?.analysis.whole.count).toBe(60);
    expect(wholeCount()).toBe(20);
  });

  test('can be a time of the same version, and a file', async () => {
    await putPicture(place.store, 'Shop.run | 5@1', { version: '2.0', instance: 'i-2' }, 600);
    const startMillis = Date.UTC(2026, 10, 20, 16, 1, 0);
    await choose({ baseline: { from: startMillis, to: startMillis + 10_000 } });
    expect([wholeCount(), compared()?.analysis.whole.count]).toEqual([105, 100]);
    const file = `${place.folder}/stacks.collapsed`;
    const { writeFile } = await import('node:fs/promises');
    await writeFile(file, 'Shop.run;Helper.go 7\nShop.run 3\n');
    await choose({ baseline: { files: [file] } });
    expect(compared()?.analysis.whole.count).toBe(10);
    expect(workspace.view().loads.map(({ source }) => source.wish.files ?? null)).toEqual([null, [file]]);
  });

  test('is read again with what is compared with it', async () => {
    await choose({ baseline: { version: '1.0' } });
    expect(compared()?.analysis.whole.count).toBe(100);
    await putPicture(place.store, 'Shop.run | 50@1', { version: '1.0', instance: 'i-3' }, 30);
    keeper.reload(shown().source);
    await keeper.whenIdle();
    expect(compared()?.analysis.whole.count).toBe(150);
  });

  test('of a version that is gone is dropped with a word', async () => {
    await choose({ baseline: { version: '0.1' } });
    expect(workspace.view().choice(null)).toEqual(NO_CHOICE);
    expect(shown().baseline).toBeNull();
    expect(shown().state?.problems.some(({ message }) => message.includes('baseline version 0.1'))).toBe(true);
  });
});

test('data are compared with those of the same threads and focus alone', () => {
  const data = (focus?: string) =>
    loadedFromText('Shop.run | 20@1', {}, {}, focus === undefined ? {} : { focus: [focus] });
  expect(isComparable(data(), data())).toBe(true);
  expect(isComparable(data('Shop.run'), data('Shop.run'))).toBe(true);
  expect(isComparable(data('Shop.run'), data())).toBe(false);
  expect(isComparable(data(), { ...data(), selection: { threads: ['main'] } })).toBe(false);
  expect(isComparable(data(), { ...data(), metric: { ...data().metric, id: 'wall' } })).toBe(false);
});

test('another look at the same snapshots reads nothing; a new snapshot alone is read when one comes', async () => {
  await choose({ version: '1.0' });
  const before = shown().state?.data;
  await choose({ version: '1.0', focus: ['Helper.go'] });
  expect(shown().state?.data?.profile).toBe(before?.profile);
  await putPicture(place.store, 'Shop.run | 5@1', { version: '1.0' }, 600);
  const reads: number[] = [];
  const { source } = shown();
  const { value } = (await loader.load(source, ({ done, all }) => reads.push(done, all)).result)!;
  expect(value?.selected.provenance.entries).toHaveLength(2);
  expect(reads).toEqual([2, 2]);
});
