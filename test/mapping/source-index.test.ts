// The source index finds files by class, keeps up with changes, and is not led astray by what a workspace may hold.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SourceIndex } from '../../server/mapping/source-index.ts';
import { FILE_BYTES_MAX } from '../../server/mapping/source-walk.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'insitu-index-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function indexed(cacheFile?: string): Promise<SourceIndex> {
  const index = new SourceIndex({ roots: [root], ...(cacheFile !== undefined && { cacheFile }) });
  await index.complete;
  return index;
}

function found(index: SourceIndex, className: string): string[] {
  return index
    .filesOfClass(className)
    .map(file => relative(root, file.path))
    .sort();
}

test('classes are found by the package clause, nested and generated ones through their outer type', async () => {
  write('src/main/java/p/A.java', 'package p; class A { class B {} } class Second {}');
  write('odd/place/C.java', 'package q.r; interface C {}');
  const index = await indexed();
  for (const name of [
    'p.A',
    'p.A$B',
    'p.A$1',
    'p.A$B$2Local',
    'app//p.A',
    'p.A$$Lambda$1/0x0000000800',
    'p.A$$SpringCGLIB$$0',
  ]) {
    expect(found(index, name), name).toEqual(['src/main/java/p/A.java']);
  }
  expect(found(index, 'p.Second')).toEqual(['src/main/java/p/A.java']);
  expect(found(index, 'q.r.C')).toEqual(['odd/place/C.java']);
  expect(found(index, 'p.C')).toEqual([]);
  expect([...index.sourceRoots()]).toContainEqual([join(root, 'src/main/java'), 1]);
});

test('outputs and dependencies are left out, generated sources and packages named like outputs are not', async () => {
  write('pom.xml', '');
  write('target/classes/p/Out.java', 'package p; class Out {}');
  write('target/generated-sources/annotations/p/Made.java', 'package p; class Made {}');
  write('node_modules/x/p/Module.java', 'package p; class Module {}');
  write('.git/p/Git.java', 'package p; class Git {}');
  write('src/com/acme/build/Step.java', 'package com.acme.build; class Step {}');
  const index = await indexed();
  expect(found(index, 'p.Out')).toEqual([]);
  expect(found(index, 'p.Made')).toEqual(['target/generated-sources/annotations/p/Made.java']);
  expect(found(index, 'p.Module')).toEqual([]);
  expect(found(index, 'p.Git')).toEqual([]);
  expect(found(index, 'com.acme.build.Step')).toEqual(['src/com/acme/build/Step.java']);
});

test('hidden folders and links to outputs are left out, except generated sources', async () => {
  write('.apt_generated/p/Made.java', 'package p; class Made {}');
  write('.local/p/Local.java', 'package p; class Local {}');
  write('src/p/.old/Old.java', 'package p; class Old {}');
  write('bazel/p/A.java', 'package p; class A {}');
  const outside = mkdtempSync(join(tmpdir(), 'insitu-outputs-'));
  writeFileSync(join(outside, 'Linked.java'), 'class Linked {}');
  symlinkSync(outside, join(root, 'bazel-out'));
  symlinkSync(outside, join(root, 'link'));
  const index = await indexed();
  rmSync(outside, { recursive: true });
  const all = Array.from(index.files(), ({ path }) => relative(root, path)).sort();
  expect(all).toEqual(['.apt_generated/p/Made.java', 'bazel/p/A.java']);
  expect(index.problems).toMatchObject([{ severity: 'warning', file: join(root, 'link') }]);
});

test('a walk ends at its limits, keeps what it has found, and gives the thread back where there are no files', async () => {
  for (let i = 0; i < 8; i++) write(`p/A${i}.java`, `package p; class A${i} {}`);
  const few = new SourceIndex({ roots: [root], limits: { files: 5, workMillis: 60_000 } });
  await few.complete;
  expect([few.isComplete, few.isCut, few.fileCount]).toEqual([true, true, 5]);
  const short = new SourceIndex({ roots: [root], limits: { files: 100, workMillis: 0 } });
  await short.complete;
  expect([short.isCut, short.fileCount < 8]).toEqual([true, true]);
  expect((await indexed()).isCut).toBe(false);
  const bare = join(root, 'bare');
  for (let i = 0; i < 2_000; i++) mkdirSync(join(bare, `${i % 50}`, `${i}`), { recursive: true });
  const index = new SourceIndex({ roots: [bare] });
  expect(index.isComplete).toBe(false);
  await index.complete;
  expect([index.isComplete, index.fileCount]).toEqual([true, 0]);
});

