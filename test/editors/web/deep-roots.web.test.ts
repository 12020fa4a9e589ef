// Roots that are 40,000 calls deep: they are sent in few bytes, and restored from an address.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { fakeMethod } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

const PATIENCE = { timeout: 40_000, interval: 50 };
const DEPTH = 40_000;

needs('chromium', 'deep roots', checkDeep);

function checkDeep(engine: Engine): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await pageStage(engine, new FakeViews([]));
  });
  afterAll(() => stage?.close());

  const last = (page: Page) => page.locator('.breadcrumb button').last().textContent();

  test('a deep part becomes the root, a reload shows it again, and Backspace leads to its caller', async () => {
    const frames = Array.from({ length: DEPTH }, (_, at) => fakeMethod('com.acme.Deep', `call${at % 5}`));
    const views = new FakeViews([{ frames, count: 9, thread: 'main', window: 0 }]);
    const page = await stage.open(views, 'view=flame');
    await page.locator('.picture canvas[data-drawn]').waitFor();
    const scroller = page.locator('.scroller');
    // The page learns how deep the stacks are while it is scrolled.
    await expect
      .poll(async () => {
        await scroller.evaluate(element => element.scrollTo(0, element.scrollHeight));
        return scroller.evaluate(element => element.scrollTop);
      }, PATIENCE)
      .toBeGreaterThan(30_000);
    const canvas = page.locator('.picture canvas');
    await expect
      .poll(async () => {
        await canvas.click({ position: { x: 300, y: 100 } });
        return page.locator('[role=status]').textContent();
      }, PATIENCE)
      .toMatch(/Deep\.call/);
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).hash, PATIENCE).toMatch(/root=%40[\da-z]+(&|$)/);
    await expect.poll(() => last(page), PATIENCE).toMatch(/^Deep\.call/);
    const name = await last(page);
    await page.reload();
    await expect.poll(() => last(page), PATIENCE).toBe(name);
    await page.keyboard.press('Backspace');
    const caller = `Deep.call${(Number(name?.at(-1)) + 4) % 5}`;
    await expect.poll(() => last(page), PATIENCE).toBe(caller);
    const status = page.locator('[role=status]');
    const root = () => new URL(page.url()).hash;
    await page.keyboard.press('r');
    await expect
      .poll(root, PATIENCE)
      .toMatch(/root=[\w-]{8}(\.[\w-]{8}){0,4}&recursion=on|recursion=on&root=[\w-]{8}(\.|&|$)/);
    expect(await last(page)).toBe(caller);
    expect(await status.textContent()).toBe('Merging of recursion is on.');
    await page.goBack();
    await expect.poll(root, PATIENCE).toContain('root=%40');
    await expect.poll(() => last(page), PATIENCE).toBe(caller);
    await page.keyboard.press('i');
    await expect.poll(root, PATIENCE).not.toContain('root=');
    expect(await status.textContent()).toContain('The way to the root leads nowhere there: the top is shown.');
    const longest = Math.max(...views.asked.map(question => JSON.stringify(question).length));
    expect(longest).toBeLessThan(10_000);
    expect(stage.wrong).toEqual([]);
  });
}
