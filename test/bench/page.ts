// Measures the page of pictures in Chromium beside an editor, over a tree of 2.17 million nodes: first picture, drawing, memory, and hints meanwhile.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildPage } from '../../.ci/page.ts';
import { type Engine, fetchEngine } from '../support/engines/engines.ts';
import { type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putProfile } from '../support/insitu/lsp-store.ts';
import { hotProgram } from './lsp-program.ts';
import { type ServerTimes, serverTimes } from './lsp-times.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const NODES = 2_170_000;
const QUICK_NODES = 200_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUNDLE = join(ROOT, 'dist/bin/insitu-lsp.cjs');
const DRAWN = '.picture canvas[data-drawn]';
const VIEWS = '1234567';

type Scene = {
  readonly client: LspClient;
  readonly times: ServerTimes;
  readonly uri: string;
  readonly browser: Browser;
  /** A page of its own, asked for now; gives the time to its first picture as well. */
  readonly openPage: (state: string) => Promise<{ readonly page: Page; readonly millis: number }>;
};

/** An editor with its hints, and a browser that runs. */
async function withScene<T>(engine: Engine, quick: boolean, work: (scene: Scene) => Promise<T>): Promise<T> {
  if (!existsSync(join(ROOT, 'dist/web/index.html'))) await buildPage(ROOT, join(ROOT, 'dist/web'));
  const { profile, text } = hotProgram(quick ? QUICK_NODES : NODES);
  const place: LspFolder = await lspFolder();
  const browser = await chromium.launch({
    executablePath: engine.program('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    await writeFile(join(place.folder, 'Hot.java'), text);
    await putProfile(place.store, profile);
    const times = serverTimes();
    const client = await startServer({
      folders: [place.folder],
      capabilities: {},
      prepare: times.prepare,
      env: { SSH_CONNECTION: '' },
      ...(existsSync(BUNDLE) ? { start: [BUNDLE, '--stdio'] } : {}),
    });
    const uri = place.uri('Hot.java');
    client.open(uri, text);
    if ((await client.hints(uri)).length < 400) throw new Error('too few hints came');
    const openPage: Scene['openPage'] = async state => {
      const page = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
      const began = performance.now();
      const params = { textDocument: { uri } };
      const { address } = await client.connection.sendRequest<{ address: string }>('insitu/viewAddress', params);
      await page.goto(`${address}&${state}`);
      await page.locator(DRAWN).first().waitFor();
      return { page, millis: performance.now() - began };
    };
    const result = await work({ client, times, uri, browser, openPage });
    await client.stop();
    return result;
  } finally {
    await browser.close();
    await place.remove();
  }
}

function limited(label: string, value: number, unit: string, limit: number): BenchFigure {
  return { label, value, unit, wanted: `≤ ${limit} ${unit}`, ok: value <= limit };
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/** The first one is of a Selection that no picture was asked of before. */
async function firstPictures({ openPage }: Scene): Promise<BenchFigure[]> {
  const millis: number[] = [];
  for (let run = 0; run < 5; run++) {
    const opened = await openPage('view=ring');
    millis.push(opened.millis);
    await opened.page.context().close();
  }
  const [first = Number.NaN, ...next] = millis;
  return [
    limited('command to first picture, first Selection', first, 'ms', 1000),
    limited('command to first picture, then', median(next), 'ms', 1000),
  ];
}

/** Zooms in and out, one step a frame; the canvas says how long each drawing took. */
const ZOOMED = `new Promise(done => {
  const canvas = document.querySelector('.picture canvas');
  const { left, top, width } = canvas.getBoundingClientRect();
  const [drawings, frames] = [[], []];
  const observer = new MutationObserver(() => drawings.push(Number(canvas.dataset.drawn)));
  observer.observe(canvas, { attributes: true, attributeFilter: ['data-drawn'] });
  let [steps, last] = [0, performance.now()];
  const step = now => {
    if (steps > 0) frames.push(now - last);
    last = now;
    if (steps++ === STEPS) {
      observer.disconnect();
      return done({ drawings, frames });
    }
    const deltaY = steps % 40 < 20 ? -30 : 30;
    const place = { clientX: left + width / 2, clientY: top + 100 };
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, ctrlKey: true, bubbles: true, cancelable: true, ...place }));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

async function drawing({ openPage }: Scene, quick: boolean): Promise<BenchFigure[]> {
  const { page } = await openPage('view=flame&library=no');
  await page.locator('.beside tbody tr').nth(10).waitFor();
  const length = (await page.locator('.beside .pager, .beside').first().textContent()) ?? '';
  const boxes = /of ([\d,.]+) parts/.exec(length)?.[1] ?? 'an unknown number of';
  await page.keyboard.press('d');
  await page.waitForTimeout(1000);
  const code = ZOOMED.replace('STEPS', quick ? '60' : '240');
  const { drawings, frames } = await page.evaluate<{ drawings: number[]; frames: number[] }>(code);
  await page.context().close();
  return [
    limited(`drawing ${boxes} boxes, median`, median(drawings), 'ms', 16),
    limited(`drawing ${boxes} boxes, 95th percentile`, percentile(drawings, 0.95), 'ms', 16),
    { label: 'from frame to frame while zooming, median', value: median(frames), unit: 'ms' },
    { label: 'from frame to frame while zooming, 95th percentile', value: percentile(frames, 0.95), unit: 'ms' },
  ];
}

/** What scripts hold after every view was shown and the garbage is gone. */
async function heap({ openPage }: Scene): Promise<BenchFigure[]> {
  const { page } = await openPage('view=flame&library=no');
  for (const view of [...VIEWS, '2']) {
    await page.keyboard.press(view);
    await page.waitForTimeout(700);
  }
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await page.context().close();
  return [limited('heap of the page after all views', usedSize / 1e6, 'MB', 150)];
}

/** Hints while a page beside the editor asks for other pictures all the time. */
async function hintsBeside({ openPage, client, times, uri }: Scene, quick: boolean): Promise<BenchFigure[]> {
  const { page } = await openPage('view=flame&library=no');
  await times.start(client.connection);
  let isMeasured = false;
  const walking = (async () => {
    while (!isMeasured) {
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter', 'Backspace', 'i', 'i']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(100);
      }
    }
  })();
  const rounds = quick ? 60 : 400;
  for (let round = 0; round < rounds; round++) {
    await client.hints(uri);
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  isMeasured = true;
  await walking;
  const server = await times.take(rounds);
  await page.context().close();
  return [limited('hints beside an open page, on the server, 99th percentile', percentile(server, 0.99), 'ms', 10)];
}

function rowOf(engine: Engine): BenchRow {
  return {
    name: 'page of pictures beside an editor',
    run: ({ quick }) =>
      withScene(engine, quick, async scene => [
        ...(await firstPictures(scene)),
        ...(await drawing(scene, quick)),
        ...(await heap(scene)),
        ...(await hintsBeside(scene, quick)),
      ]),
  };
}

const engine = await fetchEngine('chromium', line => console.error(`  engine | ${line}`));
if ('missing' in engine) console.error(`page: skipped, as there is no Chromium: ${engine.missing}`);

export const rows: readonly BenchRow[] = 'missing' in engine ? [] : [rowOf(engine)];