test('link loops end, huge files are reported, broken files do no harm', async () => {
  write('a/A.java', 'class A {}');
  symlinkSync(root, join(root, 'a', 'loop'));
  symlinkSync(join(root, 'nowhere'), join(root, 'a', 'dangling'));
  write('a/Huge.java', `class Huge {} ${' '.repeat(FILE_BYTES_MAX)}`);
  write('a/Broken.java', 'package p; class Broken { void (((');
  const index = await indexed();
  expect(found(index, 'A')).toEqual(['a/A.java']);
  expect(found(index, 'Huge')).toEqual([]);
  expect(found(index, 'p.Broken')).toEqual(['a/Broken.java']);
  const told = index.problems.map(({ severity, file }) => [severity, relative(root, file!)]);
  expect(told.sort()).toEqual([
    ['info', 'a/Huge.java'],
    ['info', 'a/dangling'],
    ['info', 'a/loop'],
  ]);
});

test('a folder is walked once, under its own name where it has one here', async () => {
  write('b/B.java', 'class B {}');
  write('.kept/K.java', 'class K {}');
  for (const name of ['a', 'aa', 'c', 'cc', 'x', 'z']) symlinkSync('b', join(root, name));
  symlinkSync('.kept', join(root, 'd'));
  symlinkSync('.kept', join(root, 'e'));
  symlinkSync('../.kept/K.java', join(root, 'b', 'K.java'));
  const index = await indexed();
  expect(found(index, 'B')).toEqual(['b/B.java']);
  expect(found(index, 'K')).toEqual(['b/K.java', expect.stringMatching(/^[de]\/K\.java$/)]);
  expect(index.problems).toEqual([]);
});

test('links into folders that have indexes of their own are left to those, and told of nowhere', async () => {
  write('one/A.java', 'class A {}');
  write('two/B.java', 'class B {}');
  symlinkSync('../two', join(root, 'one', 'link'));
  const index = new SourceIndex({ roots: [join(root, 'one')], elsewhere: [join(root, 'two')] });
  await index.complete;
  expect([found(index, 'B'), index.problems]).toEqual([[], []]);
  const both = new SourceIndex({ roots: [join(root, 'one'), join(root, 'two')] });
  await both.complete;
  expect([found(both, 'B'), both.problems]).toEqual([['two/B.java'], []]);
});

