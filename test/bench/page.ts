// Measures the page of pictures in Chromium beside an editor, over a tree of 2.17 million nodes: first picture, drawing, memory, hints meanwhile.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { InlayHintRefreshRequest } from 'vscode-languageserver/node';
import { buildPage } from '../../.ci/page.ts';
import type { Profile } from '../../server/cct/profile.ts';
import type { AskPicture } from '../../server/views/view-messages.ts';
import { type Engine, fetchEngine } from '../support/engines/engines.ts';
import { type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';
import { FIRST_START, type LspFolder, lspFolder, putProfile } from '../support/insitu/lsp-store.ts';
import { windowOf } from './big-profile.ts';
import { fullFrame } from './full-frame.ts';
import { earlierProfile, type HotProgram, hotProgram } from './lsp-program.ts';
import { type ServerTimes, serverTimes } from './lsp-times.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const NODES = 2_170_000;
const QUICK_NODES = 200_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUNDLE = join(ROOT, 'dist/bin/insitu-lsp.cjs');
/** Servers that are started anew. */
const RUNS = 5;
const BOXES = 5_000;
/** Boxes of the delta hot path from the root on; each that hides something is opened. */
const HOT_PATH = 60;
/** The amount of the root, in the table beside the picture. */
const FIRST_TOTAL = '.beside tbody tr:first-child td.number:nth-of-type(1)';
/** Windows that arrive beside a page that follows. */
const WINDOWS = 9;
/** Fewer would leave the 99th percentile to chance. */
const HINT_ROUNDS = 400;
/** The server tells the client of newer data so long after it has them. */
const NOTICE_MILLIS = 10;
const DRAWN = '.picture canvas[data-drawn]';
/** Resolves when the page shows an element: a locator would look twice a second. */
const SEEN = `new Promise((done, fail) => {
  const end = performance.now() + 30_000;
  const look = () => {
    if (document.querySelector(SELECTOR)?.checkVisibility() === true) done();
    else if (performance.now() > end) fail(new Error('nothing is drawn'));
    else requestAnimationFrame(look);
  };
  look();
})`;
/** Each key, and the element that is on the page when its view has data. */
const VIEWS = [
  ['1', DRAWN],
  ['2', DRAWN],
  ['3', '.sandwich canvas[data-drawn]'],
  ['4', '[aria-label="Table"] tbody tr'],
  ['5', '[aria-label="Threads"] tbody tr'],
  ['6', '[aria-label="Timeline"] .column'],
  ['7', '[aria-label="Source"] tbody tr'],
  ['2', DRAWN],
] as const;

type Scene = {
  /** Stores a window of 10,000 nodes that ends now, as a recorder does. */
  readonly record: () => Promise<void>;
  readonly client: LspClient;
  readonly times: ServerTimes;
  readonly uri: string;
  readonly browser: Browser;
  readonly store: string;
  /** A page of its own, asked for now; gives the time to its first picture as well. */
  readonly openPage: (
    state: string,
    given?: { readonly prepare?: (page: Page) => Promise<void>; readonly drawn?: string },
  ) => Promise<{ readonly page: Page; readonly millis: number }>;
};

/** An editor with its hints, and a browser that runs. */
async function withScene<T>(
  engine: Engine,
  { profile, text }: HotProgram,
  work: (scene: Scene) => Promise<T>,
): Promise<T> {
  const place: LspFolder = await lspFolder();
  const browser = await chromium.launch({
    executablePath: engine.program('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  let server: LspClient | null = null;
  try {
    await writeFile(join(place.folder, 'Hot.java'), text);
    await putProfile(place.store, profile);
    const times = serverTimes();
    const client = await startServer({
      folders: [place.folder],
      capabilities: REFRESHING,
      prepare: times.prepare,
      env: { SSH_CONNECTION: '' },
      ...(existsSync(BUNDLE) ? { start: [BUNDLE, '--stdio'] } : {}),
    });
    server = client;
    const uri = place.uri('Hot.java');
    client.open(uri, text);
    if ((await client.hints(uri)).length < 400) throw new Error('too few hints came');
    let windows = 0;
    const record = () => putProfile(place.store, windowOf(windows++), {}, (Date.now() - FIRST_START) / 1000 - 10);
    const openPage: Scene['openPage'] = async (state, { prepare = async () => {}, drawn = DRAWN } = {}) => {
      const page = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
      await prepare(page);
      const began = performance.now();
      const params = { textDocument: { uri } };
      const { address } = await client.connection.sendRequest<{ address: string }>('insitu/viewAddress', params);
      await page.goto(`${address}&${state}`);
      await page.evaluate(SEEN.replace('SELECTOR', JSON.stringify(drawn)));
      return { page, millis: performance.now() - began };
    };
    const result = await work({ record, client, times, uri, browser, store: place.store, openPage });
    await client.stop();
    return result;
  } finally {
    server?.process.kill('SIGKILL');
    await browser.close();
    await place.remove();
  }
}

function limited(label: string, value: number, unit: string, limit: number): BenchFigure {
  return { label, value, unit, limit: { most: limit } };
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/** The first picture of a server, and the next one. */
async function twoPictures({ openPage }: Scene): Promise<[number, number]> {
  const first = await openPage('view=ring');
  await first.page.context().close();
  const next = await openPage('view=ring');
  await next.page.context().close();
  return [first.millis, next.millis];
}

/** Counts what is filled from one drawing to the next: boxes, and marks of few of them. */
const COUNTED = `
  globalThis.filled = 0;
  const fillRect = CanvasRenderingContext2D.prototype.fillRect;
  CanvasRenderingContext2D.prototype.fillRect = function (...given) {
    globalThis.filled++;
    return fillRect.apply(this, given);
  };`;

/** Zooms in and out, one step a frame; the canvas says how long each drawing took. */
const ZOOMED = `new Promise(done => {
  const canvas = document.querySelector('.picture canvas');
  const { left, top, width } = canvas.getBoundingClientRect();
  const [drawings, frames] = [[], []];
  const observer = new MutationObserver(() => {
    drawings.push({ millis: Number(canvas.dataset.drawn), filled: globalThis.filled });
    globalThis.filled = 0;
  });
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

/** Real trees have fewer boxes on a screen: the page gets pictures that fill all of it. */
async function giveBoxes(page: Page): Promise<void> {
  await page.addInitScript(COUNTED);
  await page.route('**/ask', async route => {
    const question = route.request().postDataJSON() as AskPicture;
    if (question.ask !== 'picture') return route.continue();
    return route.fulfill({ contentType: 'application/octet-stream', body: Buffer.from(fullFrame(question)) });
  });
}

type Zoomed = {
  readonly drawings: readonly { readonly millis: number; readonly filled: number }[];
  readonly frames: readonly number[];
};

async function drawing({ openPage }: Scene, quick: boolean): Promise<BenchFigure[]> {
  const { page } = await openPage('view=flame&library=no', { prepare: giveBoxes });
  await page.locator('.beside tbody tr').nth(10).waitFor();
  await page.keyboard.press('d');
  await page.waitForTimeout(1000);
  const { drawings, frames } = await page.evaluate<Zoomed>(ZOOMED.replace('STEPS', quick ? '60' : '240'));
  await page.context().close();
  const full = drawings.filter(({ filled }) => filled >= BOXES);
  if (full.length < drawings.length / 4)
    throw new Error(`${full.length} of ${drawings.length} drawings had ${BOXES} boxes`);
  const millis = full.map(each => each.millis);
  return [
    limited(`drawing ${BOXES} boxes and more, median`, median(millis), 'ms', 16),
    limited(`drawing ${BOXES} boxes and more, 95th percentile`, percentile(millis, 0.95), 'ms', 16),
    { label: 'boxes of the median drawing', value: median(full.map(({ filled }) => filled)), unit: 'boxes' },
    { label: 'from frame to frame while zooming, median', value: median(frames), unit: 'ms' },
    { label: 'from frame to frame while zooming, 95th percentile', value: percentile(frames, 0.95), unit: 'ms' },
  ];
}

/** The memory of scripts after every view was shown and the garbage is gone. */
async function heap({ openPage }: Scene): Promise<BenchFigure[]> {
  const { page } = await openPage('view=flame&library=no');
  // A sandwich and a source are of a method.
  await page.locator('.beside tbody tr').nth(10).waitFor();
  for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  for (const [key, shown] of VIEWS) {
    await page.keyboard.press(key);
    await page.locator(shown).first().waitFor();
  }
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize, embedderHeapUsedSize } = await session.send('Runtime.getHeapUsage');
  await page.context().close();
  const bytes = usedSize + backingStorageSize + embedderHeapUsedSize;
  return [limited('heap of the page after all views', bytes / 1e6, 'MB', 150)];
}

/** Resolves with whether the root has another total, after ten seconds at most. */
const CHANGED = `new Promise(done => {
  const end = performance.now() + 10_000;
  const look = () => {
    const isOther = document.querySelector(${JSON.stringify(FIRST_TOTAL)})?.textContent !== BEFORE;
    if (isOther || performance.now() > end) done(isOther);
    else requestAnimationFrame(look);
  };
  look();
})`;

/** From a window in the folder to the picture with it, as a page that follows shows it. */
async function arrivals({ openPage, record }: Scene, quick: boolean): Promise<BenchFigure[]> {
  await record();
  const { page } = await openPage('view=flame&library=no&amounts=count');
  await page.locator('.age .live').waitFor();
  const millis: number[] = [];
  let missing = 0;
  for (let run = 0; run < (quick ? 2 : WINDOWS); run++) {
    // Not in step with what looks at the folder.
    await page.waitForTimeout(3_000 + 170 * run);
    const before = await page.locator(FIRST_TOTAL).textContent();
    await record();
    const began = performance.now();
    const isThere = await page.evaluate<boolean>(CHANGED.replace('BEFORE', JSON.stringify(before)));
    if (isThere) millis.push(performance.now() - began);
    else missing++;
  }
  await page.context().close();
  return [
    limited('from a window in the folder to its picture', median(millis), 'ms', 1000),
    { label: 'from a window in the folder to its picture, the longest', value: Math.max(...millis), unit: 'ms' },
    limited('windows that did not appear within 10 s', missing, 'windows', 0),
  ];
}

/** Hints while a recorder feeds the store, and a page that follows it asks for other pictures all the time. */
async function hintsBeside({ openPage, record, client, times, uri }: Scene, quick: boolean): Promise<BenchFigure[]> {
  await record();
  const { page } = await openPage('view=flame&library=no&amounts=count');
  await page.locator('.age .live').waitFor();
  const totals = new Set<string | null>();
  let isMeasured = false;
  const recording = (async () => {
    while (!isMeasured) {
      await record();
      await page.waitForTimeout(quick ? 1_000 : 3_000);
    }
  })();
  const walking = (async () => {
    while (!isMeasured) {
      totals.add(await page.locator(FIRST_TOTAL).textContent());
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter', 'Backspace', 'i', 'i']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(100);
      }
    }
  })();
  await times.start(client.connection);
  const ends: number[] = [];
  const measuring = (async () => {
    try {
      for (let round = 0; round < HINT_ROUNDS; round++) {
        await client.hints(uri);
        ends.push(performance.now());
        await new Promise(resolve => setTimeout(resolve, quick ? 5 : 25));
      }
      return await times.take(HINT_ROUNDS);
    } finally {
      isMeasured = true;
    }
  })();
  const [server] = await Promise.all([measuring, walking, recording]);
  await page.locator('.age .live').waitFor();
  await page.context().close();
  // Answers with new data are worked out anew.
  const refreshed = client.received.filter(({ method }) => method === InlayHintRefreshRequest.method);
  const isNew = (round: number) =>
    refreshed.some(({ atMillis }) => atMillis > (ends[round - 1] ?? 0) && atMillis <= ends[round]! + NOTICE_MILLIS);
  const [again, anew] = [server.filter((_, round) => !isNew(round)), server.filter((_, round) => isNew(round))];
  return [
    limited('hints beside an open live page, on the server, 99th percentile', percentile(again, 0.99), 'ms', 10),
    limited('hints beside it of newer data, the longest', Math.max(...anew), 'ms', 200),
    { label: 'all of both, 99th percentile', value: percentile(server, 0.99), unit: 'ms' },
    { label: 'hints of newer data', value: anew.length, unit: `of ${HINT_ROUNDS}` },
    { label: 'totals that the page showed meanwhile', value: totals.size, unit: 'pictures' },
  ];
}

const BOX = '.blueprint g[data-row]';

/** Opens the selected box; resolves with the milliseconds until something else is drawn, null where nothing is below it. */
const OPENED = `new Promise((done, fail) => {
  const drawn = () => document.querySelector('.blueprint .boxes').innerHTML;
  const button = document.querySelector('.blueprint fieldset.kinds button');
  if (button.disabled) return done(null);
  const before = drawn();
  const began = performance.now();
  const look = () => {
    if (drawn() !== before) done(performance.now() - began);
    else if (performance.now() - began > 10_000) fail(new Error('a box does not open'));
    else requestAnimationFrame(look);
  };
  button.click();
  look();
})`;

/** From the wish to compare to the first boxes, the same once the comparison is there, and opening each box of the hot path. */
async function blueprintTimes({ openPage, client, store }: Scene, earlier: Profile): Promise<BlueprintTimes> {
  await putProfile(store, earlier, { version: '0.9' }, -60);
  // The browser is there before the wish.
  const prepare = async (): Promise<void> => {
    void client.connection.sendRequest('insitu/compareWith', { version: '0.9' });
  };
  const boxes = 'view=blueprint&compared=boxes';
  const { page, millis: first } = await openPage(boxes, { prepare, drawn: BOX });
  await page.context().close();
  const next = await openPage(boxes, { drawn: BOX });
  const opened: number[] = [];
  // One JVM a side has no finding to begin at.
  await next.page.locator('[aria-roledescription=blueprint]').press('g');
  await next.page.locator(BOX).nth(1).waitFor();
  for (let step = 0; step < HOT_PATH; step++) {
    const millis = await next.page.evaluate<number | null>(OPENED);
    if (millis !== null) opened.push(millis);
    await next.page.keyboard.press('ArrowDown');
    // Its sources are asked for first.
    await next.page.waitForTimeout(200);
  }
  await next.page.context().close();
  if (opened.length < 3) throw new Error(`only ${opened.length} boxes could be opened`);
  return { first, next: next.millis, opened };
}

type BlueprintTimes = { readonly first: number; readonly next: number; readonly opened: readonly number[] };

function rowsOf(engine: Engine): BenchRow[] {
  const program = async (quick: boolean): Promise<HotProgram> => {
    if (!existsSync(join(ROOT, 'dist/web/index.html'))) await buildPage(ROOT, join(ROOT, 'dist/web'));
    return hotProgram(quick ? QUICK_NODES : NODES);
  };
  return [
    {
      name: 'first picture of a server',
      run: async ({ quick }) => {
        const hot = await program(quick);
        const pictures: [number, number][] = [];
        for (let run = 0; run < (quick ? 1 : RUNS); run++) pictures.push(await withScene(engine, hot, twoPictures));
        const [first, next] = [pictures.map(([millis]) => millis), pictures.map(([, millis]) => millis)];
        return [
          limited('command to first picture, first Selection', median(first), 'ms', 1000),
          { label: 'the longest of them', value: Math.max(...first), unit: 'ms' },
          limited('command to first picture, then', median(next), 'ms', 1000),
        ];
      },
    },
    {
      name: 'blueprint of two versions in the page',
      run: async ({ quick }) => {
        const hot = await program(quick);
        const earlier = earlierProfile(quick ? QUICK_NODES : NODES);
        const runs: BlueprintTimes[] = [];
        for (let run = 0; run < (quick ? 1 : RUNS); run++)
          runs.push(await withScene(engine, hot, scene => blueprintTimes(scene, earlier)));
        const first = runs.map(each => each.first);
        const opened = runs.flatMap(each => each.opened);
        return [
          limited('from the wish to compare to the first blueprint', median(first), 'ms', 1500),
          { label: 'the longest of them', value: Math.max(...first), unit: 'ms' },
          { label: 'the blueprint once compared', value: median(runs.map(each => each.next)), unit: 'ms' },
          limited('opening a box, median', median(opened), 'ms', 50),
          { label: 'opening a box, the longest', value: Math.max(...opened), unit: 'ms' },
        ];
      },
    },
    {
      name: 'page of pictures beside an editor',
      run: async ({ quick }) =>
        withScene(engine, await program(quick), async scene => [
          ...(await drawing(scene, quick)),
          ...(await heap(scene)),
          ...(await arrivals(scene, quick)),
          ...(await hintsBeside(scene, quick)),
        ]),
    },
  ];
}

const engine = await fetchEngine('chromium', line => console.error(`  engine | ${line}`));
if ('missing' in engine) console.error(`page: skipped, as there is no Chromium: ${engine.missing}`);

export const rows: readonly BenchRow[] = 'missing' in engine ? [] : rowsOf(engine);
