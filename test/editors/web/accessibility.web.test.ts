// Tests the page for users who do not see it, or have no mouse: Chromium's accessibility tree, keys alone, and the contrast of every text.
import type { Blueprint, BlueprintBox, MethodInfo } from 'insitu/views';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VIEWS } from '../../../clients/web/src/views.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { fakeStacks } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };
/** WCAG 2.2, 1.4.3 for texts of usual size. */
const LEAST_CONTRAST = 4.5;
const NAMES = VIEWS.map(({ name }) => name);

needs('chromium', 'the page for everybody', checkAccessibility);

type AxNode = { readonly role: string; readonly name: string };

/** Roles and names as Chromium tells them to screen readers. */
async function accessibilityTree(page: Page): Promise<AxNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name }) => ({ role: String(role?.value ?? ''), name: String(name?.value ?? '') }));
}

/** Roles that a person operates. */
const OPERATED = new Set(['button', 'combobox', 'searchbox', 'checkbox', 'radio', 'slider', 'menuitem', 'application']);

/** Each method calls the next one: slower, new, and removed. */
function comparedBoxes(methods: readonly MethodInfo[]): Blueprint {
  const states = ['kept', 'added', 'removed'] as const;
  const box = (at: number): BlueprintBox => ({
    ...{
      row: at,
      parent: at - 1,
      method: at === 0 ? null : methods[at - 1]!,
      state: at === 0 ? 'kept' : states[at - 1]!,
    },
    ...{ total: [50, 60], self: [5, 6], scaled: [0.5, 0.6], height: 0.1, below: at < methods.length ? 1 : 0 },
    ...{
      executions: { counts: [3, 40], difference: 37 },
      verdict: at === 1 ? 'slower' : 'notTested',
      p: at === 1 ? 0.01 : null,
    },
  });
  const boxes = [0, ...methods.map((_, at) => at + 1)].map(box);
  const text = 'slower: Shop.search, changed in 1a2b3c4: +10 (50% → 60%)';
  const finding = { text, row: 1, all: [1, 2].map(row => ({ text: `${text} ${row}`, row })) };
  return {
    ...{ tree: 't', unit: 'samples', scaling: 'share', whole: 1, counted: true, versions: ['v1', 'v2'] },
    finding,
    boxes,
  };
}

function checkAccessibility(engine: Engine): void {
  const views = new FakeViews(fakeStacks(300));
  const method = [...views.methods().values()].find(({ name, library }) => name === 'search' && !library);
  views.touch({ baseline: 'version v1' });
  views.blueprint = () => comparedBoxes([...views.methods().values()].slice(0, 3));
  let stage: Stage;
  beforeAll(async () => {
    stage = await pageStage(engine, views);
  });
  afterAll(() => stage?.close());

  async function open(view: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await stage.open(views, `view=${view}&method=${method?.key}`, { colorScheme });
    await expect.poll(() => page.locator('main').textContent(), PATIENCE).toMatch(/\d/);
    return page;
  }

  test('picture, bar, table and live region have their roles and names', async () => {
    const page = await open('flame');
    await page.locator('.beside tbody tr').first().waitFor();
    const tree = await accessibilityTree(page);
    const named = (role: string): string[] => tree.filter(node => node.role === role).map(({ name }) => name);
    expect(named('application')).toEqual([expect.stringMatching(/^Flame graph\. Arrow keys walk/)]);
    expect(named('navigation')).toEqual(expect.arrayContaining(['Views and filters', 'Root of the picture']));
    expect(named('table')).toHaveLength(1);
    expect(named('columnheader')).toEqual(expect.arrayContaining(['Part', 'Total', 'Self']));
    expect(named('rowheader').length).toBeGreaterThan(10);
    expect(named('searchbox')).toEqual(['Search: words, or an expression between slashes']);
    expect(named('heading')[0]).toMatch(/^shop/);
    expect(named('status')).toHaveLength(1);
    await page.context().close();
  });

  test.each(NAMES)('in the view %s everything that is operated has a name', async view => {
    const page = await open(view);
    const tree = await accessibilityTree(page);
    const operated = tree.filter(({ role }) => OPERATED.has(role));
    expect(operated.length).toBeGreaterThan(10);
    expect(operated.filter(({ name }) => name.trim() === '')).toEqual([]);
    await page.context().close();
  });

  test('keys alone lead from the address to the focus and to the source, and Tab comes to everything', async () => {
    const page = await stage.open(views, 'view=flame');
    await page.locator('.picture canvas[data-drawn]').waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'u']) await page.keyboard.press(key);
    await expect
      .poll(() => page.locator('.chip .value').textContent(), PATIENCE)
      .toContain('com.acme.shop.Shop.search');
    await page.keyboard.press('o');
    await page.getByText('item.fits').waitFor();
    await page.keyboard.press('2');
    await page.locator('.picture canvas[data-drawn]').waitFor();
    await page.keyboard.press('d');
    const focused = (): Promise<string> =>
      page.evaluate<string>(`document.activeElement.className + ' ' + document.activeElement.tagName`);
    const met = new Set<string>();
    for (let at = 0; at < 60; at++) {
      await page.keyboard.press('Tab');
      met.add((await focused()).trim().split(' ').at(-1) ?? '');
    }
    expect([...met]).toEqual(expect.arrayContaining(['BUTTON', 'SELECT', 'INPUT', 'CANVAS']));
    await page.context().close();
  });

  test.each(NAMES.flatMap(view => (['light', 'dark'] as const).map(scheme => [view, scheme] as const)))(
    'every text of the view %s can be read in %s',
    async (view, scheme) => {
      const page = await open(view, scheme);
      const texts = await page.evaluate<{ text: string; contrast: number }[]>(CONTRASTS);
      expect(texts.length).toBeGreaterThan(10);
      expect(texts.filter(({ contrast }) => contrast < LEAST_CONTRAST)).toEqual([]);
      await page.context().close();
    },
  );

  test('the list of keys is a dialog that can be read, and Esc closes it', async () => {
    const page = await open('flame', 'dark');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    const texts = await page.evaluate<{ text: string; contrast: number }[]>(CONTRASTS);
    expect(texts.filter(({ contrast }) => contrast < LEAST_CONTRAST)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count(), PATIENCE).toBe(0);
    await page.context().close();
  });
}

/**
 * Contrast of each visible text to what lies behind it, by the formula of WCAG. A canvas turns any spelling of a colour into numbers;
 * backgrounds that let light through are laid over each other. What cannot be operated now is left out, as WCAG does.
 */
const CONTRASTS = `(() => {
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const over = colours => {
    context.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminance = colours => {
    const [r, g, b] = over(colours).map(value => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = element => {
    const colours = [];
    for (let at = element; at !== null; at = at.parentElement) colours.unshift(getComputedStyle(at).backgroundColor);
    return ['white', ...colours];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim();
    if (text === '' || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest(':disabled, [aria-disabled=true], option, script, style') !== null) continue;
    const background = behind(element);
    const [one, other] = [luminance(background), luminance([...background, getComputedStyle(element).color])];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    found.push({ text: text.slice(0, 40), contrast: Math.round(contrast * 100) / 100 });
  }
  return found;
})()`;
