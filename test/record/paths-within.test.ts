// Places in a container's file system stay in it, whatever its links say.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathWithin } from '../../server/record/paths-within.ts';

let root = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'insitu-within-')));
  mkdirSync(join(root, 'var/tmp'), { recursive: true });
  symlinkSync('var/tmp', join(root, 'tmp'));
  symlinkSync('/etc', join(root, 'absolute'));
  symlinkSync('../../../../../../etc', join(root, 'var/up'));
  symlinkSync('loop', join(root, 'loop'));
});
afterAll(() => rmSync(root, { recursive: true }));

test.each([
  ['/tmp/recordings', '/var/tmp/recordings'],
  ['/absolute/passwd', '/etc/passwd'],
  ['/var/up/passwd', '/etc/passwd'],
  ['/../../etc/passwd', '/etc/passwd'],
  ['/tmp/../../..//./x', '/x'],
  ['/', ''],
])('%s is %s inside', (path, inside) => {
  expect(pathWithin(root, path)).toBe(`${root}${inside}`);
});

test('links that go in circles lead nowhere', () => {
  expect(() => pathWithin(root, '/loop/x')).toThrow('too many links');
});

test('our own file system is as it is', () => {
  expect(pathWithin('', '/tmp/../x')).toBe('/tmp/../x');
});
