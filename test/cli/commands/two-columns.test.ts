// Stacks with two numbers each: every command that shows one of them says which, of a file and of the store.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insitu } from '../../support/insitu/command-line.ts';

const WORD = 'each stack has two numbers, as those of two profiles: the metric cpu is the first, weight the second';

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-columns-'));
  writeFileSync(
    at('Work.java'),
    'package com.acme;\nclass Work {\n  void run() {\n    go();\n  }\n  void go() {}\n}\n',
  );
  writeFileSync(at('diff.txt'), 'com.acme.Work.run:4;com.acme.Work.go:6 20 35\ncom.acme.Work.run:4 30 15\n');
  const { status, err } = await insitu(
    'import',
    at('diff.txt'),
    '--program',
    'p',
    '--project',
    'q',
    '--store',
    at('s'),
  );
  expect([status, err]).toEqual([0, expect.stringContaining(WORD)]);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['top'],
  ['top', '--metric', 'weight'],
  ['tree'],
  ['callers', 'com.acme.Work.go'],
  ['callees', 'com.acme.Work.run'],
  ['why', 'com.acme.Work#go'],
  ['annotate', 'Work.java'],
  ['query', 'Work.run Work.go'],
  ['tasks', '--prefix', 'com.acme'],
  ['export', '--last', '1m'],
])('%s %s %s', async (command, ...given) => {
  const args = given.map(each => (each.endsWith('.java') ? at(each) : each));
  const stored = await insitu(command, ...args, '--store', at('s'), '--program', 'p', '--project', 'q');
  const recorded = await insitu(command, ...args, '--recording', at('diff.txt'));
  for (const { err } of command === 'export' ? [stored] : [stored, recorded]) expect(err.split(WORD).length).toBe(2);
});

test('a file that is exported as it is', async () => {
  expect((await insitu('export', at('diff.txt'))).err).toContain(WORD);
});
