// Folded chains on the page: rings fold them, a click or a key unfolds one, the address and the saved picture have the same form.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { type FakeStack, fakeMethod } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

needs('chromium', 'folded chains on the page', checkChains);

const PATIENCE = { timeout: 15_000, interval: 50 };
const stack = (count: number, ...names: string[]): FakeStack => ({
  ...{ count, thread: 'main', window: 0 },
  frames: names.map(name => fakeMethod('com.acme.Shop', name)),
});
const CHAIN = ['Shop.first → Shop.third · 3', 'Shop.left', 'Shop.right'];
const CALLS = ['Shop.first', 'Shop.second', 'Shop.third', 'Shop.left', 'Shop.right', 'Shop.other'];

function parts(page: Page): Promise<(string | null)[]> {
  return page.locator('.beside tbody th button').allTextContents();
}

function checkChains(engine: Engine): void {
  const views = new FakeViews([
    stack(50, 'first', 'second', 'third', 'left'),
    stack(49, 'first', 'second', 'third', 'right'),
    stack(1, 'first', 'other'),
  ]);
  let stage: Stage;
  beforeAll(async () => {
    stage = await pageStage(engine, views);
  });
  afterAll(() => stage?.close());

  async function opened(state: string): Promise<Page> {
    const page = await stage.open(views, state);
    await page.locator('.picture canvas[data-drawn]').waitFor();
    await page.locator('.picture canvas').focus();
    return page;
  }

  test('rings fold a chain, and say what leaves it', async () => {
    const page = await opened('view=ring&library=off');
    await expect.poll(() => parts(page), PATIENCE).toEqual(['everything', ...CHAIN]);
    await expect(page.locator('.beside .aside').first().textContent()).resolves.toMatch(
      /^drawn 99 % \+ left on the way 1\.0 % =/,
    );
    await page.context().close();
  });

  test('a click shows the calls of a chain, a double click takes it as root, its key folds it again', async () => {
    const page = await opened('view=ring&library=off');
    await expect.poll(() => parts(page), PATIENCE).toEqual(['everything', ...CHAIN]);
    const { x, y, width, height } = (await page.locator('.picture canvas').boundingBox())!;
    // Of three rings the middle one, to the right.
    const spot = [x + width / 2 + Math.min(width, height) / 4, y + height / 2 + 20] as const;
    await page.mouse.click(...spot);
    await expect.poll(() => parts(page), PATIENCE).toEqual(['everything', ...CALLS]);
    expect(page.url()).toMatch(/unfolded=[\da-z]+/);
    await page.reload();
    await expect.poll(() => parts(page), PATIENCE).toEqual(['everything', ...CALLS]);
    await page.locator('.picture canvas').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'x']) await page.keyboard.press(key);
    await expect.poll(() => parts(page), PATIENCE).toEqual(['everything', ...CHAIN]);
    expect(page.url()).not.toContain('unfolded');
    await page.waitForTimeout(600);
    await page.mouse.dblclick(...spot);
    await expect.poll(() => page.url(), PATIENCE).toContain('root=');
    await expect.poll(async () => (await parts(page))[0], PATIENCE).toBe('Shop.first');
    await page.context().close();
  });

  test('a switch folds chains of flame graphs and unfolds those of rings', async () => {
    const page = await opened('view=flame&library=off');
    await expect.poll(() => parts(page), PATIENCE).toEqual(['everything', ...CALLS]);
    await page.keyboard.press('k');
    await expect.poll(() => parts(page), PATIENCE).toEqual(['everything', ...CHAIN]);
    expect(page.url()).toContain('rowChains=on');
    await page.keyboard.press('1');
    await page.keyboard.press('k');
    await expect.poll(() => parts(page), PATIENCE).toEqual(['everything', ...CALLS]);
    expect(page.url()).toContain('ringChains=off');
    await page.context().close();
  });

  test('a saved picture has the form that is shown', async () => {
    const page = await opened('view=flame&library=off&rowChains=on');
    const saved = async (): Promise<string> => {
      await page.locator('.picture canvas').focus();
      await page.keyboard.press('m');
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Save picture as SVG' }).click();
      return readFile(await (await download).path(), 'utf8');
    };
    await page.keyboard.press('ArrowDown');
    expect(await saved()).toContain('Shop.first → Shop.third · 3');
    await page.keyboard.press('k');
    await expect.poll(() => parts(page), PATIENCE).toEqual(['everything', ...CALLS]);
    expect(await saved()).toContain('com.acme.Shop.second');
    await page.context().close();
  });

  test('nothing went wrong on any page', () => {
    expect(stage.wrong).toEqual([]);
  });
}
