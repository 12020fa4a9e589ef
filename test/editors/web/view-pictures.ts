// Pictures of the page of pictures for the documentation: every view, light and dark, of the sample's recordings in Chromium.
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { VIEWS, type View, viewNamed } from '../../../clients/web/src/views.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { comparedShop } from '../../support/stores/compared-shop.ts';
import { sampleInGit } from '../../support/stores/sample-in-git.ts';
import { startViewIn } from './view-process.ts';

const RECORDING = fileURLToPath(new URL('../../../samples/recordings/shop-v1-jdk17-a.jfr', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../../samples/shop/v1', import.meta.url));

/** The state in the address, and what is done there. */
type Scene = { readonly state: string; readonly act?: (page: Page) => Promise<void> };

/** The steps in a view before its picture is taken; other views are as they open. */
const PREPARED: Partial<Record<View, Scene>> = {
  flame: { state: 'view=flame', act: page => keys(page, ...Array.from({ length: 6 }, () => 'ArrowDown')) },
  sandwich: { state: 'view=flame&search=Shop.search', act: page => keys(page, 'n', viewNamed('sandwich').key) },
  table: { state: 'view=table' },
  source: { state: 'view=source', act: page => page.getByRole('button', { name: 'Postings.or' }).click() },
  blueprint: {
    state: 'view=blueprint&compared=boxes',
    act: async page => {
      await page.locator('.boxes').press('g');
      await page.locator('.beside tbody tr', { hasText: 'Shop.review' }).getByRole('button').click();
      await page.getByRole('tab', { name: 'Flames' }).click();
    },
  },
  aspects: {
    state: 'view=aspects',
    act: page => page.getByRole('button', { name: /^Try / }).click(),
  },
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

/** Of two versions with five JVMs each, so that the difference is tested. */
const TESTED: Readonly<Record<string, Scene>> = { blueprint: { state: 'view=blueprint&compared=boxes' } };

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
  const { repository, options } = await sampleInGit();
  const { scratch, store } = await comparedShop();
  try {
    const one = await picturesOf(browser, { ...scenes(false), ...OTHERS }, [SOURCES, RECORDING]);
    const two = await picturesOf(browser, scenes(true), [repository.root, '--compare', 'v1', 'v2', ...options]);
    const sides = ['--compare', 'a', 'b', '--store', store, '--project', 'acme', '--program', 'shop'];
    const tested = await picturesOf(browser, TESTED, [scratch.root, ...sides]);
    return new Map([...one, ...two, ...tested]);
  } finally {
    await browser.close();
    repository.remove();
    scratch.remove();
  }
}

async function picturesOf(
  browser: Browser,
  scenes: Readonly<Record<string, Scene>>,
  /** The folder that the program's sources are in, and what is shown. */
  [folder, ...shown]: readonly [string, ...string[]],
): Promise<[string, Uint8Array][]> {
  const view = await startViewIn(folder, ...shown);
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
        await page.reload();
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
