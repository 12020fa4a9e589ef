// A checkout of another commit has that commit's files, packages of its own, and leaves ours alone.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { checkOut, prepare } from './checkout.ts';

let repository: ScratchRepository;
beforeEach(() => {
  repository = new ScratchRepository();
  repository.write('.gitignore', 'node_modules/\n.cache/\n');
});
afterEach(() => repository.remove());

/** Packages as npm installs them: a file, and a link to it. */
function install(): void {
  repository.write('node_modules/tool/tool.js', 'tool');
  mkdirSync(join(repository.root, 'node_modules/.bin'));
  symlinkSync('../tool/tool.js', join(repository.root, 'node_modules/.bin/tool'));
}

test('the files of that commit, whatever stands here now', () => {
  const first = repository.commit({ 'a.txt': 'first' });
  repository.commit({ 'a.txt': 'second' });
  repository.write('a.txt', 'unsaved');
  const { folder, commit } = checkOut(repository.root, 'HEAD~1');
  expect(commit).toBe(first);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('first');
  expect(readFileSync(join(repository.root, 'a.txt'), 'utf8')).toBe('unsaved');
  expect(repository.git('status', '--porcelain')).toBe('M a.txt');
});

test('a commit that no branch holds', () => {
  repository.commit({ 'a.txt': 'first' });
  const lost = repository.commit({ 'a.txt': 'lost' });
  repository.git('reset', '--quiet', '--hard', 'HEAD~1');
  const { folder } = checkOut(repository.root, lost);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('lost');
});

test('packages of the same lock file are copied, with their links, and not shared', () => {
  const commit = repository.commit({ 'package-lock.json': '{}' });
  install();
  const { folder } = checkOut(repository.root, commit);
  expect(readlinkSync(join(folder, 'node_modules/.bin/tool'))).toBe('../tool/tool.js');
  writeFileSync(join(folder, 'node_modules/tool/tool.js'), 'changed');
  expect(readFileSync(join(repository.root, 'node_modules/tool/tool.js'), 'utf8')).toBe('tool');
});

test('packages of another lock file are left to be installed', () => {
  const commit = repository.commit({ 'package-lock.json': '{}' });
  repository.commit({ 'package-lock.json': '{"other":1}' });
  install();
  expect(existsSync(join(checkOut(repository.root, commit).folder, 'node_modules'))).toBe(false);
});

test('engines are shared, and a second time nothing is made anew', () => {
  const commit = repository.commit({ 'a.txt': 'first' });
  const { folder } = checkOut(repository.root, commit);
  expect(lstatSync(join(folder, '.cache')).isSymbolicLink()).toBe(true);
  expect(statSync(join(folder, '.cache')).ino).toBe(statSync(join(repository.root, '.cache')).ino);
  writeFileSync(join(folder, 'made.txt'), '');
  expect(checkOut(repository.root, commit.slice(0, 10)).folder).toBe(folder);
  expect(existsSync(join(folder, 'made.txt'))).toBe(true);
});

test('a commit that does not exist is named', () => {
  repository.commit({});
  expect(() => checkOut(repository.root, 'nowhere')).toThrow(/there is no commit "nowhere"/);
  expect(() => checkOut(repository.root, '--all')).toThrow(/there is no commit "--all"/);
  expect(existsSync(join(repository.root, '.cache'))).toBe(false);
});

test('packages are installed and bundles built by the script of that commit', () => {
  const script = "import { writeFileSync } from 'node:fs'; writeFileSync('ran.txt', process.argv.slice(2).join(' '));";
  const good = checkOut(repository.root, repository.commit({ '.ci/bootstrap.mjs': script }));
  prepare(good);
  expect(readFileSync(join(good.folder, 'ran.txt'), 'utf8')).toBe('.ci/build.ts');
  const bad = checkOut(repository.root, repository.commit({ '.ci/bootstrap.mjs': 'process.exit(3);' }));
  expect(() => prepare(bad)).toThrow(/could not be built in .*against/);
});
