// The view of aspects: heights over time are the numbers, a click is the path filter, the order and aspects that are tried, the empty state.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { bucketsOf, EXAMPLE } from './aspects-fake.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { fakeStacks } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };
const ASPECTS = [
  { name: 'search', value: 'Ranker | Index' },
  { name: 'orders', value: 'OrderService | Basket' },
  { name: 'stock', value: 'Warehouse' },
];

needs('chromium', 'the view of aspects', checkAspects);

function checkAspects(engine: Engine): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await pageStage(engine, new FakeViews([]));
  });
  afterAll(() => stage?.close());

  const viewsWith = (aspects: FakeViews['aspects']): FakeViews => {
    const views = new FakeViews(fakeStacks(300));
    views.aspects = aspects;
    return views;
  };
  const rows = (page: Page) => page.locator('.aspects tbody tr');
  const names = (page: Page) => rows(page).locator('th .link').allTextContents();
  const pathOf = (views: FakeViews) =>
    views.asked.flatMap(asked => ('look' in asked ? [asked.look.path] : [])).at(-1) ?? null;

  test('each bucket is as high in each window as its part, one above the other, in the colour of the legend', async () => {
    const views = viewsWith(ASPECTS);
    const page = await stage.open(views, 'view=aspects');
    await rows(page).first().waitFor();
    expect(await names(page)).toEqual(['search', 'orders', 'stock', 'no aspect']);
    const { rows: wanted, rest, spans } = bucketsOf(views.stacks, ASPECTS, views.state.windows);
    const buckets = [...wanted, rest];
    expect(await rows(page).locator('td.number').allTextContents()).toEqual(buckets.map(({ share }) => share.text));
    const drawn = await page.locator('.stacked path').evaluateAll(paths =>
      paths.map(path => ({
        // Left, bottom, top and right of each rectangle, of 1,000.
        rectangles: [...(path.getAttribute('d') ?? '').matchAll(/M(\S+) (\S+?)V(\S+?)H(\S+?)V/g)].map(found =>
          found.slice(1).map(Number),
        ),
      })),
    );
    const most = Math.max(...spans.map(({ weight }) => weight));
    for (const [bucket, { rectangles }] of drawn.entries()) {
      const windows = spans.flatMap((_, at) => (buckets[bucket]!.overTime[at]! > 0 ? [at] : []));
      expect(rectangles.length).toBe(windows.length);
      for (const [at, window] of windows.entries()) {
        const below = buckets.slice(0, bucket).reduce((sum, { overTime }) => sum + overTime[window]!, 0);
        const wantedPlaces = [
          (1000 * window) / spans.length,
          1000 * (1 - below / most),
          1000 * (1 - (below + buckets[bucket]!.overTime[window]!) / most),
          (1000 * (window + 1)) / spans.length,
        ];
        for (const [side, place] of wantedPlaces.entries()) expect(rectangles[at]![side]).toBeCloseTo(place, 3);
      }
    }
    const legend = page.locator('.legend li');
    expect((await legend.allTextContents()).map(text => text.trim())).toEqual(await names(page));
    const coloursOf = (selector: string, property: string): Promise<string[]> =>
      page.evaluate(`[...document.querySelectorAll('${selector}')].map(each => getComputedStyle(each).${property})`);
    const colours = await coloursOf('.legend .swatch', 'backgroundColor');
    expect(await coloursOf('.stacked path', 'fill')).toEqual(colours);
    expect(new Set(colours).size).toBe(4);
    await page.context().close();
  });

  test('a click on a bucket, in the chart or in the table, is the path filter of all views, and takes it back', async () => {
    const views = viewsWith(ASPECTS);
    const page = await stage.open(views, 'view=aspects');
    await rows(page).nth(1).getByRole('button', { name: 'orders', exact: true }).click();
    const chip = page.locator('.chip', { hasText: 'path' });
    await expect.poll(() => chip.locator('.value').textContent(), PATIENCE).toBe('..orders and not ..search');
    // The others stay, to be compared with and chosen.
    await expect.poll(() => rows(page).nth(1).getAttribute('class'), PATIENCE).toBe('selected');
    expect(await names(page)).toEqual(['search', 'orders', 'stock', 'no aspect']);
    expect(await page.locator('.stacked path.out').count()).toBe(3);
    expect(
      views.asked.filter(
        asked => asked.ask === 'answer' && asked.answer === 'aspects' && asked.parameters.path !== undefined,
      ),
    ).toEqual([]);
    await page.keyboard.press('2');
    await page.locator('.picture canvas[data-drawn]').waitFor();
    expect(pathOf(views)).toBe('..orders and not ..search');
    await page.keyboard.press('b');
    await rows(page).nth(1).getByRole('button', { name: 'orders', exact: true }).click();
    await expect.poll(() => chip.count(), PATIENCE).toBe(0);
    // In the chart, at the bottom of the first window that has some of the first aspect.
    const box = (await page.locator('.stacked svg').boundingBox())!;
    const { rows: wanted } = bucketsOf(views.stacks, ASPECTS, views.state.windows);
    const window = wanted[0]!.overTime.findIndex(weight => weight > 0);
    const x = box.x + (box.width * (window + 0.5)) / views.state.windows.length;
    await page.mouse.move(x, box.y + box.height - 2);
    await expect
      .poll(() => page.locator('.pointed').textContent(), PATIENCE)
      .toMatch(/: search \d.* % of .* a second$/);
    await page.mouse.click(x, box.y + box.height - 2);
    await expect.poll(() => chip.locator('.value').textContent(), PATIENCE).toBe('..search');
    // Another bucket, and back: the first one is still a bucket that a click takes back.
    await rows(page).nth(1).getByRole('button', { name: 'orders', exact: true }).click();
    await expect.poll(() => chip.locator('.value').textContent(), PATIENCE).toBe('..orders and not ..search');
    await page.goBack();
    await expect.poll(() => chip.locator('.value').textContent(), PATIENCE).toBe('..search');
    await rows(page).nth(0).getByRole('button', { name: 'search', exact: true }).click();
    await expect.poll(() => chip.count(), PATIENCE).toBe(0);
    // Another button chooses nothing, nor does a drag that ends over the chart.
    await page.mouse.click(x, box.y + box.height - 2, { button: 'right' });
    await page.mouse.move(x, box.y - 5);
    await page.mouse.down();
    await page.mouse.move(x, box.y + box.height - 2);
    await page.mouse.up();
    expect(await chip.count()).toBe(0);
    await page.context().close();
  });

  test('by the keyboard alone: to a bucket, and an aspect before the one above', async () => {
    const page = await stage.open(viewsWith(ASPECTS), 'view=ring');
    await page.locator('.picture canvas[data-drawn]').waitFor();
    await page.keyboard.press('b');
    await rows(page).first().waitFor();
    await rows(page).first().getByRole('button').first().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => names(page), PATIENCE).toEqual(['orders', 'search', 'stock', 'no aspect']);
    await page.getByRole('button', { name: 'Order of the settings' }).press('Enter');
    await expect.poll(() => names(page), PATIENCE).toEqual(['search', 'orders', 'stock', 'no aspect']);
    await rows(page).last().getByRole('button').press('Enter');
    await expect
      .poll(() => page.locator('.chip .value').textContent(), PATIENCE)
      .toBe('not ..search and not ..orders and not ..stock');
    await page.context().close();
  });

  test('without aspects there are some of the program to try, and a line for insitu.json', async () => {
    const page = await stage.open(viewsWith([]), 'view=aspects');
    const code = page.locator('.aspects code');
    await expect.poll(() => code.first().textContent(), PATIENCE).toBe(JSON.stringify({ aspects: EXAMPLE }));
    await page.getByRole('button', { name: 'Try search, shop' }).click();
    await expect.poll(() => names(page), PATIENCE).toEqual(['search', 'shop', 'no aspect']);
    const input = page.getByLabel('Try an aspect');
    await input.fill('stock = Warehouse');
    await input.press('Enter');
    await expect.poll(() => names(page), PATIENCE).toEqual(['search', 'shop', 'stock', 'no aspect']);
    expect(await code.textContent()).toBe(
      JSON.stringify({ aspects: [...EXAMPLE, { name: 'stock', value: 'Warehouse' }] }),
    );
    const long = Array.from({ length: 60 }, (_, at) => `Class${at}`).join(' | ');
    await input.fill(`long = ${long}`);
    await input.press('Enter');
    await expect.poll(() => code.textContent(), PATIENCE).toContain(long);
    await page.getByRole('button', { name: 'Drop long' }).click();
    await page.getByRole('button', { name: 'Drop search' }).click();
    await expect.poll(() => names(page), PATIENCE).toEqual(['shop', 'stock', 'no aspect']);
    await input.fill('nonsense');
    await input.press('Enter');
    expect(await page.locator('.status').textContent()).toContain('Write a name, = and methods');
    await page.context().close();
  });
}
