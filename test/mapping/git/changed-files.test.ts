// Tests the differences between a commit and the checked-out files, the files of a commit, and the place of HEAD.
import { mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileStamp } from '../../../server/base/file-stamp.ts';
import { changedFiles, committedFiles, submoduleCommit } from '../../../server/mapping/git/changed-files.ts';
import { headPlaces } from '../../../server/mapping/git/head-places.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';

const body = (name: string) => `class ${name} {\n${'  int x = compute(1, 2, 3);\n'.repeat(20)}}\n`;

let scratch: ScratchRepository;

beforeEach(() => {
  scratch = new ScratchRepository();
});
afterEach(() => scratch.remove());

test('files that were added, deleted, changed and renamed, committed or only staged', async () => {
  const commit = scratch.commit({
    'a/A.java': body('A'),
    'B.java': 'class B {}',
    'C.java': 'class C {}',
    'n.txt': 'x',
  });
  scratch.git('mv', 'a/A.java', 'a/Renamed.java');
  scratch.commit({ 'B.java': 'class B { int changed; }', 'n.txt': 'y' });
  scratch.git('rm', '--quiet', 'C.java');
  scratch.write('New.java', 'interface New {}');
  scratch.git('add', 'New.java');
  const repository = await scratch.open();
  expect(await changedFiles(repository, commit)).toEqual({
    value: [
      { kind: 'modified', before: 'B.java', after: 'B.java' },
      { kind: 'deleted', before: 'C.java', after: null },
      { kind: 'added', before: null, after: 'New.java' },
      { kind: 'renamed', before: 'a/A.java', after: 'a/Renamed.java' },
    ],
    problems: [],
  });
  const paths = async (folder?: Parameters<typeof committedFiles>[2]) =>
    (await committedFiles(repository, commit, folder)).value.map(({ path }) => path);
  expect(await paths()).toEqual(['B.java', 'C.java', 'a/A.java']);
  expect(await paths({ path: '', flat: true })).toEqual(['B.java', 'C.java']);
  expect(await paths({ path: 'a', flat: true })).toEqual(['a/A.java']);
  const absent = await committedFiles(repository, '0'.repeat(40));
  expect([absent.value.length, absent.problems.length]).toEqual([0, 1]);
  expect(await repository.dateOf(commit)).toBe(1_700_000_060_000);
  expect(await repository.dateOf('0'.repeat(40))).toBeNull();
});

test('the commit of a submodule', async () => {
  const inner = scratch.commit({ 'A.java': body('A') });
  renameSync(scratch.root, join(scratch.home, 'library'));
  mkdirSync(scratch.root);
  scratch.git('init', '--quiet', '--initial-branch=main');
  const library = join(scratch.home, 'library');
  scratch.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'libs/library');
  const commit = scratch.commit();
  const repository = await scratch.open();
  expect(await submoduleCommit(repository, commit, 'libs/library')).toBe(inner);
  expect(await submoduleCommit(repository, commit, 'libs')).toBeNull();
  expect(headPlaces(join(scratch.root, 'libs/library'))).toContain(
    join(scratch.root, '.git/modules/libs/library/refs/heads/main'),
  );
});

test('some place changes with every move of HEAD', () => {
  scratch.commit({ 'A.java': 'class A {}' });
  const worktree = join(scratch.home, 'tree');
  scratch.git('worktree', 'add', '--quiet', '-b', 'other', worktree);
  const stamps = (root: string) => JSON.stringify(headPlaces(root).map(place => [place, fileStamp(place)]));
  const changes = (root: string, ...args: string[]) => {
    const before = stamps(root);
    scratch.git('-C', root, ...args);
    return stamps(root) !== before;
  };
  for (const root of [scratch.root, worktree]) {
    expect(changes(root, 'status')).toBe(false);
    expect(changes(root, 'commit', '--quiet', '--allow-empty', '--message', 'more')).toBe(true);
    expect(changes(root, 'checkout', '--quiet', '--detach')).toBe(true);
    expect(changes(root, 'commit', '--quiet', '--allow-empty', '--message', 'detached')).toBe(true);
    expect(changes(root, 'tag', `release/${basename(root)}/1.0`)).toBe(true);
    expect(changes(root, 'tag', `release/${basename(root)}/1.1`)).toBe(true);
    expect(changes(root, 'pack-refs', '--all')).toBe(true);
    expect(changes(root, 'reset', '--quiet', '--hard', 'HEAD~1')).toBe(true);
  }
  expect(changes(worktree, 'checkout', '--quiet', 'other')).toBe(true);
  expect(changes(worktree, 'commit', '--quiet', '--allow-empty', '--message', 'after packing')).toBe(true);
  expect(headPlaces(scratch.home)).toEqual([]);
});
