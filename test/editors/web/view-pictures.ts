// Pictures of the page of pictures for the documentation: the sample's recording in Chromium.
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import type { Engine } from '../../support/engines/engines.ts';
import { startView } from './view-process.ts';

const RECORDING = fileURLToPath(new URL('../../../samples/recordings/shop-v1-jdk17-a.jfr', import.meta.url));

/** What each shows: the state in the address, the colours, and what is done there. */
const SCENES: Readonly<Record<string, readonly [string, 'light' | 'dark', ((page: Page) => Promise<void>)?]>> = {
  'views-rings.png': ['view=ring', 'light'],
  'views-rings-dark.png': ['view=ring&form=area', 'dark'],
  'views-flames.png': ['view=flame', 'light', select],
  'views-flames-heat.png': ['view=flame&colour=heat', 'dark'],
  'views-sandwich.png': ['view=flame&search=Shop.search', 'light', sandwich],
  'views-timeline.png': ['view=timeline', 'light'],
};

/** The heaviest calls, five levels deep. */
async function select(page: Page): Promise<void> {
  for (let level = 0; level < 6; level++) await page.keyboard.press('ArrowDown');
}

/** Of the first hit of the search. */
async function sandwich(page: Page): Promise<void> {
  await page.keyboard.press('n');
  await page.waitForTimeout(500);
  await page.keyboard.press('3');
}

export async function viewPictures(engine: Engine): Promise<Map<string, Uint8Array>> {
  const view = await startView(RECORDING);
  const browser = await chromium.launch({
    executablePath: engine.program('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const pictures = new Map<string, Uint8Array>();
  try {
    const page = await browser.newPage({ viewport: { width: 1120, height: 700 } });
    await page.goto(view.address);
    for (const [name, [state, colorScheme, act]] of Object.entries(SCENES)) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${new URL(view.address).origin}/#${state}`);
      await page.waitForTimeout(1_500);
      await act?.(page);
      await page.waitForTimeout(1_500);
      pictures.set(name, await page.screenshot());
    }
  } finally {
    await browser.close();
    view.end();
  }
  return pictures;
}
