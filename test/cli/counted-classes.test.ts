// Tests which classes `record --count` counts: named ones, all that a pattern means, classes that differ, and never the JDK's.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countedClasses } from '../../server/cli/counted-classes.ts';
import { configurationFor } from '../../server/workspace/settings/configuration.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

let store: string;
let told: string;

beforeAll(async () => {
  store = mkdtempSync(join(tmpdir(), 'insitu-counted-'));
  const common = 'acme.Shop.run | 10@1\n  acme.shop.Search.find :2 | 50@3\n    java.util.List.add :4 | 40@9';
  await putPicture(store, common, { version: '1' });
  await putPicture(store, `${common}\n  acme.shop.Rank$Best.of :5 | 70@6`, { version: '2' });
});

afterAll(() => rmSync(store, { recursive: true, force: true }));

function counted(...given: string[]): Promise<string[]> {
  told = '';
  const output = { out: () => {}, err: (text: string) => (told += text), data: () => {} };
  const options = { store, project: 'acme', program: 'shop', version: '2' };
  return countedClasses(output, configurationFor(store, options), given);
}

test('named classes are counted as they are named, each once, generated and platform classes are not', async () => {
  expect(await counted('acme.Shop', 'acme.Shop', 'java.lang.String', 'acme.Shop$$Lambda/0x1')).toEqual(['acme.Shop']);
  await expect(counted('java.util.List')).rejects.toThrow(/means no class whose calls can be counted/);
});

test('a pattern means the recorded classes that fit it, the most time first', async () => {
  expect(await counted('acme.shop.*')).toEqual(['acme.shop.Search', 'acme.shop.Rank$Best']);
  await expect(counted('com.other.**')).rejects.toThrow(/means no class/);
});

test('two versions mean the classes whose methods differ', async () => {
  expect((await counted('1..2'))[0]).toBe('acme.shop.Rank$Best');
  await expect(counted('1..9')).rejects.toThrow();
});

test('more than fifty are cut to fifty, and that is said', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `acme.Class${i}`);
  expect(await counted(...names)).toEqual(names.slice(0, 50));
  expect(told).toBe('10 of 60 classes are not counted: 50 at most are\n');
});
