// Files within folders once links are resolved: links that lead out, back in, around and nowhere.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadsOut, liesWithin } from '../../server/mapping/within-roots.ts';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'insitu-within-')));
  for (const name of ['root/src', 'root/..src', 'elsewhere', 'other'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['root/src/A.java', 'elsewhere/Secret.java', 'other/B.java', 'rootless'])
    writeFileSync(join(folder, name), '');
  const links = {
    'root/link': '../elsewhere',
    'root/Secret.java': '../elsewhere/Secret.java',
    'root/back': '../elsewhere/../root/src',
    'root/loop': 'loop',
    'root/nowhere': '../elsewhere/missing',
    'also-root': 'root',
    'elsewhere/in': '../root/src',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['root', true],
  ['root/src/A.java', true],
  ['root/src/New.java', true],
  ['root/..src/New.java', true],
  ['root/back/A.java', true],
  ['also-root/src/A.java', true],
  ['elsewhere/in/A.java', true],
  ['root/../root/src/A.java', true],
  ['root/link', false],
  ['root/link/Secret.java', false],
  ['root/link/New.java', false],
  ['root/link/no/such/New.java', false],
  ['root/Secret.java', false],
  ['root/../elsewhere/Secret.java', false],
  ['elsewhere/Secret.java', false],
  ['rootless', false],
  ['', false],
  ['../../../../../../../../../etc/passwd', false],
])('%s within the root: %s', (path, expected) => {
  const at = join(folder, path);
  expect(liesWithin([join(folder, 'root')], at)).toBe(expected);
  expect(liesWithin([join(folder, 'also-root')], at)).toBe(expected);
  expect(liesWithin([], at)).toBe(false);
});

test('several roots are one: a link from one into another leads nowhere else', () => {
  const roots = [join(folder, 'root'), join(folder, 'elsewhere')];
  expect(liesWithin(roots, join(folder, 'root/link/Secret.java'))).toBe(true);
  expect(leadsOut(roots, join(folder, 'root/link/Secret.java'))).toBe(false);
  expect(leadsOut(roots.slice(0, 1), join(folder, 'root/link/Secret.java'))).toBe(true);
  expect(leadsOut(roots, join(folder, 'other/B.java'))).toBe(false);
});

test('a link without an end has no place', () => {
  expect(liesWithin([folder], join(folder, 'root/loop/A.java'))).toBe(false);
  expect(liesWithin([join(folder, 'root')], join(folder, 'root/nowhere'))).toBe(false);
});
