// The process that reads objects: order, sizes, names that are not there, and what happens when it dies.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GitObject, ObjectReader } from '../../../server/mapping/git/object-reader.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';

let scratch: ScratchRepository;
let reader: ObjectReader | null = null;

beforeEach(() => {
  scratch = new ScratchRepository();
});
afterEach(() => {
  reader?.close();
  scratch.remove();
});

const short = (object: GitObject) => ('bytes' in object ? `${object.kind} ${object.bytes.length}` : object.kind);

/** A git that notes each start, and runs `before` first. */
function wrapped(before: string): Record<string, string> {
  const path = join(scratch.home, 'git');
  writeFileSync(path, `#!/bin/sh\necho start >> "$HOME/starts"\n${before}\nexec /usr/bin/git "$@"\n`);
  chmodSync(path, 0o755);
  return { ...scratch.env, PATH: `${scratch.home}:${scratch.env.PATH}` };
}

test('many objects asked at once come in order, whatever their size and kind', async () => {
  const large = 'x'.repeat(300_000);
  const commit = scratch.commit({ 'a.txt': 'a', 'empty.txt': '', 'large.txt': large, 'b c.txt': '\nb\n\n' });
  reader = new ObjectReader(scratch.root, { env: scratch.env }, { largestBytes: 299_999 });
  const names = ['a.txt', 'large.txt', 'none.txt', 'empty.txt', 'b c.txt', 'none\n.txt'];
  const found = await Promise.all([...names, ...names].map(name => reader!.read(`${commit}:${name}`)));
  const wanted = ['blob 1', 'tooLarge', 'missing', 'blob 0', 'blob 4', 'missing'];
  expect(found.map(short)).toEqual([...wanted, ...wanted]);
  expect((await reader.read(commit)).kind).toBe('commit');
  expect((await reader.read(`${commit}:`)).kind).toBe('tree');
  expect((await reader.read('no such name 12')).kind).toBe('missing');
});

test('a process that dies is started once more for what it was asked', async () => {
  const commit = scratch.commit({ 'a.txt': 'a' });
  const once = 'if [ ! -e "$HOME/died" ]; then touch "$HOME/died"; read line; exit 3; fi';
  reader = new ObjectReader(scratch.root, { env: wrapped(once) });
  const found = await Promise.all([reader.read(`${commit}:a.txt`), reader.read(`${commit}:b.txt`)]);
  expect(found.map(short)).toEqual(['blob 1', 'missing']);
});

test('one that always dies, or says nothing, is a problem', async () => {
  reader = new ObjectReader(scratch.root, { env: wrapped('echo no luck >&2; exit 3') });
  expect(await reader.read('HEAD')).toMatchObject({
    kind: 'failed',
    problem: { message: expect.stringMatching('no luck') },
  });
  reader.close();
  reader = new ObjectReader(scratch.root, { env: wrapped('exec sleep 10') }, { limitMillis: 50 });
  expect((await reader.read('HEAD')).kind).toBe('failed');
  reader.close();
  reader = new ObjectReader(scratch.root, { env: { PATH: '' } });
  expect(await reader.read('HEAD')).toMatchObject({
    kind: 'failed',
    problem: { message: expect.stringMatching('not installed') },
  });
});

test('after closing everything is missing', async () => {
  const commit = scratch.commit({ 'a.txt': 'a' });
  reader = new ObjectReader(scratch.root, { env: wrapped('sleep 1') });
  const asked = reader.read(`${commit}:a.txt`);
  reader.close();
  expect((await asked).kind).toBe('missing');
  expect((await reader.read(`${commit}:a.txt`)).kind).toBe('missing');
});
