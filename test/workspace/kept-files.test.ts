// Tests the files in the user's cache: they are written and removed in folders of their own alone, beside any other files.
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
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepFile } from '../../server/base/kept-files.ts';
import { readCache } from '../../server/mapping/source-cache.ts';

let folder = '';
let outside = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-kept-'));
  outside = mkdtempSync(join(tmpdir(), 'insitu-outside-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  rmSync(outside, { recursive: true });
});

const keep = (name: string, most = 2) => keepFile(join(folder, 'kept', name), { ending: '.kept', most }, 'text');

test('the latest files stay; folders and links among them are left alone, and nothing behind them is removed', () => {
  keep('0.kept');
  mkdirSync(join(folder, 'kept', 'sub.kept'));
  writeFileSync(join(folder, 'kept', 'sub.kept', 'file.kept'), '');
  writeFileSync(join(outside, 'target.kept'), 'target');
  symlinkSync(join(outside, 'target.kept'), join(folder, 'kept', 'link.kept'));
  symlinkSync('nowhere', join(folder, 'kept', 'dangling.kept'));
  symlinkSync(outside, join(folder, 'kept', 'folder.kept'));
  utimesSync(join(folder, 'kept', '0.kept'), 1, 1);
  keep('1.kept');
  keep('2.kept');
  expect(readdirSync(join(folder, 'kept')).sort()).toEqual(
    ['1.kept', '2.kept', 'dangling.kept', 'folder.kept', 'link.kept', 'sub.kept'].sort(),
  );
  expect(readdirSync(outside)).toEqual(['target.kept']);
  expect(existsSync(join(folder, 'kept', 'sub.kept', 'file.kept'))).toBe(true);
});

test('a folder that is a link keeps nothing, and loses nothing', () => {
  for (const name of ['a.kept', 'b.kept', 'c.kept']) writeFileSync(join(outside, name), '');
  symlinkSync(outside, join(folder, 'kept'));
  expect(() => keep('new.kept', 1)).toThrow('is a link');
  expect(readdirSync(outside).sort()).toEqual(['a.kept', 'b.kept', 'c.kept']);
});

test('a file is never written through a link', () => {
  mkdirSync(join(folder, 'kept'));
  writeFileSync(join(outside, 'target'), 'target');
  for (const name of ['0.kept', `0.kept.${process.pid}`])
    symlinkSync(join(outside, 'target'), join(folder, 'kept', name));
  keep('0.kept');
  expect(readFileSync(join(outside, 'target'), 'utf8')).toBe('target');
  expect(lstatSync(join(folder, 'kept', '0.kept')).isFile()).toBe(true);
});

test('pipes and devices in place of what was kept are nothing', () => {
  for (const [i, make] of [
    (path: string) => void spawnSync('mkfifo', [path]),
    (path: string) => symlinkSync('/dev/zero', path),
  ].entries()) {
    const path = join(folder, `${i}`);
    make(path);
    expect(readCache(path).size).toBe(0);
  }
});
