// Tracks of the timeline in Chromium: rows, heights and colours against the numbers; each action by pointer, and by keyboard alone.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { type FakeStack, FIRST_MOMENT, fakeMethod, WINDOW_MILLIS, WINDOWS } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

needs('chromium', 'tracks of the timeline', checkTracks);

const PATIENCE = { timeout: 15_000, interval: 50 };
const stack = (thread: string, window: number, count: number, name: string): FakeStack => ({
  ...{ thread, window, count },
  frames: [fakeMethod(name, 'run')],
});
/** Two packages of one thread, and a pool that runs in the second half alone. */
const STACKS = [
  stack('main', 0, 20, 'com.acme.shop.Cart'),
  stack('main', 0, 20, 'com.acme.bank.Teller'),
  stack('main', 1, 10, 'com.acme.bank.Teller'),
  stack('pool-#', 6, 8, 'com.acme.shop.Cart'),
  stack('pool-#', 6, 2, 'com.acme.shop.Cart'),
];

const letters = (at: number): string => `${String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26))}`;
/** Each thread a group of its own, those with most samples first. */
const CROWD = Array.from({ length: 300 }, (_, at) =>
  stack(`thread-${letters(at)}`, at % WINDOWS, 1_000 - at, 'com.acme.shop.Cart'),
);

/** Of each row its name, share and height. */
function rowsOf(page: Page): Promise<[string, string, number][]> {
  return page.locator('.track').evaluateAll(rows =>
    rows.map(row => {
      const text = (of: string) => row.querySelector(of)?.textContent ?? '';
      return [text('.track-name'), text('.track-share'), row.getBoundingClientRect().height];
    }),
  );
}

/** How many pixels of each colour a column of a row's canvas has, transparent ones left out. */
function coloursAt(page: Page, row: number, window: number): Promise<Record<string, number>> {
  return page.evaluate(`(() => {
    const canvas = document.querySelectorAll('.track canvas')[${row}];
    const x = Math.floor(${(window + 0.5) / WINDOWS} * canvas.width);
    const { data } = canvas.getContext('2d').getImageData(x, 0, 1, canvas.height);
    const counts = {};
    for (let pixel = 0; pixel < data.length; pixel += 4) {
      if (data[pixel + 3] === 0) continue;
      const colour = 'rgb(' + data.slice(pixel, pixel + 3).join(', ') + ')';
      counts[colour] = (counts[colour] ?? 0) + 1;
    }
    return counts;
  })()`);
}

/** By the words of the legend. */
function legendOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(`Object.fromEntries(
    [...document.querySelectorAll('.legend li')].map(entry => [
      entry.textContent.trim(),
      getComputedStyle(entry.querySelector('.swatch')).backgroundColor,
    ]),
  )`);
}

const chips = (page: Page): Promise<string[]> => page.locator('.chips .chip').allTextContents();

