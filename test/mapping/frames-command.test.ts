// `insitu frames` answers in the order of its questions; of two files that claim a class the one that fits is taken.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerFrames, type FrameQuestion, parseQuestion } from '../../server/mapping/place-frames.ts';
import { SourceIndex } from '../../server/mapping/source-index.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'insitu-frames-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function answers(...questions: readonly FrameQuestion[]): Promise<string[]> {
  const index = new SourceIndex({ roots: [root] });
  await index.complete;
  return answerFrames(questions, index).map(({ file, startLine, endLine, kind, confidence, candidates }) => {
    const place = file === undefined ? '-' : `${relative(root, file)}:${startLine}-${endLine} ${kind}`;
    return `${place} ${confidence} ${candidates.length}`;
  });
}

test('each question gets its answer', async () => {
  write('p/A.java', 'package p;\nclass A {\n  void run(int x) {\n  }\n  void run(long x) {\n  }\n}\n');
  const run = { class: 'p.A', method: 'run' };
  expect(
    await answers({ ...run, descriptor: '(J)V' }, { class: 'q.B', method: 'x' }, run, { ...run, line: 3 }),
  ).toEqual([
    'p/A.java:5-6 method exact 0',
    '- no source 0',
    'p/A.java:3-4 method ambiguous 2',
    'p/A.java:3-4 method line 0',
  ]);
});

test('of a class that two files declare both are named', async () => {
  write('a/p/A.java', 'package p;\nclass A {\n  void run() {\n    go();\n  }\n}\n');
  write('b/p/A.java', 'package p;\nclass A {\n\n  void run() {\n    go();\n  }\n}\n');
  const index = new SourceIndex({ roots: [root] });
  await index.complete;
  const [found] = answerFrames([{ class: 'p.A', method: 'run', line: 4 }], index);
  expect(found?.file).toBe(join(root, 'a/p/A.java'));
  expect(found?.declaredIn?.map(file => relative(root, file)).sort()).toEqual(['a/p/A.java', 'b/p/A.java']);
});

test('what javac wrote for an inherited method leads to that one, in another file too', async () => {
  write('p/And.java', 'package p;\npublic class And extends Match {\n}\n');
  write('p/Match.java', 'package p;\nabstract class Match extends Base {\n  public abstract void none();\n}\n');
  write('p/Base.java', 'package p;\nclass Base {\n  public void apply(int x) {\n  }\n}\n');
  const of = (method: string) => ({ class: 'p.And', method });
  expect(await answers(of('apply'), { ...of('apply'), line: 2 }, of('none'), of('missing'))).toEqual([
    'p/Base.java:3-4 method generated 0',
    'p/And.java:2-3 class header 0',
    '- no source 0',
    '- no source 0',
  ]);
});

test('of a compact source file, members and the types among them', async () => {
  write(
    'Hello.java',
    'int n = 1;\n\nrecord Pair(int x) {\n  int sum() {\n    return x;\n  }\n}\n\nvoid main() {\n  run(() -> 1);\n}\n',
  );
  expect(
    await answers(
      { class: 'Hello', method: 'main', descriptor: '()V', line: 10 },
      { class: 'Hello', method: 'lambda$main$0', line: 10 },
      { class: 'Hello$Pair', method: 'sum' },
      { class: 'Hello', method: '<init>', line: 1 },
      { class: 'Hello', method: '<init>' },
      { class: 'Pair', method: 'sum' },
    ),
  ).toEqual([
    'Hello.java:9-11 method exact 0',
    'Hello.java:10-10 lambda line 0',
    'Hello.java:4-6 method name only 0',
    'Hello.java:1-1 field line 0',
    'Hello.java:1-11 class header 0',
    '- no source 0',
  ]);
});

test('a text out of a jar in the folder answers by its package clause', async () => {
  write('unpacked/lib-sources/q/r/Codec.java', 'package lib;\nclass Codec {\n  void read() {\n  }\n}\n');
  expect(await answers({ class: 'lib.Codec', method: 'read' }, { class: 'q.r.Codec', method: 'read' })).toEqual([
    'unpacked/lib-sources/q/r/Codec.java:3-4 method name only 0',
    '- no source 0',
  ]);
});

test('frames of other languages are named as such, with and without a file of that name', async () => {
  write('p/Shop.java', 'package p;\nclass Shop {\n}\n');
  const index = new SourceIndex({ roots: [root] });
  await index.complete;
  const reasonOf = (className: string, method: string) =>
    answerFrames([{ class: className, method }], index).map(({ confidence, reason }) => `${confidence}: ${reason}`)[0];
  expect(reasonOf('p.ShopKt', 'main')).toBe('no source: Kotlin code');
  expect(reasonOf('p.Shop', 'run$default')).toBe('no source: Kotlin code');
  expect(reasonOf('p.Shop$', 'apply')).toBe('no source: Scala code');
  expect(reasonOf('p.Shop$_run_closure1', 'doCall')).toBe('no source: Groovy code');
  expect(reasonOf('org.apache.jsp.index_jsp', '_jspService')).toBe('no source: JSP code');
  expect(reasonOf('p.Other', 'run')).toBe('no source: no file declares the class');
});

test('two trees with one class: observed members and lines tell which was run', async () => {
  const body = 'void old() {}\n';
  write('main/p/A.java', `package p;\nclass A {\n${'\n'.repeat(10)}  void run() {\n  }\n}\n`);
  write('android/p/A.java', `package p;\nclass A {\n  void run() {\n  }\n  ${body}}\n`);
  expect(await answers({ class: 'p.A', method: 'run', line: 13 })).toEqual(['main/p/A.java:13-14 method line 0']);
  expect(await answers({ class: 'p.A', method: 'run', line: 4 })).toEqual(['android/p/A.java:3-4 method line 0']);
  const exact = { class: 'p.A', method: 'run', descriptor: '()V' };
  expect(await answers({ ...exact, line: 13 })).toEqual(['main/p/A.java:13-14 method exact 0']);
  expect(await answers({ ...exact, line: 4 })).toEqual(['android/p/A.java:3-4 method exact 0']);
  expect(await answers({ class: 'p.A', method: 'old' }, { class: 'p.A', method: 'run' })).toEqual([
    'android/p/A.java:5-5 method name only 0',
    'android/p/A.java:3-4 method name only 0',
  ]);
});

test('with nothing else to go by, a test tree comes last', async () => {
  write('src/test/java/p/A.java', 'package p; class A { void run() {} }');
  write('src/main/java/p/A.java', 'package p; class A { void run() {} }');
  expect(await answers({ class: 'p.A', method: 'run' })).toEqual(['src/main/java/p/A.java:1-1 method name only 0']);
});

test('questions are read strictly', () => {
  expect(parseQuestion('{"class":"A","method":"b","line":3,"descriptor":null}')).toEqual({
    class: 'A',
    method: 'b',
    line: 3,
  });
  expect(parseQuestion('{"class":"A"')).toBe('not JSON');
  expect(parseQuestion('[]')).toBe('no "class"');
  expect(parseQuestion('3')).toBe('not an object');
  expect(parseQuestion('{"class":"A"}')).toBe('no "method"');
  expect(parseQuestion('{"class":"A","method":"b","line":"3"}')).toBe('"line" is not a number');
});
