// Programs are found in absolute folders of PATH alone: a relative one may be the cloned repository.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram, withAbsolutePath } from '../../server/base/find-program.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-programs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(...path: readonly string[]): string {
  const file = join(folder, ...path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
}

test('a program is that of the first absolute folder that has it', () => {
  const [planted, own] = [program('planted', 'tool'), program('own', 'tool')];
  const planting = [relative(process.cwd(), join(planted, '..')), '', '.', join(own, '..')].join(delimiter);
  expect(findProgram('tool', { PATH: planting })).toBe(own);
  expect(findProgram('tool', { PATH: relative(process.cwd(), join(planted, '..')) })).toBeNull();
  expect(findProgram('tool', {})).toBeNull();
});

test('a folder and a file that cannot be run are no programs', () => {
  mkdirSync(join(folder, 'first', 'tool'), { recursive: true });
  const own = program('second', 'tool');
  chmodSync(program('first', 'text'), 0o644);
  const PATH = [join(folder, 'first'), join(folder, 'second')].join(delimiter);
  expect(findProgram('tool', { PATH })).toBe(own);
  expect(findProgram('text', { PATH })).toBeNull();
});

test('a program that is started gets no relative folder to look into either', () => {
  const PATH = ['bin', '/usr/bin', '', '.', '/bin'].join(delimiter);
  expect(withAbsolutePath({ PATH, HOME: '/home' })).toEqual({
    PATH: ['/usr/bin', '/bin'].join(delimiter),
    HOME: '/home',
  });
  expect(withAbsolutePath({ HOME: '/home' })).toEqual({ HOME: '/home' });
});
