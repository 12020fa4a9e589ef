// The page before `insitu view` itself, with a real recording: what is drawn is what the terminal counts, in every view.
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { numbersIn } from '../../support/insitu/numbers-in.ts';
import { patient } from '../../support/patience.ts';
import { startView, type ViewProcess } from './view-process.ts';

const RECORDING = fileURLToPath(new URL('../../../samples/recordings/shop-v1-jdk17-a.jfr', import.meta.url));
const PATIENCE = { timeout: 20_000, interval: 100 };

needs('chromium', 'the page with a real recording', checkReal);

type TreeRow = { className?: string; method?: string; depth: number; total: { part: number; samples: number } };

/** `Outer$Inner.method` and the samples of each row of the terminal's tree. */
async function treeOf(...args: string[]): Promise<string[]> {
  const { out } = await insitu('tree', '--recording', RECORDING, ...args, '--min', '0%', '--limit', '100000', '--json');
  const { rows: tree } = numbersIn(out) as { rows: TreeRow[] };
  return tree.map(({ className = '', method, total }) =>
    method === undefined ? `everything ${total.samples}` : `${className.split('.').at(-1)}.${method} ${total.samples}`,
  );
}

/** The same of the table beside the picture; parameters, which tell overloads apart, and notes are left out. */
async function rowsBeside(page: Page): Promise<string[]> {
  const rows = page.locator('.beside tbody tr');
  const names = await rows.locator('button').allTextContents();
  const totals = await rows.locator('td:nth-of-type(1)').allTextContents();
  return names.map((name, at) => `${name.replace(/\(.*\)/, '').trim()} ${(totals[at] ?? '').replace(/\D/g, '')}`);
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const each of whole) if (each === part[at]) at++;
  return at === part.length;
}

function checkReal(engine: Engine): void {
  let server: ViewProcess;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const wrong: string[] = [];

  /** Goes to a state of the page, as an address does that was copied. */
  const go = async (state: string): Promise<void> => {
    await page.goto(`${new URL(page.url()).origin}/#${state}`);
    await page.locator('.picture canvas[data-drawn]').first().waitFor();
  };

  beforeAll(async () => {
    server = await startView(RECORDING);
    const { address } = server;
    browser = await chromium.launch({
      executablePath: engine.program('chromium'),
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    page.setDefaultTimeout(patient(30_000));
    page.on('console', message => {
      if (message.type() === 'error') wrong.push(message.text());
    });
    page.on('pageerror', error => wrong.push(error.message));
    page.on('request', request => {
      if (!request.url().startsWith(new URL(address).origin)) wrong.push(request.url());
    });
    await page.goto(`${address}&view=ring`);
    await page.locator('.picture canvas[data-drawn]').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    server?.end();
  });

  test('the flame graph, unfolded, has the rows of insitu tree; what it lacks is too narrow', async () => {
    await go('view=flame&library=no&amounts=count');
    const tree = await treeOf();
    await expect.poll(async () => (await rowsBeside(page)).length, PATIENCE).toBeGreaterThan(100);
    await expect.poll(async () => isSubsequence(await rowsBeside(page), tree), PATIENCE).toBe(true);
    expect((await rowsBeside(page))[0]).toBe(tree[0]);
    expect(await page.locator('.beside').textContent()).toMatch(/drawn [\d.]+ %.*= the root’s samples/);
  });

  test('every view draws, in light and dark, and nothing is asked elsewhere or refused', async () => {
    await go('view=flame&amounts=count');
    await page
      .locator('.picture canvas')
      .first()
      .click({ position: { x: 100, y: 70 } });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const key of '12345679') {
        await page.keyboard.press(key);
        await expect.poll(() => page.locator('main').textContent(), PATIENCE).toMatch(/\d/);
      }
    }
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test('a hidden method takes its samples out of the whole', async () => {
    await go('view=flame&amounts=count');
    const whole = async (): Promise<number> => Number((await rowsBeside(page))[0]?.replace(/\D/g, ''));
    await expect.poll(whole, PATIENCE).toBeGreaterThan(0);
    const before = await whole();
    const { out } = await insitu('query', '* ..Shop.search', '--recording', RECORDING, '--json');
    const { cost } = numbersIn(out) as { cost: { samples: number } };
    await go('view=flame&amounts=count&look=own&path=*+where+not+*+..Shop.search');
    await expect.poll(whole, PATIENCE).toBe(before - cost.samples);
    await page.locator('.chip', { hasText: 'hidden Shop.search' }).waitFor();
  });

  test('keys walk from the first on, and what is selected is spoken', async () => {
    await go('view=ring&amounts=count');
    for (let level = 0; level < 3; level++) await page.keyboard.press('ArrowDown');
    const spoken = page.locator('[aria-live=polite]');
    await expect.poll(() => spoken.textContent(), PATIENCE).toMatch(/LoadDriver\$Worker\.run.*samples/);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => spoken.textContent(), PATIENCE).toMatch(/Thread\.run/);
  });

  test('the back button leads to the root before, and a copied link opens the same in a new tab', async () => {
    await go('view=flame&amounts=count');
    await page
      .locator('.picture canvas')
      .first()
      .click({ position: { x: 100, y: 70 } });
    await page.keyboard.press('Enter');
    const rooted = () => rowsBeside(page).then(rows => rows[0]);
    await expect.poll(rooted, PATIENCE).not.toMatch(/^everything/);
    const root = await rooted();
    const link = page.url();
    expect(link).not.toMatch(/code=|token/);
    const second = await context.newPage();
    await second.goto(link);
    await expect.poll(async () => (await rowsBeside(second))[0], PATIENCE).toBe(root);
    await second.close();
    await page.goBack();
    await expect.poll(rooted, PATIENCE).toMatch(/^everything/);
    expect(wrong).toEqual([]);
  });
}
