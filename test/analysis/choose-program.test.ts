// Tests which program of a project is shown when nobody names one, and that deciding stays cheap.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chooseProgram } from '../../server/analysis/choose-program.ts';
import type { Wish } from '../../server/analysis/wish.ts';
import { openStore } from '../../server/store/open-store.ts';
import type { Store } from '../../server/store/store.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

let folder: string;
let store: Store;
let wish: Wish;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'insitu-choose-'));
  const location = join(folder, 'store');
  store = openStore(location).value!;
  wish = { store: location, project: 'acme', program: null, version: null, root: join(folder, 'code') };
});

afterEach(() => rm(folder, { recursive: true }));

async function write(path: string): Promise<void> {
  await mkdir(dirname(join(folder, 'code', path)), { recursive: true });
  await writeFile(join(folder, 'code', path), '');
}

test('the program with most classes in the wish root is chosen, by method tables alone', async () => {
  await putPicture(wish.store, 'shop.Cart.run | 10@1\nshop.Till.run | 10@1', { program: 'shop' });
  await putPicture(wish.store, 'shop.Cart.run | 10@1', { program: 'another' });
  await putPicture(wish.store, 'a.A.a | 1@1\nb.B.b | 1@1\nc.C.c | 1@1', { program: 'foreign' });
  await write('src/shop/Cart.java');
  await write('src/shop/Till.java');
  await write('node_modules/a/A.java');
  const read = vi.spyOn(store, 'read');
  const { value, problems } = await chooseProgram(store, wish);
  expect(value).toBe('shop');
  expect(problems).toMatchObject([{ severity: 'info', message: expect.stringContaining('another, foreign, shop') }]);
  expect(read).not.toHaveBeenCalled();
});

test('only the newest version counts, and a broken snapshot does not', async () => {
  await putPicture(wish.store, 'shop.Cart.run | 10@1', { program: 'old', version: '1' });
  await putPicture(wish.store, 'other.Other.run | 10@1', { program: 'old', version: '2' }, 60);
  await putPicture(wish.store, 'shop.Cart.run | 10@1', { program: 'shop' });
  await write('shop/Cart.java');
  expect((await chooseProgram(store, wish)).value).toBe('shop');
  const [entry] = (await store.list({ project: 'acme', program: 'shop' })).value;
  await writeFile(join(wish.store, entry!.key), 'broken');
  expect((await chooseProgram(store, wish)).value).toBe('old');
});

test('a tree without end is looked at only so far', async () => {
  await putPicture(wish.store, 'shop.Cart.run | 10@1', { program: 'a' });
  await putPicture(wish.store, 'shop.Cart.run | 10@1', { program: 'b' });
  await write('shop/Cart.java');
  const clock = vi.spyOn(performance, 'now');
  let asked = 0;
  clock.mockImplementation(() => asked++ * 1_000);
  expect((await chooseProgram(store, wish)).value).toBe('a');
  expect(asked).toBeLessThan(5);
  clock.mockRestore();
});
