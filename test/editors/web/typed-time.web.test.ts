// Typed time on the page: what threads wait for is found by five clicks, and the machine is seen as a whole.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { patient } from '../../support/patience.ts';
import { startView, type ViewProcess } from './view-process.ts';

const PATIENCE = { timeout: 20_000, interval: 100 };
const DUMPS = 20;

type Thread = { readonly name: string; readonly state: string; readonly stack: string; readonly lock?: string };

/** On two processors: threads of a convoy, threads that spin, one that waits for a thread of lower priority, and one that reads. */
const THREADS: readonly Thread[] = [
  { name: 'convoy-1', state: 'RUNNABLE', stack: 'acme.Convoy.step', lock: 'locked <0x0a>' },
  ...[2, 3, 4].map(at => ({
    ...{ name: `convoy-${at}`, state: 'BLOCKED (on object monitor)', stack: 'acme.Convoy.step' },
    lock: 'waiting to lock <0x0a>',
  })),
  ...[1, 2, 3, 4, 5, 6].map(at => ({ name: `spinner-${at}`, state: 'RUNNABLE', stack: 'acme.Spinner.spin' })),
  { name: 'lowly', state: 'RUNNABLE', stack: 'acme.Lowly.hold', lock: 'locked <0x0b>' },
  { name: 'urgent', state: 'BLOCKED (on object monitor)', stack: 'acme.Urgent.go', lock: 'waiting to lock <0x0b>' },
  { name: 'reader', state: 'RUNNABLE', stack: 'java.net.SocketInputStream.socketRead0' },
];

function dumps(): string {
  const thread = ({ name, state, stack, lock }: Thread, at: number) =>
    [
      `"${name}" #${at + 1} prio=5 os_prio=0 tid=0x${at + 1} nid=0x${at + 1} runnable  [0x0]`,
      `   java.lang.Thread.State: ${state}`,
      `\tat ${stack}(Work.java:7)`,
      ...(lock === undefined ? [] : [`\t- ${lock} (a java.lang.Object)`]),
      `\tat acme.Work.run(Work.java:3)`,
      '\tat java.lang.Thread.run(Thread.java:840)',
      '',
    ].join('\n');
  return Array.from(
    { length: DUMPS },
    (_, at) =>
      `2026-11-20 16:00:${String(at + 10)}\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n\n${THREADS.map(thread).join('\n')}`,
  ).join('\n');
}

needs('chromium', 'typed time on the page', checkTypedTime);

function checkTypedTime(engine: Engine): void {
  let folder: string;
  let server: ViewProcess;
  let browser: Browser;
  let page: Page;
  let clicks = 0;

  const click = async (what: Locator) => {
    await what.click();
    clicks++;
  };
  const classRow = (name: string) => page.locator('.classes').getByRole('button', { name, exact: true });
  const treeRow = (name: string | RegExp) =>
    page.locator('.paths .tree tbody tr').filter({ has: page.locator('th button', { hasText: name }) });
  const shareOf = (name: string | RegExp) => treeRow(name).first().locator('td.number').nth(1).textContent();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'insitu-typed-'));
    const [file, store] = [join(folder, 'dumps.txt'), join(folder, 'store')];
    writeFileSync(file, dumps());
    const target = ['--store', store, '--project', 'acme', '--program', 'work'];
    expect((await insitu('import', file, '--processors', '2', ...target)).status).toBe(0);
    server = await startView(...target);
    browser = await chromium.launch({
      executablePath: engine.program('chromium'),
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(patient(30_000));
    await page.goto(`${server.address}&view=ring`);
    await page.locator('.picture canvas[data-drawn]').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    server?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await page.goto(`${new URL(page.url()).origin}/#view=paths&look=own&metric=wall`);
    // Refinements that were opened stay open as long as the page does.
    await page.reload();
    await classRow('convoy-#').waitFor();
    clicks = 0;
  });

  test('metrics to choose are without the processors', async () => {
    const options = await page.getByLabel('Metric').locator('option').allTextContents();
    expect(options.join()).toMatch(/wall.*typed/s);
    expect(options.join()).not.toContain('processors');
  });

  test.each([
    { threads: 'convoy-#', type: ':MONITOR', share: '75 %', behind: 'acme.Work.run' },
    { threads: 'spinner-#', type: ':LOAD', share: '75 %', behind: 'acme.Work.run' },
    { threads: 'urgent', type: ':MONITOR', share: '100 %', behind: 'acme.Work.run' },
    { threads: 'reader', type: ':WAIT', share: '100 %', behind: null },
  ])('five clicks say what $threads waits for', async ({ threads, type, share, behind }) => {
    await page.getByLabel('Metric').selectOption('typed');
    clicks++;
    await click(classRow(threads));
    const seconds = DUMPS * THREADS.filter(({ name }) => name.startsWith(threads.replace('#', ''))).length;
    const time = seconds < 60 ? `${seconds} s` : `${Number((seconds / 60).toPrecision(3))} min`;
    await expect
      .poll(() => treeRow('*').first().locator('td.number').first().textContent(), PATIENCE)
      .toBe(`${time} of ${time}`);
    await click(treeRow('*').first().getByRole('button', { name: 'Extended' }));
    await expect.poll(() => shareOf(type), PATIENCE).toContain(share);
    if (behind !== null) {
      await click(treeRow(type).first().getByRole('button', { name: 'Immediate' }));
      await expect.poll(() => treeRow(behind).count(), PATIENCE).toBeGreaterThan(1);
    }
    expect(clicks).toBeLessThanOrEqual(5);
  });

  test('a query that names a type is of typed time, whatever metric the page shows, and amounts are as they are asked for', async () => {
    const path = page.getByRole('combobox', { name: /path/i }).first();
    await path.fill('* ..:MONITOR');
    await path.press('Enter');
    const amount = () => treeRow('* ..:MONITOR').first().locator('td.number').first().textContent();
    await expect.poll(amount, PATIENCE).toBe('1.33 min of 4.33 min');
    await expect.poll(() => shareOf('* ..:MONITOR'), PATIENCE).toContain('31 %');
    await page.getByLabel('Amounts').selectOption('count');
    await expect.poll(amount, PATIENCE).toBe('80');
  });

  test('the Server View says how much of all processors a path has, and what is estimated', async () => {
    await page.getByLabel('Metric').selectOption('typed');
    await treeRow('*').first().getByRole('button', { name: 'Extended' }).click();
    await expect.poll(() => shareOf('acme.Spinner.spin'), PATIENCE).toContain('46 %');
    await page.getByLabel('Of the time of all processors').check();
    await expect.poll(() => shareOf('acme.Spinner.spin'), PATIENCE).toContain('75 %');
    expect(await treeRow('acme.Spinner.spin').first().locator('th').textContent()).toContain('estimated');
    expect(await page.locator('.processors').textContent()).toContain('0 % of it idle');
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  });
}
