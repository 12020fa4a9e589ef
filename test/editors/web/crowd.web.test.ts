// Much at once for a real server: eight tabs, ten thousand requests, and one sample among a million.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { patient } from '../../support/patience.ts';
import { startView, type ViewProcess } from './view-process.ts';
import { type WatchedBrowser, watchedBrowser } from './watched-browser.ts';

const PATIENCE = { timeout: 30_000, interval: 100 };
const TABS = 8;
/** Eight tabs take long to draw beside other work of the machine. */
const CROWDED_MILLIS = 120_000;
const REQUESTS = 10_000;
/** Fewer than are answered at once, so that the page has a place too. */
const AT_ONCE = 4;

needs('chromium', 'much at once', checkCrowd);

function checkCrowd(engine: Engine): void {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-crowd-'));
  let server: ViewProcess;
  let browser: WatchedBrowser;
  let page: Page;
  beforeAll(async () => {
    const recording = join(folder, 'rare.collapsed');
    writeFileSync(recording, 'a.Main.main;b.Hot.hot 1000000\na.Main.main;c.Rare.tiny 1\n');
    server = await startView(recording);
    browser = await watchedBrowser(engine);
    page = await browser.open(`${server.address}&view=flame&amounts=count&library=no`);
    await drawn(page);
  });
  afterAll(async () => {
    await browser?.close();
    server?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const drawn = (of: Page): Promise<void> => of.locator('.picture canvas[data-drawn]').first().waitFor();

  test('the only sample of a search is seen and found among a million', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('tiny');
    await expect.poll(() => page.evaluate<number>(PIXELS_OF_HIT), PATIENCE).toBeGreaterThanOrEqual(3);
    await page.keyboard.press('Enter');
    await page.keyboard.press('l');
    await page.locator('.hits tbody button', { hasText: 'Rare.tiny' }).click();
    await expect.poll(() => page.locator('.breadcrumb button').last().textContent(), PATIENCE).toBe('Rare.tiny');
    for (let at = 0; at < 3; at++) await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.breadcrumb button').count(), PATIENCE).toBe(1);
  });

  test('eight tabs draw at once, and each goes on', async () => {
    const link = `${new URL(page.url()).origin}/#view=flame&amounts=count`;
    const tabs = await Promise.all(Array.from({ length: TABS }, () => browser.openBeside(page, link)));
    for (const tab of tabs) tab.setDefaultTimeout(patient(CROWDED_MILLIS));
    await Promise.all(tabs.map(drawn));
    for (const tab of tabs) {
      await tab.keyboard.press('4');
      await tab.locator('.sheet').getByText('Hot.hot').waitFor();
    }
    await Promise.all(tabs.map(tab => tab.close()));
  });

  test('ten thousand requests are answered, and the page after them', async () => {
    const token = await page.evaluate<string>(
      `Object.values(sessionStorage).find(value => /^[\\w-]{43}$/.test(value))`,
    );
    const { origin } = new URL(page.url());
    let [left, fine] = [REQUESTS, 0];
    const ask = async (): Promise<void> => {
      while (left-- > 0) {
        const answer = await fetch(`${origin}/ask`, {
          method: 'POST',
          headers: { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{"ask":"state"}',
        });
        const text = await answer.text();
        if (answer.status === 200 && text.includes('"revision"')) fine++;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
    expect(fine).toBe(REQUESTS);
    await page.goto(`${origin}/#view=table`);
    await page.locator('.sheet').getByText('Hot.hot').waitFor();
  });
}

/** How many pixels at the right end of the third row differ from the box that fills it. */
const PIXELS_OF_HIT = `(() => {
  const canvas = document.querySelector('.picture canvas');
  const { width } = canvas;
  const middle = 2.5 * ROW;
  const { data } = canvas.getContext('2d').getImageData(0, Math.round(middle), width, 1);
  const pixel = x => data.slice(4 * x, 4 * x + 3).join();
  const usual = pixel(width - 40);
  let different = 0;
  for (let x = width - 30; x < width; x++) if (pixel(x) !== usual) different++;
  return different;
})()`.replace('ROW', '20');
