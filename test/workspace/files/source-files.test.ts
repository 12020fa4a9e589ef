// Tests which files a workspace knows: its folders and open documents, what is told of them, and how long a search of calls may take.
import { mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { inlineReach } from '../../../server/analysis/ask.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { searchCalls } from '../../../server/workspace/files/call-search.ts';
import { type WorkspaceWithData, workspaceWithData } from '../../support/profiles/workspace-with-data.ts';

let place: WorkspaceWithData | null = null;

afterEach(() => {
  place?.remove();
  place = null;
});

const CALLER = 'class Caller {\n  void run() {\n    other.take();\n    other.retake();\n  }\n}';

async function files(texts: Record<string, string> = {}, options = {}): Promise<WorkspaceWithData> {
  place = await workspaceWithData(
    { 'a/Caller.java': CALLER, 'b/Other.java': 'class Other {}', ...texts },
    'A.a | 1@1',
    options,
  );
  return place;
}

const paths = ({ root, workspace }: WorkspaceWithData, className: string) =>
  workspace.files.filesOfClass(className).map(({ path }) => path?.slice(root.length + 1));

test('a folder inside another is indexed once; one that is closed is forgotten', async () => {
  const at = await files();
  at.workspace.apply({ kind: 'foldersChanged', folders: [at.root, join(at.root, 'a')] });
  await at.workspace.files.whenComplete();
  expect(paths(at, 'Caller')).toEqual(['a/Caller.java']);
  at.workspace.apply({ kind: 'foldersChanged', folders: [join(at.root, 'b')] });
  await at.workspace.files.whenComplete();
  expect([paths(at, 'Caller'), paths(at, 'Other')]).toEqual([[], ['b/Other.java']]);
});

test('without a folder the project of an open document is indexed, but not the folder of a lone file', async () => {
  const at = await files();
  at.workspace.apply({ kind: 'foldersChanged', folders: [] });
  expect(paths(at, 'Other')).toEqual([]);
  at.open('a/Caller.java');
  await at.workspace.files.whenComplete();
  expect(paths(at, 'Other')).toEqual(['b/Other.java']);
  rmSync(join(at.root, 'insitu.json'));
  at.workspace.apply({ kind: 'configurationFilesChanged' });
  at.workspace.apply({ kind: 'foldersChanged', folders: [] });
  expect(paths(at, 'Other')).toEqual([]);
});

test('a home folder or a root is not indexed, projects in it are, and classes stand beside open files', async () => {
  const at = await files();
  const { home, root, workspace } = at;
  const below = `../${basename(home)}`;
  at.write(`${below}/project/insitu.json`, '{}');
  at.write(`${below}/project/p/Near.java`, 'package p; class Near {}');
  at.write(`${below}/other/p/Far.java`, 'package p; class Far {}');
  at.write(`${below}/other/p/Lone.java`, 'package p; class Lone {}');
  for (const folder of [home, dirname(home), '/']) {
    workspace.apply({ kind: 'foldersChanged', folders: [folder] });
    await workspace.files.whenComplete();
    expect([...workspace.files.indexed()], folder).toEqual([]);
    expect(workspace.files.limits).toEqual([expect.stringContaining(`${folder} is not searched for sources`)]);
  }
  at.open(`${below}/project/p/Near.java`);
  at.open(`${below}/other/p/Lone.java`);
  await workspace.files.whenComplete();
  expect(Array.from(workspace.files.indexed(), ({ path }) => path)).toEqual([join(home, 'project/p/Near.java')]);
  expect(workspace.files.knowsAll).toBe(false);
  expect(workspace.files.filesOfClass('p.Far').map(({ path }) => path)).toEqual([join(home, 'other/p/Far.java')]);
  workspace.apply({ kind: 'foldersChanged', folders: [root] });
  expect(workspace.files.limits).toEqual([]);
});

test('a folder that is gone takes its files with it', async () => {
  const at = await files({ 'b/inner/Deep.java': 'class Deep {}' });
  rmSync(join(at.root, 'b'), { recursive: true });
  at.workspace.files.apply([{ path: join(at.root, 'b'), kind: 'deleted' }]);
  expect([paths(at, 'Other'), paths(at, 'Deep'), paths(at, 'Caller')]).toEqual([[], [], ['a/Caller.java']]);
});

test('what is no file, or no Java, does no harm', async () => {
  const at = await files();
  mkdirSync(join(at.root, 'Folder.java'));
  at.workspace.files.apply([
    { path: join(at.root, 'Folder.java'), kind: 'written' },
    { path: join(at.root, 'gone/Gone.java'), kind: 'written' },
    { path: '/nowhere/at/All.java', kind: 'deleted' },
  ]);
  expect(at.workspace.files.file(join(at.root, 'Folder.java'))).toBeNull();
  expect(paths(at, 'Folder')).toEqual([]);
});

test('profiled texts are learnt once for the same versions, and again for others', async () => {
  const at = await files();
  const asked: string[] = [];
  at.workspace.files.learnFrom(async ({ path }) => {
    asked.push(path.slice(at.root.length + 1));
    return openedText('class Other { void before() {} }');
  });
  const asking = at.open('a/Caller.java');
  const learn = () => {
    at.workspace.files.filesOfClass('Other');
    return at.workspace.files.learn(asking);
  };
  expect([await learn(), await learn(), asked]).toEqual([true, false, ['b/Other.java']]);
  const executions = [{ project: 'acme', program: 'shop', version: '2.0', instance: 'i-1' }];
  const data = { ...at.data, provenance: { ...at.data.provenance, executions } };
  at.workspace.files.filesOfClass('Other');
  expect(await at.workspace.files.learn({ ...asking, state: { ...asking.state, data } })).toBe(false);
  expect(asked).toEqual(['b/Other.java', 'b/Other.java']);
});

test('who takes too long is not waited for', async () => {
  const at = await files();
  at.workspace.files.learnFrom(() => new Promise(() => {}));
  const asking = at.open('a/Caller.java');
  at.workspace.files.filesOfClass('Other');
  expect(await at.workspace.files.learn(asking, 20)).toBe(false);
});

test('a search finds calls by their whole name, and says when time was up', async () => {
  const at = await files({ 'c/Reference.java': 'class Reference { Runnable r = this::take; }' });
  const found = await searchCalls(at.workspace.files, 'take', null, inlineReach.turn);
  expect(found.calls.map(({ file, site }) => `${file.path?.split('/').at(-1)} ${site.line}`).sort()).toEqual([
    'Caller.java 3',
    'Reference.java 1',
  ]);
  expect(found.isWhole).toBe(true);
  at.open('a/Caller.java');
  const cut = await searchCalls(at.workspace.files, 'take', null, inlineReach.turn, -1);
  expect([cut.calls.length, cut.isWhole]).toEqual([1, false]);
});
