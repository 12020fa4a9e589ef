// The page in Chromium: what is drawn is what a naive count gives, keys and address lead where they should, nothing breaks the policy.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { VIEWS, type View } from '../../../clients/web/src/views.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { fakeStacks } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };
/** The texts of a list about the stacks; of other views some number. */
const TEXTS: Partial<Record<View, string>> = {
  ...{
    overview: 'of it is',
    table: 'Dispatcher',
    threads: 'http-exec',
    timeline: '2026-11-23',
    source: 'item.fits',
  },
  ...{ blueprint: 'choose a baseline', paths: '100 %' },
};

needs('chromium', 'the page of pictures', checkPictures);

const status = (page: Page): Promise<string | null> => page.locator('[role=status]').textContent();
const hash = (page: Page): string => new URL(page.url()).hash;

/** Presses keys on the picture, one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  await page.locator('.picture canvas').last().focus();
  for (const key of keys) await page.keyboard.press(key);
}

async function drawn(page: Page): Promise<void> {
  await page.locator('.picture canvas[data-drawn]').last().waitFor();
}

function checkPictures(engine: Engine): void {
  let stage: Stage;
  let views: FakeViews;
  beforeAll(async () => {
    stage = await pageStage(engine, new FakeViews([]));
  });
  afterAll(() => stage?.close());
  beforeEach(() => {
    views = new FakeViews(fakeStacks(1500));
  });

  test('arrows walk and speak, Enter takes a root, the back button returns, a reload and a copied link show the same', async () => {
    const page = await stage.open(views, 'view=flame');
    await drawn(page);
    await press(page, 'ArrowDown', 'ArrowDown');
    expect(await status(page)).toMatch(
      /^com\.acme\.shop\.Shop\.search\(int\), \d+ % of all, [\d,]+ samples, .*1st of \d+/,
    );
    await press(page, 'Enter');
    await expect.poll(() => page.locator('.breadcrumb button').last().textContent(), PATIENCE).toBe('Shop.search');
    expect(hash(page)).not.toContain('code');
    expect(hash(page)).toMatch(/root=[\w-]{8}\.[\w-]{8}/);
    const there = page.url();
    await page.goBack();
    await expect.poll(() => page.locator('.breadcrumb button').count(), PATIENCE).toBe(1);
    await page.goForward();
    await page.reload();
    await expect.poll(() => page.locator('.breadcrumb button').last().textContent(), PATIENCE).toBe('Shop.search');
    const copy = await page.context().newPage();
    await copy.goto(there);
    await expect.poll(() => copy.locator('.breadcrumb button').last().textContent(), PATIENCE).toBe('Shop.search');
  });

  test.each(VIEWS)('$name shows its data, by address and by key', async ({ name, key, title, picture }) => {
    const method = [...views.methods().values()].find(each => each.name === 'search' && !each.library);
    const page = await stage.open(views, `view=${name}&method=${method?.key}`);
    const shows = async (): Promise<void> => {
      if (picture !== null) await drawn(page);
      else
        await page
          .locator('main')
          .getByText(TEXTS[name] ?? /\d/)
          .first()
          .waitFor();
    };
    await shows();
    await page.keyboard.press(VIEWS.find(view => view.name !== name)?.key ?? '');
    await page.keyboard.press(key);
    expect(await page.getByRole('button', { name: title, exact: true }).getAttribute('aria-pressed')).toBe('true');
    expect(hash(page)).toContain(`view=${name}`);
    await shows();
    expect(await page.locator('.failure').count()).toBe(0);
  });

  test('a group of threads unfolds', async () => {
    const page = await stage.open(views, 'view=threads');
    const fold = page.getByRole('button', { name: '2 threads of http-exec-#' });
    expect(await fold.getAttribute('aria-expanded', PATIENCE)).toBe('false');
    expect(await page.getByText('http-exec-2').count()).toBe(0);
    await fold.click();
    await page.getByRole('button', { name: 'http-exec-2', exact: true }).click();
    expect(hash(page)).toContain('threads=http-exec-2');
  });

  test('nothing went wrong on any page', () => {
    expect(stage.wrong).toEqual([]);
  });
}
