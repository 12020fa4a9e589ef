// Tests that changes go in one way and views stay as they were, and which file is shown with which data.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Pairing } from '../../server/analysis/pairing.ts';
import type { Selection } from '../../server/analysis/selection.ts';
import type { Wish } from '../../server/analysis/wish.ts';
import { fileStamp } from '../../server/base/file-stamp.ts';
import { openedText } from '../../server/mapping/recorded/profiled-text.ts';
import { FILE_BYTES_MAX } from '../../server/mapping/source-walk.ts';
import { type Source, sourceKey } from '../../server/workspace/data/source.ts';
import { Workspace } from '../../server/workspace/state.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';

let root: string;
const surroundings = { env: { INSITU_STORE: '/stores/one' }, home: '/home' };

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'insitu-state-'));
  for (const folder of ['shop/src', 'shop/tools/src', 'plain/deep/er'])
    mkdirSync(join(root, folder), { recursive: true });
  const programs = { src: 'shop', 'tools/src': 'tools', tools: 'other' };
  writeFileSync(join(root, 'shop/insitu.json'), JSON.stringify({ project: 'acme', programs }));
});

afterAll(() => rmSync(root, { recursive: true }));

function workspace(...folders: string[]): Workspace {
  const made = new Workspace({}, surroundings);
  made.apply({ kind: 'foldersChanged', folders: folders.map(folder => join(root, folder)) });
  return made;
}

function open(made: Workspace, path: string, text = 'class A {}'): string {
  made.apply({ kind: 'documentChanged', uri: path, path: join(root, path), text });
  return path;
}

function sourceAt(made: Workspace, path: string): Source | null | undefined {
  const uri = open(made, path);
  return made.view().document(uri)?.source;
}

describe('a document', () => {
  test('belongs to the program of the longest path prefix of whole segments', () => {
    const made = workspace('shop');
    const programOf = (path: string) => sourceAt(made, path)?.wish.program;
    expect(programOf('shop/src/A.java')).toBe('shop');
    expect(programOf('shop/tools/src/A.java')).toBe('tools');
    expect(programOf('shop/tools/A.java')).toBe('other');
    expect(programOf('shop/srcs/A.java')).toBeNull();
  });

  test('takes the folder that is open, where no insitu.json or git root lies between', () => {
    const made = workspace('plain');
    open(made, 'plain/deep/er/A.java');
    expect(made.view().document('plain/deep/er/A.java')?.source).toMatchObject({
      wish: { project: 'plain', store: '/stores/one' },
    });
  });

  test('in a nested project is shown with that', () => {
    const made = workspace('.');
    expect(sourceAt(made, 'shop/src/A.java')?.wish.project).toBe('acme');
  });

  test('that is no file takes the first folder; without one it has no source', () => {
    const made = workspace('shop');
    made.apply({ kind: 'documentChanged', uri: 'untitled:1', path: null, text: '' });
    expect(made.view().document('untitled:1')?.source?.wish.project).toBe('acme');
    made.apply({ kind: 'foldersChanged', folders: [] });
    expect(made.view().document('untitled:1')).toMatchObject({ source: null, state: { kind: 'none' } });
  });

  test('is parsed once a text, however often data come and go', () => {
    const made = workspace('shop');
    const uri = open(made, 'shop/src/A.java');
    const before = made.view().document(uri)!;
    made.apply({ kind: 'loadStarted', source: before.source! });
    expect(made.view().document(uri)?.outline).toBe(before.outline);
    open(made, 'shop/src/A.java', 'class B {}');
    expect(made.view().document(uri)?.outline).not.toBe(before.outline);
  });
});