test('a root may be a link; a file behind a link that leads out is not taken when it changes either', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'insitu-outside-'));
  try {
    write('src/A.java', 'class A {}');
    writeFileSync(join(outside, 'B.java'), 'class B {}');
    symlinkSync('src', join(root, 'link'));
    symlinkSync(outside, join(root, 'src', 'out'));
    symlinkSync('Self.java', join(root, 'src', 'Self.java'));
    const index = new SourceIndex({ roots: [join(root, 'link')] });
    await index.complete;
    expect(found(index, 'A')).toEqual(['link/A.java']);
    index.update(join(root, 'link/out/B.java'));
    index.update(join(root, 'link/Self.java'));
    expect([found(index, 'B'), index.fileCount]).toEqual([[], 1]);
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test('of very many links that are left out some are named, each once', async () => {
  mkdirSync(join(root, 'p'));
  for (let i = 0; i < 120; i++) symlinkSync('nowhere', join(root, 'p', `link-${i}`));
  const index = await indexed();
  expect(index.problems).toHaveLength(51);
  expect(new Set(index.problems.map(({ file }) => file)).size).toBe(51);
  expect(index.problems.at(-1)!.message).toContain('more than 50');
});

test('updates and removals show at once', async () => {
  const file = write('p/A.java', 'package p; class A {}');
  const index = await indexed();
  index.update(file, 'package p; class Renamed {}');
  expect(found(index, 'p.A')).toEqual([]);
  expect(found(index, 'p.Renamed')).toEqual(['p/A.java']);
  index.update(write('p/New.java', 'package p; class New {}'));
  expect(found(index, 'p.New')).toEqual(['p/New.java']);
  rmSync(file);
  index.update(file);
  expect(found(index, 'p.Renamed')).toEqual([]);
  index.remove(join(root, 'p'));
  expect(index.fileCount).toBe(0);
});

test('what has been read can be asked before the rest has', async () => {
  for (let i = 0; i < 400; i++) write(`p/A${i}.java`, `package p; class A${i} { ${'void run() {}\n'.repeat(200)} }`);
  const index = new SourceIndex({ roots: [root] });
  while (index.fileCount === 0) await nextTurn();
  expect(index.isComplete).toBe(false);
  await index.complete;
  expect(index.isComplete).toBe(true);
  expect(index.fileCount).toBe(400);
});

test('changes that are told of while the first walk is on its way win over what it finds', async () => {
  for (let i = 0; i < 400; i++) write(`p/A${i}.java`, `package p; class A${i} { ${'void run() {}\n'.repeat(200)} }`);
  const index = new SourceIndex({ roots: [root] });
  expect(index.isComplete).toBe(false);
  const typed = [...Array(400).keys()].map(i => join(root, `p/A${i}.java`));
  for (const path of typed) index.update(path, `package typed; class ${basename(path, '.java')} { }`);
  await index.complete;
  expect(index.fileCount).toBe(400);
  expect(found(index, 'p.A399')).toEqual([]);
  expect(found(index, 'typed.A399')).toEqual(['p/A399.java']);
  index.update(typed[399]!);
  expect(found(index, 'p.A399')).toEqual(['p/A399.java']);
});

test('what the walk leaves out is left out when it changes', async () => {
  write('pom.xml', '');
  const index = await indexed();
  for (const path of ['target/classes/p/A.java', 'node_modules/p/A.java', 'target/p/A.java'])
    index.update(write(path, 'package p; class A {}'));
  expect(found(index, 'p.A')).toEqual([]);
  for (const path of ['target/generated-sources/p/A.java', 'src/build/A.java'])
    index.update(write(path, 'package p; class A {}'));
  expect(found(index, 'p.A')).toEqual(['src/build/A.java', 'target/generated-sources/p/A.java']);
  const before = index.fileCount;
  expect(await indexed().then(({ fileCount }) => fileCount)).toBe(before);
});

test('of a very long file the first type is found, and what is left out is told', async () => {
  const members = '  void run() {}\n'.repeat(20_000);
  write('p/Long.java', `package p;\nclass Long {\n${members}}\nclass Behind {}\n`);
  const index = await indexed();
  expect(found(index, 'p.Long$1')).toEqual(['p/Long.java']);
  expect(found(index, 'p.Behind')).toEqual([]);
  expect(index.problems.map(({ message }) => message)).toEqual([
    'a long file: types that begin far behind are left out',
  ]);
});

test('files of several roots that claim one name are all found', async () => {
  write('main/p/A.java', 'package p; class A {}');
  write('android/p/A.java', 'package p; class A {}');
  const index = new SourceIndex({ roots: [join(root, 'main'), join(root, 'android')] });
  await index.complete;
  expect(found(index, 'p.A$Inner')).toEqual(['android/p/A.java', 'main/p/A.java']);
  expect([...index.sourceRoots().keys()].sort()).toEqual([join(root, 'android'), join(root, 'main')]);
});

test('a cache is used for unchanged files, and a damaged one is not', async () => {
  const file = write('p/A.java', 'package p; class A {}');
  const cacheFile = join(root, 'cache', 'index.json');
  await indexed(cacheFile);
  // A file of the same size and time is taken to be the same: that the cache answers shows by its old answer.
  const time = new Date(1_700_000_000_000);
  utimesSync(file, time, time);
  await indexed(cacheFile);
  writeFileSync(file, 'package p; class B {}');
  utimesSync(file, time, time);
  expect(found(await indexed(cacheFile), 'p.A')).toEqual(['p/A.java']);
  writeFileSync(cacheFile, '{"version":1,"files":[["x"],{"path":3}');
  expect(found(await indexed(cacheFile), 'p.B')).toEqual(['p/A.java']);
});
