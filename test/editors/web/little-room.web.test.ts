// The page with little room, and without data: controls fold into a menu, and nothing recorded is said with a way out.

import type { Question } from 'insitu/views';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { deadline } from '../../support/patience.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { type FakeMethod, type FakeStack, fakeMethod, fakeStacks } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };

needs('chromium', 'the page with little room', checkLittleRoom);

const stack = (count: number, ...frames: FakeMethod[]): FakeStack => ({ frames, count, thread: 'main', window: 0 });

async function drawn(page: Page): Promise<void> {
  await page.locator('.picture canvas[data-drawn]').last().waitFor();
}

/** Height of an element as a part of the window's. */
async function heightOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox();
  return (box?.height ?? 0) / (page.viewportSize()?.height ?? 1);
}

function checkLittleRoom(engine: Engine): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await pageStage(engine, new FakeViews([]));
  });
  afterAll(() => stage?.close());

  const viewOf = (width: number, height: number, state: string) => {
    const views = new FakeViews(fakeStacks(200));
    views.touch({ notes: ['23 of 6,994 cpu stacks were cut off: 10 rejoined, 13 left out', 'another note'] });
    return stage.open(views, state, { viewport: { width, height } });
  };

  test.each([
    [640, 480],
    [640, 800],
    [480, 300],
    [1400, 300],
  ])('at %i × %i the picture has half of the height, also beside its table', async (width, height) => {
    const page = await viewOf(width, height, 'view=flame&focus=com.acme.shop.Shop.search(int)&look=own');
    await drawn(page);
    expect(await heightOf(page, '.picture')).toBeGreaterThanOrEqual(0.5);
    for (const bar of ['.header', '.view-bar', '.breadcrumb'])
      expect((await page.locator(bar).boundingBox())?.height, bar).toBeLessThan(46);
    // A second line where it has chips.
    expect((await page.locator('.toolbar').boundingBox())?.height).toBeLessThan(70);
    if (width < 1000) await page.getByRole('button', { name: 'Panel' }).click();
    await page.locator('.beside').waitFor();
    expect(await heightOf(page, '.picture')).toBeGreaterThanOrEqual(height > 520 && width <= 640 ? 0.33 : 0.5);
  });

  test.each(['ring', 'flame', 'sandwich'])(
    'beside the panel the operations of the view %s stand in its bar',
    async view => {
      const options = { viewport: { width: 1280, height: 760 } };
      const views = new FakeViews(fakeStacks(200));
      const [method] = views.methods().keys();
      const page = await stage.open(views, `view=${view}&method=${method}`, options);
      await drawn(page);
      const end = async (selector: string): Promise<number> => {
        const box = await page.locator(selector).last().boundingBox();
        return box === null ? Number.NaN : box.x + box.width;
      };
      await expect.poll(() => end('.view-bar .operations > *'), PATIENCE).toBeLessThanOrEqual(await end('.view-bar'));
      await page.context().close();
    },
  );

  test.each(['table', 'paths', 'threads'])('at 480 px no number of the view %s stands outside', async view => {
    const long = fakeMethod('com.acme.shop.AClassWhoseNameIsLongerThanTheScreen', 'andAMethodWithALongNameToo');
    const options = { viewport: { width: 480, height: 800 } };
    const page = await stage.open(new FakeViews([stack(30, long), ...fakeStacks(20)]), `view=${view}`, options);
    const numbers = page.locator('main td.number');
    await numbers.first().waitFor();
    const ends = await numbers.evaluateAll(cells => cells.map(cell => cell.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThanOrEqual(480);
    await page.context().close();
  });

  test('the menu has every control, stays open while it is used, and closes by Escape and by a click elsewhere', async () => {
    const page = await viewOf(640, 480, 'view=flame');
    await drawn(page);
    const inverted = page.getByRole('button', { name: 'Inverted' });
    expect(await inverted.isVisible()).toBe(false);
    await page.getByText('Operations', { exact: true }).click();
    await inverted.click();
    await page.getByLabel('Colour').selectOption('heat');
    await expect.poll(() => new URL(page.url()).hash, PATIENCE).toMatch(/direction=up.*colour=heat/);
    expect(await inverted.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await inverted.isVisible()).toBe(false);
    await page.getByText('Operations', { exact: true }).click();
    await page.locator('.picture canvas').click({ position: { x: 100, y: 200 } });
    await expect.poll(() => inverted.isVisible(), PATIENCE).toBe(false);
    await page.getByLabel('View', { exact: true }).selectOption('table');
    await page.getByRole('columnheader', { name: 'Total' }).waitFor();
  });

  test('use as focus below all calls of a method shows the focus, not an empty page', async () => {
    const [pay, book, log] = ['pay', 'book', 'log'].map(name => fakeMethod('bank.Teller', name));
    const frames = [pay!, book!, log!];
    const views = new FakeViews([stack(7, ...frames), stack(3, pay!)]);
    const page = await stage.open(views, `view=flame&library=off&of=${pay!.key}`);
    await drawn(page);
    await page.locator('.picture canvas').focus();
    for (const key of ['ArrowDown', 'u']) await page.keyboard.press(key);
    await page.locator('.chip', { hasText: 'bank.Teller.book' }).waitFor();
    const rows = () => page.locator('.beside tbody button').allTextContents();
    await expect.poll(rows, PATIENCE).toEqual(['everything', 'Teller.book', 'Teller.log']);
    expect(await page.getByText('No samples are left to draw').count()).toBe(0);
  });

  test('lines of the timeline stand at their amounts', async () => {
    const page = await stage.open(new FakeViews(fakeStacks(200)), 'view=timeline');
    await page.locator('.tick').first().waitFor();
    const bars = (await page.locator('.bars').boundingBox())!;
    const ends: number[] = [];
    for (const tick of await page.locator('.tick').all()) {
      const [part] = /\d+(?:\.\d+)?/.exec((await tick.getAttribute('style')) ?? '') ?? [];
      const wanted = bars.y + bars.height - 1 - (Number(part) / 100) * (bars.height - 1);
      ends.push(Math.abs((await tick.boundingBox())!.y - wanted));
    }
    expect(ends.length).toBeGreaterThan(0);
    expect(Math.max(...ends)).toBeLessThan(2);
  });

  test('without data an editor offers its ways to get some, and the picture stands as soon as there are any', async () => {
    const views = new FakeViews(fakeStacks(200));
    const problem = { message: 'there are no recordings of this project yet', remedy: 'import one', noData: 'nothing' };
    const page = await stage.open(new FakeViews([]));
    const ran: string[] = [];
    let error: object | null = { ...problem, noData: 'reading' };
    let answers = 0;
    await page.exposeFunction('run', (command: string) => ran.push(command));
    await page.exposeFunction('answerOf', (question: Question) => {
      answers++;
      if (error !== null) return { error };
      const answer = views.answer(question);
      return Buffer.isBuffer(answer) ? { bytes: answer.toString('base64') } : { json: answer };
    });
    await page.addInitScript(`
      globalThis.acquireVsCodeApi = () => ({
        getState: () => 'view=flame',
        setState: () => undefined,
        postMessage: async ({ kind, id, question, command }) => {
          if (kind === 'ask') postMessage({ kind: 'answer', id, ...(await answerOf(question)) });
          if (kind === 'run') run(command);
        },
      });`);
    await page.reload();
    await page.getByText('Loading …').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    error = problem;
    await page.getByText('There are no recordings of this project yet.').waitFor();
    const [before, since] = [answers, performance.now()];
    await expect.poll(() => answers - before, PATIENCE).toBeGreaterThan(2);
    expect(answers - before).toBeLessThan((performance.now() - since) / 500 + 2);
    expect(await page.getByText('Loading').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    for (const name of ['Import a recording', 'Record a JVM']) await page.getByRole('button', { name }).click();
    await expect.poll(() => ran, PATIENCE).toEqual(['insitu.importRecording', 'insitu.record']);
    error = null;
    const isLate = deadline(5_000);
    await drawn(page);
    expect(isLate()).toBe(false);
  });

  test('an error stands alone, without an endless Loading', async () => {
    const views = new FakeViews(fakeStacks(20));
    const failing = new Proxy(views, {
      get: (target, name) =>
        name === 'answer'
          ? (question: Question) => {
              if (question.ask === 'answer') throw new Error('the threads cannot be told');
              return views.answer(question);
            }
          : Reflect.get(target, name),
    });
    const page = await stage.open(new FakeViews([]));
    stage.server.serve(failing);
    await page.goto(`${stage.server.origin}/#view=threads`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('Loading').count()).toBe(0);
    stage.wrong.length = 0;
  });

  test('a server that fails again and again is told of once, and the message stays closed', async () => {
    let questions = 0;
    const failing = new Proxy(new FakeViews([]), {
      get: (target, name) => {
        if (name !== 'answer') return Reflect.get(target, name);
        return ({ ask }: Question) => {
          if (ask === 'state') questions++;
          throw new Error('the store cannot be read');
        };
      },
    });
    const page = await stage.open(failing);
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Close the message' }).click();
    const before = questions;
    await expect.poll(() => questions, PATIENCE).toBeGreaterThan(before);
    expect(await page.getByRole('alert').count()).toBe(0);
    stage.wrong.length = 0;
  });
}
