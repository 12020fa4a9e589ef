// Response times in Chromium: the table and the timeline of the metric `time` against the durations in a Kieker log.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { startView } from './view-process.ts';
import { type WatchedBrowser, watchedBrowser } from './watched-browser.ts';

const START = 1_700_000_000_000_000_000n;
const MILLI = 1_000_000n;
/** Milliseconds of each call of `a.Leaf.run`, a second after the one before; the fifth and later ones are a minute later. */
const CALLS = [10, 20, 30, 40, 200, 300];

function kiekerLog(): string {
  const lines = [`$0;${START};kieker.common.record.misc.KiekerMetadataRecord;1.15.2;K;h;1;false;0;NANOSECONDS;1`];
  const record = (name: string, trace: number, began: bigint, ended: bigint, order: number) =>
    lines.push(
      `$1;${ended};public void a.${name}.run();<no-session-id>;${trace};${began};${ended};h;${order};${order}`,
    );
  for (const [i, millis] of CALLS.entries()) {
    const began = START + BigInt(i) * 1_000n * MILLI + (i < 4 ? 0n : 60_000n * MILLI);
    const ended = began + BigInt(millis) * MILLI;
    record('Leaf', i + 1, began + MILLI, ended, 1);
    record('Root', i + 1, began, ended + MILLI, 0);
  }
  return `${lines.join('\n')}\n`;
}

const cells = (page: Page, table: string): Promise<string[][]> =>
  page
    .locator(`${table} tr`)
    .evaluateAll(rows => rows.map(row => [...row.children].map(each => each.textContent?.trim() ?? '')));

needs('chromium', 'the metric time in the page', (engine: Engine) => {
  let browser: WatchedBrowser;
  let folder = '';
  beforeAll(async () => {
    browser = await watchedBrowser(engine);
    folder = mkdtempSync(join(tmpdir(), 'insitu-times-'));
    writeFileSync(join(folder, 'kieker.dat'), kiekerLog());
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  test('has mean, median, 95 % and calls a second of each method, and of each window', async () => {
    const view = await startView(join(folder, 'kieker.dat'), '--metric', 'time');
    try {
      const page = await browser.open(`${view.address}&view=table`);
      await page.locator('[aria-label="Table"] tbody tr').first().waitFor();
      const [head, ...rows] = await cells(page, '[aria-label="Table"] table');
      expect(head!.slice(-4)).toEqual(['Mean', '50 %', '95 %', 'Calls/s']);
      const leaf = rows.find(([name]) => name!.includes('Leaf'))!;
      // Each without the millisecond before it: 9, 19, 29, 39, 199, 299. Quantiles are the values at the nearest rank below.
      expect(leaf.at(-4)).toBe('99 ms');
      const [median, most] = [leaf.at(-3)!, leaf.at(-2)!].map(text => Number(text.replace(' ms', '')));
      expect(median! / 29).toBeGreaterThan(0.95);
      expect(median! / 29).toBeLessThan(1.05);
      expect(most! / 199).toBeGreaterThan(0.95);
      expect(most! / 199).toBeLessThan(1.05);
      expect(Number(leaf.at(-1))).toBeGreaterThan(0);

      await page.locator('[aria-label="Table"] button', { hasText: 'Leaf' }).click();
      await page.keyboard.press('6');
      await page.locator('[aria-label="Timeline"] tbody tr').first().waitFor();
      const [titles, ...windows] = await cells(page, '[aria-label="Timeline"] table');
      expect(titles!.slice(-3)).toEqual(['Mean', 'Calls', 'Calls/s']);
      const timed = windows.filter(row => row.at(-1) !== '–');
      const total = timed.reduce((sum, row) => sum + Number(row.at(-2)), 0);
      expect(total).toBe(CALLS.length);
      const sum = timed.reduce((all, row) => all + Number.parseFloat(row.at(-3)!) * Number(row.at(-2)), 0);
      expect(sum).toBeCloseTo(594, 0);
      await page.locator('.column').first().hover();
      expect(await page.locator('.column').first().getAttribute('title')).toMatch(/calls?, mean/);
      await page.context().close();
    } finally {
      view.end();
    }
  });
});
