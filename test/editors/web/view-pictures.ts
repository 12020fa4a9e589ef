// Pictures of the page of pictures for the documentation: every view, light and dark, of the sample's recordings in Chromium.
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { VIEWS, type View, viewNamed } from '../../../clients/web/src/views.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { startViewIn } from './view-process.ts';

const recording = (name: string): string =>
  fileURLToPath(new URL(`../../../samples/recordings/${name}.jfr`, import.meta.url));
const SOURCES = fileURLToPath(new URL('../../../samples/shop/v1', import.meta.url));

/** The state in the address, and what is done there. */
type Scene = { readonly state: string; readonly act?: (page: Page) => Promise<void> };

/** What is done to a view before its picture is taken; others are as they open. */
const PREPARED: Partial<Record<View, Scene>> = {
  flame: { state: 'view=flame', act: page => keys(page, ...Array.from({ length: 6 }, () => 'ArrowDown')) },
  sandwich: { state: 'view=flame&search=Shop.search', act: page => keys(page, 'n', viewNamed('sandwich').key) },
  table: { state: 'view=table' },
  source: { state: 'view=source', act: page => page.getByRole('button', { name: 'Postings.or' }).click() },
  paths: { state: 'view=paths', act: page => page.locator('main button.link').first().click() },
};

/** Of two recordings. */
const COMPARED: readonly View[] = ['blueprint'];

/** By the name that the picture has in the documentation. */
function scenes(isCompared: boolean): Readonly<Record<string, Scene>> {
  const views = VIEWS.filter(({ name }) => COMPARED.includes(name) === isCompared);
  return Object.fromEntries(
    views.map(({ name, title }) => [title.toLowerCase(), PREPARED[name] ?? { state: `view=${name}` }]),
  );
}

/** More of one recording. */
const OTHERS: Readonly<Record<string, Scene>> = {
  'rings-area': { state: 'view=ring&form=area' },
  actions: {
    state: 'view=flame&search=Posting',
    act: page => keys(page, ...Array.from({ length: 4 }, () => 'ArrowDown'), 'Control+k'),
  },
  'flames-heat': { state: 'view=flame&colour=heat' },
};

async function keys(page: Page, ...pressed: readonly string[]): Promise<void> {
  for (const key of pressed) {
    await page.keyboard.press(key);
    await page.waitForTimeout(300);
  }
}

/** By name of the file. */
export async function viewPictures(engine: Engine): Promise<Map<string, Uint8Array>> {
  const browser = await chromium.launch({
    executablePath: engine.program('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const one = await picturesOf(browser, { ...scenes(false), ...OTHERS }, recording('shop-v1-jdk17-a'));
    const sides = [recording('shop-v1-jdk17-a'), recording('shop-v2-jdk17')];
    return new Map([...one, ...(await picturesOf(browser, scenes(true), '--compare', ...sides))]);
  } finally {
    await browser.close();
  }
}

async function picturesOf(
  browser: Browser,
  scenes: Readonly<Record<string, Scene>>,
  ...shown: readonly string[]
): Promise<[string, Uint8Array][]> {
  const view = await startViewIn(SOURCES, ...shown);
  const pictures: [string, Uint8Array][] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
    await page.goto(view.address);
    for (const [name, { state, act }] of Object.entries(scenes))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // Another state first: what was selected before is forgotten.
        await page.goto(`${new URL(view.address).origin}/#view=timeline`);
        await page.goto(`${new URL(view.address).origin}/#${state}`);
        await page.waitForTimeout(1_500);
        await act?.(page);
        await page.waitForTimeout(1_500);
        pictures.push([`views-${name}${colorScheme === 'dark' ? '-dark' : ''}.png`, await page.screenshot()]);
      }
  } finally {
    view.end();
  }
  return pictures;
}