function checkTracks(engine: Engine): void {
  const views = new FakeViews(STACKS);
  let stage: Stage;
  beforeAll(async () => {
    stage = await pageStage(engine, views);
  });
  afterAll(() => stage?.close());

  async function opened(state = 'view=timeline'): Promise<Page> {
    const page = await stage.open(views, state);
    await page.locator('.track').first().waitFor();
    await expect.poll(async () => Object.keys(await coloursAt(page, 0, 0)).length, PATIENCE).toBeGreaterThan(0);
    return page;
  }

  test('have a row for each group, longest first, and stacks of the amounts in the colours of the legend', async () => {
    const page = await opened();
    expect(await rowsOf(page)).toEqual([
      ['main', '83 %', 28],
      ['pool-#', '17 %', 28],
    ]);
    const legend = await legendOf(page);
    const [shop, bank] = [legend.shop!, legend.bank!];
    // 40 samples fill the 27 pixels of the row, and 10 a quarter of them.
    const first = await coloursAt(page, 0, 0);
    expect(Object.keys(first).sort()).toEqual([shop, bank].sort());
    for (const colour of [shop, bank]) expect(Math.abs(first[colour]! - 27 / 2)).toBeLessThanOrEqual(0.5);
    const second = await coloursAt(page, 0, 1);
    expect(Object.keys(second)).toEqual([bank]);
    expect(Math.abs(second[bank]! - 27 / 4)).toBeLessThanOrEqual(0.5);
    expect(await coloursAt(page, 0, 6)).toEqual({});
    expect(await coloursAt(page, 1, 6)).toEqual({ [shop]: 27 });
    await page.context().close();
  });

  test('unfold to single threads, and a click on a name is the chip of these threads', async () => {
    const page = await opened();
    await page.locator('.track-fold').nth(1).click();
    await expect
      .poll(() => rowsOf(page), PATIENCE)
      .toEqual([
        ['main', '83 %', 28],
        ['pool-#', '17 %', 28],
        ['pool-1', '13 %', 14],
        ['pool-2', '3.3 %', 14],
      ]);
    await page.locator('.track-name', { hasText: 'pool-#' }).click();
    await expect.poll(() => chips(page), PATIENCE).toEqual([expect.stringContaining('pool-#')]);
    await expect.poll(async () => (await rowsOf(page)).map(([name]) => name), PATIENCE).not.toContain('main');
    await page.context().close();
  });

  test('dragging chooses the windows under it, and a double click all time', async () => {
    const page = await opened();
    const { x, y, width } = (await page.locator('.track canvas').first().boundingBox())!;
    const at = (window: number) => x + ((window + 0.5) / WINDOWS) * width;
    await page.mouse.move(at(1), y + 10);
    await page.mouse.down();
    await page.mouse.move(at(2), y + 10);
    await page.mouse.move(at(3), y + 12);
    const [, dimmed] = await page.locator('.track-span .out').all();
    expect(Math.abs((await dimmed!.boundingBox())!.x - (x + (4 / WINDOWS) * width))).toBeLessThan(2);
    await page.mouse.up();
    const span = () => new URLSearchParams(new URL(page.url()).hash.slice(1));
    await expect.poll(() => span().get('from'), PATIENCE).toBe(String(FIRST_MOMENT + WINDOW_MILLIS));
    expect(span().get('to')).toBe(String(FIRST_MOMENT + 4 * WINDOW_MILLIS));
    // The whole time stays, so that another span can be chosen.
    expect(Object.keys(await coloursAt(page, 0, 0))).toHaveLength(2);
    await page.mouse.dblclick(at(8), y + 10);
    await expect.poll(() => span().get('from'), PATIENCE).toBe(null);
    await page.context().close();
  });

  test('a cancelled drag chooses nothing, and the keyboard enters the rows where the active one is gone', async () => {
    const page = await opened();
    const { x, y, width } = (await page.locator('.track canvas').first().boundingBox())!;
    await page.mouse.move(x + width / 4, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 10);
    await expect.poll(() => page.locator('.track-span').count(), PATIENCE).toBe(1);
    await page.locator('.track-rows').dispatchEvent('pointercancel', { pointerId: 1 });
    await expect.poll(() => page.locator('.track-span').count(), PATIENCE).toBe(0);
    await page.mouse.up();
    await page.locator('.track-fold').nth(1).click();
    await page.locator('.track').nth(3).focus();
    await page.locator('.track-fold').nth(1).click();
    await expect.poll(() => page.locator('.track').count(), PATIENCE).toBe(2);
    expect(await page.locator('.track[tabindex="0"]').count()).toBe(1);
    await page.context().close();
  });

  test('by keyboard alone: walk, unfold, zoom, and look at one thread', async () => {
    const page = await opened();
    await page.locator('.track').first().focus();
    const focused = () => page.evaluate(`document.activeElement.querySelector('.track-name')?.textContent`);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused, PATIENCE).toBe('pool-#');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('.track').count(), PATIENCE).toBe(4);
    await page.keyboard.press('End');
    await expect.poll(focused, PATIENCE).toBe('pool-2');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focused, PATIENCE).toBe('pool-#');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.locator('.track').count(), PATIENCE).toBe(2);
    await page.keyboard.press('Home');
    for (const key of ['+', '+', '-']) await page.keyboard.press(key);
    await expect.poll(() => page.url(), PATIENCE).toContain('zoom=0.25%7E0.75');
    // The middle half of the time begins with the fourth window: none of main is seen.
    await expect.poll(() => coloursAt(page, 0, 1), PATIENCE).toEqual({});
    await page.keyboard.press('-');
    await page.keyboard.press('Enter');
    await expect.poll(() => chips(page), PATIENCE).toEqual([expect.stringContaining('main')]);
    await page.context().close();
  });

  test('of many threads draw the rows in sight alone, and ask for others when they come into sight', async () => {
    const many = new FakeViews(CROWD);
    const crowd = await pageStage(engine, many);
    try {
      const page = await crowd.open(many, 'view=timeline');
      await page.locator('.track canvas[data-painted]').first().waitFor();
      expect(await page.locator('.track').count()).toBeLessThan(60);
      expect(await page.locator('.track').first().getAttribute('aria-setsize')).toBe(String(CROWD.length));
      const askedFor = () => many.asked.flatMap(asked => (asked.ask === 'tracks' ? [asked.rows.join(' ')] : []));
      expect(new Set(askedFor())).toEqual(new Set(['0 60']));
      await page.locator('.track').first().focus();
      await page.keyboard.press('End');
      const name = () => page.evaluate(`document.activeElement.querySelector('.track-name')?.textContent`);
      await expect.poll(name, PATIENCE).toBe(CROWD.at(-1)!.thread);
      const painted = `document.activeElement.querySelector('canvas[data-painted]') !== null`;
      await expect.poll(() => page.evaluate(painted), PATIENCE).toBe(true);
      const [, ...later] = [...new Set(askedFor())];
      expect(later.length).toBeGreaterThan(0);
      await page.keyboard.press('Home');
      await expect.poll(name, PATIENCE).toBe(CROWD[0]!.thread);
      await expect.poll(() => page.evaluate(painted), PATIENCE).toBe(true);
      await page.context().close();
    } finally {
      await crowd.close();
    }
  });
}