test('every insitu.json that decides, or would, is to be watched, with its stamp from before it was read', () => {
  const made = workspace('.');
  open(made, 'shop/src/A.java');
  const files = () => made.view().configurationFiles.filter(({ path }) => path.startsWith(join(root, 'shop')));
  const inside = () => files().map(({ path }) => relative(root, path));
  expect(inside()).toEqual(['shop/src/insitu.json', 'shop/insitu.json']);
  const [nearer, found] = files();
  expect(nearer?.stamp).toBe('');
  expect(found?.stamp).toBe(fileStamp(join(root, 'shop/insitu.json')));
  writeFileSync(join(root, 'shop/src/insitu.json'), JSON.stringify({ project: 'nearer' }));
  expect(files()).toEqual([nearer, found]);
  made.apply({ kind: 'configurationFilesChanged' });
  expect(made.view().document('shop/src/A.java')?.source?.wish.project).toBe('nearer');
  rmSync(join(root, 'shop/src/insitu.json'));
});

test('a view of a document is another one when anything in it is, and else the same', () => {
  const made = workspace('shop');
  const uri = open(made, 'shop/src/A.java');
  open(made, 'shop/src/B.java');
  const view = () => made.view().document(uri);
  const { source } = made.view().sources[0]!;
  const data = loadedFromText('A.run :1 | 0@9');
  const before = view();
  open(made, 'shop/src/B.java', 'class B {}');
  expect(view()).toBe(before);
  const others: [string, () => void][] = [
    ['text', () => void open(made, 'shop/src/A.java', 'class A { }')],
    ['recorded text', () => made.apply({ kind: 'profiledTextKnown', uri, profiled: openedText('class A {}') })],
    ['load', () => made.apply({ kind: 'loadStarted', source })],
    ['data', () => made.apply({ kind: 'loadEnded', source, data, problems: [] })],
    ['methods of the baseline', () => made.apply({ kind: 'methodsPaired', pairing: Pairing.pending(data, data) })],
    ['settings', () => made.apply({ kind: 'editorSettingsChanged', settings: {} })],
  ];
  for (const [name, change] of others) {
    const last = view();
    change();
    expect(view(), name).not.toBe(last);
    expect(view(), name).toBe(view());
  }
});

test('a profiled text that becomes known while a document is prepared is prepared too', () => {
  const made = workspace('shop');
  const uri = open(made, 'shop/src/A.java', 'class A { void run() {} }');
  const source = made.view().document(uri)!.source!;
  made.apply({ kind: 'loadEnded', source, data: loadedFromText('A.run | 10@1'), problems: [] });
  const steps = made.prepare(uri);
  steps.next();
  made.apply({ kind: 'profiledTextKnown', uri, profiled: openedText('class A { int a; void run() {} }') });
  while (steps.next().done !== true);
  expect([...made.prepare(uri)]).toEqual([]);
  expect(made.view().document(uri)?.mapped).not.toBeNull();
});

test('where there is no insitu.json, each level up to the root is watched', () => {
  const made = workspace('plain');
  open(made, 'plain/deep/A.java');
  const paths = made.view().configurationFiles.map(({ path }) => path);
  const levels = ['plain/insitu.json', 'insitu.json', 'plain/deep/insitu.json'].map(path => join(root, path));
  expect(paths).toEqual(expect.arrayContaining([...levels, resolve('/insitu.json')]));
  expect(new Set(paths).size).toBe(paths.length);
});

describe('a document that is too large', () => {
  /** A class of so many bytes in UTF-8. */
  const sized = (bytes: number, letter = 'x') =>
    `class A {}${letter.repeat(Math.floor((bytes - 10) / Buffer.byteLength(letter)))}`;

  test.each(['x', 'ä', '中', '😀'])('by its bytes is not looked into (%s)', letter => {
    const made = workspace('shop');
    const uri = open(made, 'shop/src/A.java', sized(FILE_BYTES_MAX, letter));
    expect(made.view().documentProblems).toEqual([]);
    const keeping = made.view();
    expect(keeping.document(uri)?.outline.declarations).toHaveLength(1);
    open(made, 'shop/src/A.java', `${sized(FILE_BYTES_MAX, letter)}${letter.repeat(4)}`);
    const view = made.view();
    expect(view.documentProblems).toEqual([
      expect.objectContaining({ file: join(root, 'shop/src/A.java'), message: expect.stringContaining('2.1 MiB') }),
    ]);
    expect(view.document(uri)).toMatchObject({ text: '', outline: { declarations: [] } });
    expect([view.openFiles, view.openFile(uri), made.stateOf(uri)]).toEqual([[], null, 'tooLarge']);
    expect(keeping.document(uri)?.outline.declarations).toHaveLength(1);
    open(made, 'shop/src/A.java');
    expect([made.view().openFile(uri)?.text, made.stateOf(uri)]).toEqual(['class A {}', 'open']);
  });

  test('is not looked for in what was saved of it either', async () => {
    writeFileSync(join(root, 'shop/src/A.java'), 'class A {}');
    const made = workspace('shop');
    made.files.begin();
    await made.files.whenComplete();
    expect(made.files.filesOfClass('A')).toHaveLength(1);
    open(made, 'shop/src/A.java', sized(FILE_BYTES_MAX + 100));
    expect(made.files.filesOfClass('A')).toEqual([]);
    made.files.close();
    rmSync(join(root, 'shop/src/A.java'));
  });
});

