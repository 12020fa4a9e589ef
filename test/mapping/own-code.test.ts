// Which code is own, and the reason that is told: the setting, sources in the project, or all but the platform's.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { namedPackages, ownCode } from '../../server/mapping/own-code.ts';
import { sourcePackages } from '../../server/mapping/source-packages.ts';
import { methodText, profileOfText } from '../support/profiles/profiles.ts';

const profile = profileOfText(`
java.lang.Thread.run
  com.acme.shop.Shop.run | 1@5
    com.acme.shop.net.Wire.read | 1@5
      org.lib.Json.parse | 1@5
        java.util.HashMap.get | 1@5
          Main.main | 1@5
            :RUN | 1@5
            memcpy | 1@5`);

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'insitu-own-'));
});
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), '');
}

function own(wish: Partial<Parameters<typeof ownCode>[1]>): { names: string[]; text: string } {
  const { isOwn, text } = ownCode(profile.methods, { named: [], sources: null, ...wish });
  const names = Array.from(isOwn, (each, row) => (each === 1 ? methodText(profile, row) : '')).filter(Boolean);
  return { names, text };
}

test('the setting names packages, with those below them', () => {
  expect(namedPackages(' com.acme.* , org.lib.,, ')).toEqual(['com.acme', 'org.lib']);
  expect(namedPackages(null)).toEqual([]);
  expect(own({ named: ['com.acme', 'org.li', 'java.util'], sources: sourcePackages(root) })).toEqual({
    names: ['com.acme.shop.Shop.run', 'com.acme.shop.net.Wire.read', 'java.util.HashMap.get'],
    text: 'com.acme.*, java.util.*, org.li.* (setting code.own)',
  });
});

test('without sources of a package that ran, all code but that of the platform is own, and native code is nobody’s', () => {
  write('other/src/Other.java');
  const all = {
    names: ['com.acme.shop.Shop.run', 'com.acme.shop.net.Wire.read', 'org.lib.Json.parse', 'Main.main'],
    text: "all but the Java platform's (no package that ran has sources in the project)",
  };
  expect(own({})).toEqual(all);
  expect(own({ sources: sourcePackages(root) })).toEqual(all);
});

test('packages with sources are own, main and test sources, of all modules', () => {
  write('core/src/main/java/com/acme/shop/Shop.java');
  write('core/src/main/java/java/util/Patched.java');
  expect(own({ sources: sourcePackages(root) })).toEqual({
    names: ['com.acme.shop.Shop.run'],
    text: 'com.acme.shop.* (sources in the project)',
  });
  write('net/src/test/kotlin/com/acme/shop/net/Wire.kt');
  expect(own({ sources: sourcePackages(root) }).names).toEqual([
    'com.acme.shop.Shop.run',
    'com.acme.shop.net.Wire.read',
  ]);
  expect(sourcePackages(root).has('acme.shop')).toBe(true);
  expect(sourcePackages(root).has('me.shop')).toBe(false);
});

test('in the project of the platform its packages are own', () => {
  const patched = join(root, 'core', 'src', 'main', 'java', 'java');
  expect(own({ sources: sourcePackages(patched) }).names).toEqual(['java.util.HashMap.get']);
});
