// Measures the tracks of the timeline in Chromium: 1,000 threads by 1,440 windows, from the key to the first picture, rows that come into sight, and dragging.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import type { Cells, Profile } from '../../server/cct/profile.ts';
import { startView } from '../editors/web/view-process.ts';
import { type Engine, fetchEngine } from '../support/engines/engines.ts';
import { putProfile } from '../support/insitu/lsp-store.ts';
import { profileOfStacks } from '../support/profiles/profiles.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const THREADS = 1_000;
const WINDOWS = 1_440;
const QUICK_THREADS = 100;
const METHODS = ['acme.shop.Cart.add', 'acme.bank.Teller.book'];
const RUNS = 5;
const DRAGGED = '.track canvas[data-painted]';

/** Without digits, which would make one group of them. */
function letters(number: number): string {
  const of = (at: number): string => String.fromCharCode(97 + (at % 26));
  return `thread-${of(number / 676)}${of(number / 26)}${of(number)}`;
}

/** Each thread runs both methods in each window. */
function busyProfile(threads: number): Profile {
  const stacks = METHODS.map(method => ({ frames: [{ method, line: 1 }] }));
  const names = Array.from({ length: threads }, (_, at) => letters(at));
  const profile = profileOfStacks(stacks, { threads: names, windows: WINDOWS });
  const length = METHODS.length * threads * WINDOWS;
  const column = (of: (at: number) => number) => Int32Array.from({ length }, (_, at) => of(at));
  const count = Float64Array.from({ length }, (_, at) => 1 + (Math.imul(at, 0x9e3779b1) >>> 28));
  const cells: Cells = {
    length,
    node: column(at => 1 + Math.floor(at / (threads * WINDOWS))),
    thread: column(at => Math.floor(at / WINDOWS) % threads),
    line: column(() => 1),
    window: column(at => at % WINDOWS),
    ...{ count, weight: count, weightSquares: null },
  };
  return { ...profile, cells: [cells] };
}

/** Moves the pointer by some pixels a frame while its button is down; resolves with the milliseconds of each frame. */
const DRAG = `new Promise(done => {
  const rows = document.querySelector('.track-rows');
  const { left, width, top } = rows.getBoundingClientRect();
  const target = document.querySelector('${DRAGGED}');
  const send = (type, x) => target.dispatchEvent(new PointerEvent(type, {
    bubbles: true, button: 0, pointerId: 1, clientX: x, clientY: top + 40,
  }));
  rows.setPointerCapture = () => undefined;
  const frames = [];
  let [x, last] = [left + width * 0.3, performance.now()];
  send('pointerdown', x);
  const step = now => {
    frames.push(now - last);
    last = now;
    send('pointermove', x += 4);
    if (x < left + width * 0.9) requestAnimationFrame(step);
    else { send('pointerup', x); done(frames.slice(2)); }
  };
  requestAnimationFrame(now => { last = now; requestAnimationFrame(step); });
})`;

async function firstTracks(page: Page): Promise<number> {
  await page.keyboard.press('4');
  await page.locator('[aria-label="Table"] tbody tr').first().waitFor();
  const began = performance.now();
  await page.keyboard.press('6');
  await page.locator(DRAGGED).first().waitFor();
  return performance.now() - began;
}

/** From a jump to the last rows until they are painted. */
const SCROLLED = `new Promise(done => {
  const box = document.querySelector('.track-scroll');
  const began = performance.now();
  const look = () => {
    const canvas = [...document.querySelectorAll('.track canvas')].at(-1);
    const isLast = canvas.closest('.track').getAttribute('aria-posinset') === canvas.closest('.track').getAttribute('aria-setsize');
    if (isLast && canvas.dataset.painted !== undefined) done(performance.now() - began);
    else requestAnimationFrame(look);
  };
  box.scrollTop = box.scrollHeight;
  look();
})`;

/** How many bytes the answers about tracks had. */
const BYTES = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/ask'))
  .reduce((most, { encodedBodySize }) => Math.max(most, encodedBodySize), 0)`;

async function measured(engine: Engine, quick: boolean): Promise<BenchFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-tracks-'));
  const browser = await chromium.launch({
    executablePath: engine.program('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const threads = quick ? QUICK_THREADS : THREADS;
    await putProfile(folder, busyProfile(threads));
    const view = await startView('--store', folder, '--project', 'acme', '--program', 'shop');
    try {
      const page = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
      await page.goto(`${view.address}&view=table`);
      const first: number[] = [];
      for (let run = 0; run < RUNS; run++) first.push(await firstTracks(page));
      const rows = Number(await page.locator('.track').first().getAttribute('aria-setsize'));
      const bytes = await page.evaluate<number>(BYTES);
      const scrolled = await page.evaluate<number>(SCROLLED);
      const frames = (await page.evaluate<number[]>(DRAG)).toSorted((a, b) => a - b);
      return [
        { label: 'from the key to the first picture', value: median(first), unit: 'ms', limit: { most: 1000 } },
        { label: 'the longest of them', value: Math.max(...first), unit: 'ms' },
        { label: 'rows', value: rows, unit: 'rows', limit: { least: threads } },
        { label: 'the largest answer', value: bytes / 1e6, unit: 'MB', limit: { most: 5 } },
        { label: 'from a jump to the last rows until they are painted', value: scrolled, unit: 'ms' },
        {
          label: 'a frame of dragging, 95th percentile',
          ...{ value: frames[Math.ceil(frames.length * 0.95) - 1] ?? Number.NaN, unit: 'ms', limit: { most: 33 } },
        },
      ];
    } finally {
      view.end();
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

const engine = await fetchEngine('chromium', line => console.error(`  engine | ${line}`));
if ('missing' in engine) console.error(`tracks: skipped, as there is no Chromium: ${engine.missing}`);

export const rows: readonly BenchRow[] =
  'missing' in engine
    ? []
    : [{ name: `tracks of ${WINDOWS.toLocaleString('en')} windows`, run: ({ quick }) => measured(engine, quick) }];
