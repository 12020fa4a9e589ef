// The spool among links and pipes: nothing outside is written or removed through it, and no process waits.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Spool, type SpoolNote } from '../../server/record/spool.ts';
import { ThreadDumps } from '../../server/record/thread-dumps.ts';
import { EXECUTION } from '../support/stores/snapshots.ts';

let root = '';
let outside = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'insitu-spool-'));
  outside = mkdtempSync(join(tmpdir(), 'insitu-outside-'));
  writeFileSync(join(outside, 'target'), 'kept');
});
afterEach(() => {
  rmSync(root, { recursive: true });
  rmSync(outside, { recursive: true });
});

const note = (sequence: number): SpoolNote => ({ sequence, execution: EXECUTION, startMillis: 1, position: null });
const BYTES = Uint8Array.of(1, 2, 3);
const target = () => readFileSync(join(outside, 'target'), 'utf8');

test('a folder that is a link is refused, and stays', () => {
  symlinkSync(outside, join(root, 'jvm'));
  expect(() => new Spool(root, 'jvm')).toThrow('is a link');
  expect(readdirSync(outside)).toEqual(['target']);
  expect(lstatSync(join(root, 'jvm')).isSymbolicLink()).toBe(true);
});

test('files that are links are never written through, and what they lead to is never removed', () => {
  const spool = new Spool(root, 'jvm');
  const names = ['1.open', '1.open.tmp', '2.closed.tmp', '1.dumps', 'any.tmp'];
  for (const name of names) symlinkSync(join(outside, 'target'), join(spool.folder, name));
  spool.saveOpen(note(1), BYTES);
  spool.saveClosed(note(2), BYTES);
  spool.removeDumpsBefore(9);
  expect(spool.list().map(each => each.note.sequence)).toEqual([1, 2]);
  for (const each of spool.list()) spool.remove(each);
  spool.removeIfEmpty();
  expect(existsSync(spool.folder)).toBe(false);
  expect(target()).toBe('kept');
});

test('a folder in the spool in which something is left stays', () => {
  const spool = new Spool(root, 'jvm');
  mkdirSync(join(spool.folder, 'other'));
  spool.removeIfEmpty();
  expect(existsSync(join(spool.folder, 'other'))).toBe(true);
});

test('pipes and devices in place of windows are left alone', () => {
  const spool = new Spool(root, 'jvm');
  spawnSync('mkfifo', [join(spool.folder, '1.open')]);
  symlinkSync('/dev/zero', join(spool.folder, '2.closed'));
  expect(spool.list()).toEqual([]);
  expect(readdirSync(spool.folder).sort()).toEqual(['1.open', '2.closed']);
});

test.each(['a link', 'a pipe'])('thread dumps are not gathered in %s', async what => {
  const file = join(root, '1.dumps');
  if (what === 'a link') symlinkSync(join(outside, 'target'), file);
  else spawnSync('mkfifo', [file]);
  const told: string[] = [];
  const dumps = new ThreadDumps({
    jvm: { pid: 1, root: '', name: 'Shop' } as ConstructorParameters<typeof ThreadDumps>[0]['jvm'],
    everyMillis: 60_000,
    file: () => file,
    hasRoom: () => true,
    report: problems => told.push(...problems.map(({ message }) => message)),
    ask: async () => ({ value: 'a dump', problems: [] }),
  });
  dumps.take();
  await expect.poll(() => told.length).toBe(1);
  expect(told[0]).toContain('a thread dump is lost');
  expect(target()).toBe('kept');
});