describe('a view', () => {
  test('does not change', () => {
    const made = workspace('shop');
    const uri = open(made, 'shop/src/A.java');
    const before = made.view();
    open(made, 'shop/src/A.java', 'class B {}');
    made.apply({ kind: 'foldersChanged', folders: [] });
    expect(before.document(uri)?.text).toBe('class A {}');
    expect(before.folders).toHaveLength(1);
    made.apply({ kind: 'documentClosed', uri });
    expect(made.view().document(uri)).toBeNull();
    expect(made.view().sources).toEqual([]);
  });

  test('keeps data while newer ones are read, and drops them when that fails', () => {
    const made = workspace('shop');
    const { source } = made.view().sources[0]!;
    const state = () => made.view().sources[0]?.state;
    const data = loadedFromText('A.run | 10@1');
    expect(state()).toBeNull();
    made.apply({ kind: 'loadEnded', source, data, problems: [] });
    made.apply({ kind: 'loadStarted', source });
    expect(state()).toMatchObject({ kind: 'loading', data });
    made.apply({ kind: 'loadCancelled', source });
    expect(state()).toMatchObject({ kind: 'none', data, problems: [{ message: 'reading was cancelled' }] });
    made.apply({ kind: 'loadEnded', source, data: null, problems: [{ severity: 'error', message: 'gone' }] });
    expect(state()).toEqual({ kind: 'none', data: null, problems: [{ severity: 'error', message: 'gone' }] });
  });

  test('lets go of data that nothing open needs', () => {
    const made = workspace('shop');
    const { source } = made.view().sources[0]!;
    made.apply({ kind: 'loadEnded', source, data: loadedFromText('A.run | 10@1'), problems: [] });
    made.apply({ kind: 'foldersChanged', folders: [] });
    made.view();
    made.apply({ kind: 'foldersChanged', folders: [join(root, 'shop')] });
    expect(made.view().sources[0]?.state).toBeNull();
  });

  test('follows the settings of the editor and the command line', () => {
    const made = new Workspace({ version: '2' }, surroundings);
    made.apply({ kind: 'foldersChanged', folders: [join(root, 'shop')] });
    made.apply({ kind: 'editorSettingsChanged', settings: { version: '1', metric: 'native' } });
    expect(made.view().sources[0]?.source).toMatchObject({
      wish: { version: '2', project: 'acme' },
      selection: { metric: 'native' },
    });
  });
});

test('sources are equal when they show the same', () => {
  const wish: Wish = { store: '/s', project: 'p', program: 'x', version: null, root: '/a' };
  const keyOf = (changed: Partial<Wish>, selection: Selection = {}) =>
    sourceKey({ wish: { ...wish, ...changed }, selection });
  expect(keyOf({})).toBe(keyOf({}));
  // The sources below the root decide which code is own, and so does the setting.
  expect(keyOf({ root: '/b' })).not.toBe(keyOf({}));
  expect(keyOf({ own: 'com.acme' })).not.toBe(keyOf({}));
  expect(keyOf({ program: null, root: '/b' })).not.toBe(keyOf({ program: null }));
  expect(keyOf({ version: 'null' })).not.toBe(keyOf({}));
  expect(keyOf({}, { metric: 'cpu' })).not.toBe(keyOf({}));
});
