// A JVM that is being recorded, looked at by `insitu view` in Chromium: the picture follows, nothing swaps, and the header tells the truth.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { RecordingScene } from '../../support/recorders/recording-scene.ts';
import {
  compiledShop,
  ends,
  samplesOf,
  startShop,
  stored,
  storeOf,
  until,
  untilFollowing,
} from '../../support/recorders/recording-shop.ts';
import { isInFull } from '../../support/runs.ts';
import { type PartRow, partRows, swapped } from './rows-beside.ts';
import { startView } from './view-process.ts';
import { type WatchedBrowser, watchedBrowser } from './watched-browser.ts';

const PATIENCE = { timeout: 60_000, interval: 100 };
/** The longest time after which a recorder that is gone is known to be: two windows and a minute. */
const GONE = { timeout: 180_000, interval: 500 };
const FRAMES = 6;

const scene = new RecordingScene();

needs('chromium', 'the page beside a recorder', chromium =>
  needs('jdk17', 'of a real JVM', jdk => checkLive(chromium, jdk)),
);

/** Rows of the pictures that follow each other, each with other numbers than the one before. */
async function successive(page: Page, count: number): Promise<PartRow[][]> {
  const frames: PartRow[][] = [];
  let last = '';
  await until(`${count} pictures`, async () => {
    const rows = await partRows(page);
    const text = JSON.stringify(rows);
    if (rows.length > 1 && text !== last) frames.push(rows);
    last = text;
    return frames.length >= count;
  });
  return frames;
}

const samples = (rows: readonly PartRow[]): number => Number(rows[0]?.total.replace(/\D/g, ''));

function checkLive(chromium: Engine, jdk: Engine): void {
  let browser: WatchedBrowser;
  beforeAll(async () => {
    compiledShop(jdk);
    browser = await watchedBrowser(chromium);
  });
  afterAll(() => browser?.close());

  test('the picture follows without swapped siblings, its age moves, and the header says when the recorder is gone', async () => {
    const shop = scene.own(startShop(jdk, scene.folder, 600));
    const recorder = scene.recorderOf(shop, '--interval', '2s');
    await untilFollowing(recorder);
    await until('samples', async () => samplesOf(await stored(scene.folder), 'cpu') > 0);
    const view = await startView('--store', storeOf(scene.folder), '--project', 'acme', '--program', 'shop');
    onTestFinished(view.end);
    const page = await browser.open(`${view.address}&view=flame&amounts=count&library=no`);
    const frames = await successive(page, FRAMES);
    for (const [at, rows] of frames.entries()) {
      const before = frames[at - 1];
      if (before === undefined) continue;
      expect(swapped(before, rows)).toEqual([]);
      expect(samples(rows)).toBeGreaterThanOrEqual(samples(before));
    }
    expect(samples(frames.at(-1) ?? [])).toBeGreaterThan(samples(frames[0] ?? []));
    const age = page.locator('.header .age');
    expect(await age.textContent()).toContain('● live');
    await ends(recorder, 'SIGKILL');
    const ages = new Set<string | null>();
    await expect.poll(async () => ages.add(await age.textContent()).size, PATIENCE).toBeGreaterThan(3);
    // The page knows nothing of recorders: in short the server's tests tell how long a recorder may be silent.
    if (isInFull()) await expect.poll(() => age.textContent(), GONE).not.toContain('● live');
    await page.context().close();
  });
}
