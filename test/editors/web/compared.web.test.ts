// The page against a baseline: what has vanished is listed beside the picture with its share there, and the picture stays what it was.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { partRows } from './rows-beside.ts';
import { type FakeMethod, fakeMethod } from './stacks-fake.ts';
import { startView } from './view-process.ts';
import { FakeViews } from './views-fake.ts';
import { watchedBrowser } from './watched-browser.ts';

const PATIENCE = { timeout: 20_000, interval: 50 };
const LISTED = '[aria-label="Vanished parts"]';

needs('chromium', 'pictures against a baseline', checkCompared);

const rows = (page: Page): Promise<string[]> => page.locator(`${LISTED} tbody tr`).allTextContents();
const legend = (page: Page): Promise<string | null> => page.locator('.legend').textContent();

async function drawn(page: Page): Promise<void> {
  await page.locator('.picture canvas[data-drawn]').last().waitFor();
}

function checkCompared(engine: Engine): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await pageStage(engine, new FakeViews([]));
  });
  afterAll(() => stage?.close());

  test('v lists what the baseline alone has, below the root of the picture', async () => {
    const [main, shop, find, sort] = ['Main.main', 'Shop.search', 'Shop.find', 'Shop.sort'].map(name => {
      const [simple, method] = name.split('.') as [string, string];
      return fakeMethod(`com.acme.${simple}`, method);
    }) as [FakeMethod, FakeMethod, FakeMethod, FakeMethod];
    const stack = (count: number, ...frames: FakeMethod[]) => ({ frames, count, thread: 'main', window: 0 });
    const views = new FakeViews([stack(60, main, shop), stack(40, main)]);
    views.before = [stack(100, main, shop), stack(60, main, find, sort), stack(40, main, shop, sort)];
    const page = await stage.open(views, 'view=flame');
    await drawn(page);
    await page.locator('.picture canvas').focus();
    await page.keyboard.press('v');
    await expect
      .poll(() => page.locator('[role=status]').textContent(), PATIENCE)
      .toContain('Nothing is compared with');
    views.touch({ baseline: 'version v1' });
    await page.getByText('Operations', { exact: true }).click();
    await page.getByRole('button', { name: 'Vanished' }).click();
    await expect
      .poll(() => rows(page), PATIENCE)
      .toEqual([
        'com.acme.Shop.find(int) · below Main.main30 %not tested',
        'com.acme.Shop.sort(int) · below Shop.search20 %not tested',
      ]);
    expect(await legend(page)).toContain('− vanished: 2 parts, 50 % of the baseline');
    await page.locator(LISTED).getByRole('button', { name: 'Shop.search' }).click();
    await expect.poll(() => page.locator('.breadcrumb button').last().textContent(), PATIENCE).toBe('Shop.search');
    await expect.poll(() => rows(page), PATIENCE).toHaveLength(1);
    await page.reload();
    await expect.poll(() => rows(page), PATIENCE).toHaveLength(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator(LISTED).count(), PATIENCE).toBe(0);
    expect(await page.locator('.beside').textContent()).toContain('drawn 100 % = the root’s samples');
    expect(stage.wrong).toEqual([]);
  });

  test('insitu view --baseline lists the calls that only the other version has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-compared-'));
    const browser = await watchedBrowser(engine);
    const place = ['--store', join(folder, 'store'), '--project', 'acme', '--program', 'shop'];
    try {
      const recorded = {
        v1: 'a.Main.main;a.Shop.run 500\na.Main.main;a.Shop.run;a.Old.parse;a.Old.read 300\na.Main.main;a.Gone.go 200\n',
        v2: 'a.Main.main;a.Shop.run 900\na.Main.main;a.Shop.run;a.New.parse 100\n',
      };
      for (const [version, stacks] of Object.entries(recorded)) {
        const file = join(folder, `${version}.collapsed`);
        writeFileSync(file, stacks);
        const { status, err } = await insitu('import', file, ...place, '--version', version);
        expect(status, err).toBe(0);
      }
      const server = await startView(...place, '--version', 'v2', '--baseline', 'v1');
      try {
        const page = await browser.open(`${server.address}&view=flame&vanished=on&library=off`);
        await expect
          .poll(() => rows(page), PATIENCE)
          .toEqual(['a.Old.parse · below Shop.run30 %not tested', 'a.Gone.go · below Main.main20 %not tested']);
        expect(await legend(page)).toContain('− vanished: 2 parts, 50 % of the baseline');
        await page.locator(LISTED).getByRole('button', { name: 'Close the list' }).click();
        await expect.poll(() => partRows(page), PATIENCE).toHaveLength(4);
        expect(browser.wrong).toEqual([]);
      } finally {
        server.end();
      }
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
    }
  });
}
