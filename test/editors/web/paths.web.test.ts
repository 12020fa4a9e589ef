// The analyzer of call paths before `insitu view` itself: what it lists is what `insitu query` prints, and its stacks fill a picture.
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { numbersIn } from '../../support/insitu/numbers-in.ts';
import { patient } from '../../support/patience.ts';
import { startView, type ViewProcess } from './view-process.ts';

const RECORDING = fileURLToPath(new URL('../../../samples/recordings/shop-v1-jdk17-a.jfr', import.meta.url));
const PATIENCE = { timeout: 20_000, interval: 100 };

needs('chromium', 'the analyzer of call paths', checkPaths);

async function queried(...args: string[]) {
  const { out } = await insitu('query', ...args, '--recording', RECORDING, '--limit', '200', '--json');
  return numbersIn(out);
}

function checkPaths(engine: Engine): void {
  let server: ViewProcess;
  let browser: Browser;
  let page: Page;
  const wrong: string[] = [];

  const go = (state: string) => page.goto(`${new URL(page.url()).origin}/#view=paths&${state}`);
  const treeRows = () => page.locator('.paths .tree tbody tr:has(th)');
  /** Name and samples of each row. */
  const rows = async () =>
    treeRows().evaluateAll(all =>
      all.map(row => {
        const samples = row.querySelector('td.number')?.textContent ?? '';
        return `${row.querySelector('th')?.textContent} ${samples.replaceAll(',', '')}`;
      }),
    );

  beforeAll(async () => {
    server = await startView(RECORDING);
    browser = await chromium.launch({
      executablePath: engine.program('chromium'),
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(patient(30_000));
    page.on('console', message => {
      if (message.type() === 'error') wrong.push(message.text());
    });
    page.on('pageerror', error => wrong.push(error.message));
    await page.goto(`${server.address}&view=ring`);
    await page.locator('.picture canvas[data-drawn]').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    server?.end();
  });

  test('begins with the classes of threads, and one of them is a Thread View', async () => {
    await go('');
    const { out } = await insitu('query', '--recording', RECORDING, '--json');
    const { rows: classes } = numbersIn(out);
    const [{ name, share }] = classes;
    await expect.poll(() => page.locator('.classes tbody tr').count(), PATIENCE).toBe(classes.length);
    await page.locator('.classes tbody tr').first().getByRole('button').click();
    await expect.poll(() => page.locator('.classes summary').textContent(), PATIENCE).toContain(`Thread View: ${name}`);
    await expect.poll(rows, PATIENCE).toEqual([`* ${share.samples}`]);
  });

  test('the three refinements are those of insitu query, with a slider for the least samples', async () => {
    const query = '* ..Shop.search';
    await go(`query=${encodeURIComponent(query)}`);
    const { cost } = await queried(query);
    await expect.poll(rows, PATIENCE).toEqual([`${query} ${cost.samples}`]);
    for (const [button, refine] of [
      ['Immediate', 'down'],
      ['Extended', 'extended'],
      ['Upward', 'up'],
    ] as const) {
      await treeRows().first().getByRole('button', { name: button }).click();
      const found = await queried(query, '--refine', refine);
      expect(found.rows.length).toBeGreaterThan(0);
      const wanted = found.rows.map(
        (row: { name: string; ofAll: { samples: number } }) => `${row.name} ${row.ofAll.samples}`,
      );
      await expect.poll(async () => (await rows()).slice(1), PATIENCE).toEqual(wanted);
    }
    await treeRows().first().getByRole('button', { name: 'Extended' }).click();
    await page.locator('main').getByRole('slider').fill('7');
    const few = await queried(query, '--refine', 'extended', '--min', '200');
    await expect.poll(async () => (await rows()).length, PATIENCE).toBe(few.rows.length + 1);
    await page.locator('main').getByRole('slider').fill('3');
  });

  test('a row refines further, becomes the query, and each of its steps can be taken out', async () => {
    await go(`query=${encodeURIComponent('* ..Shop.search')}`);
    await treeRows().first().getByRole('button', { name: 'Immediate' }).click();
    const second = treeRows().nth(1);
    await expect.poll(() => treeRows().count(), PATIENCE).toBeGreaterThan(1);
    await second.getByRole('button', { name: 'Upward' }).click();
    await expect.poll(rows, PATIENCE).toContainEqual(expect.stringMatching(/Behaviour\$1\.act/));
    await second.locator('th button').click();
    const steps = page.locator('.steps .chip .value');
    await expect.poll(() => steps.allTextContents(), PATIENCE).toHaveLength(3);
    await page.getByRole('button', { name: 'Take ..Shop.search out' }).click();
    await expect.poll(() => steps.allTextContents(), PATIENCE).toEqual(['*', expect.stringMatching(/^\.\./)]);
  });

  test('names are completed while one types, and a mistake is marked with the nearest name', async () => {
    await go(`query=${encodeURIComponent('*')}`);
    const field = page.getByRole('combobox', { name: 'Query by call paths' });
    await field.fill('* ..Shop.sea');
    await expect.poll(() => page.getByRole('option').allTextContents(), PATIENCE).toContainEqual('Shop.search method');
    await field.press('Tab');
    expect(await field.inputValue()).toBe('* ..Shop.search');
    const { cost } = await queried('* ..Shop.search');
    await expect.poll(rows, PATIENCE).toEqual([`* ..Shop.search ${cost.samples}`]);
    await field.fill('* ..Shop.serch');
    await expect.poll(() => page.locator('.mistake').textContent(), PATIENCE).toMatch(/did you mean.*Shop\.search/);
    expect(await page.locator('.mistake mark').textContent()).toBe('Shop.serch');
    // A refused query is answered with a status that browsers tell of.
    wrong.splice(0, wrong.length, ...wrong.filter(text => !text.includes('status of 400')));
  });

  test('these stacks are shown whole in a picture, as a restriction that can be dropped', async () => {
    await go(`query=${encodeURIComponent('* ..Shop.search')}`);
    const { cost } = await queried('* ..Shop.search');
    await treeRows().first().getByRole('button', { name: 'Stacks' }).click();
    await page.locator('.picture canvas[data-drawn]').first().waitFor();
    const top = page.locator('.beside tbody tr').first();
    await page.getByLabel('Amounts').selectOption('count');
    await expect.poll(() => top.textContent(), PATIENCE).toContain(cost.samples.toLocaleString('en'));
    await page.getByRole('button', { name: 'Drop path' }).click();
    await expect.poll(() => top.textContent(), PATIENCE).toContain(cost.whole.toLocaleString('en'));
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    expect(wrong).toEqual([]);
  });
}
