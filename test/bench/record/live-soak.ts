// `npm run soak -- --live`: a server with hints and a page of pictures follow a recorder; the memory of both must stay where it is.
import { existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { InlayHintRefreshRequest } from 'vscode-languageserver/node';
import { buildPage } from '../../../.ci/page.ts';
import { fetchEngine } from '../../support/engines/engines.ts';
import { type LspClient, REFRESHING, startServer } from '../../support/insitu/lsp-client.ts';
import { median } from '../row.ts';
import { residentMiB, scratch, seconds, startRecorder } from './processes.ts';
import { Replay, sampleChunks } from './replay.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BUNDLE = join(ROOT, 'dist/bin/insitu-lsp.cjs');
const SOURCES = join(ROOT, 'samples/shop/v1');
const STEP_BYTES = 100_000;
const MINUTE = 60;
/** By then everything has been compiled and every cache has what it keeps. */
const SETTLED_MINUTES = 8;
const MOST_DEVIATION = 0.1;
const DOCUMENTS = 5;
/** The store keeps so many windows: what follows a recorder must not take more memory while the data do not grow. */
const MOST_WINDOWS = SETTLED_MINUTES;

/** Answers the server as an editor does that shows some files: new data, new hints. */
async function editor(store: string): Promise<{ readonly client: LspClient; readonly reloads: () => number }> {
  let [reloads, shown] = [0, 0];
  const client = await startServer({
    folders: [SOURCES],
    capabilities: REFRESHING,
    initializationOptions: { store, project: 'bench', program: 'shop', version: '1' },
    env: { SSH_CONNECTION: '' },
    prepare: connection =>
      connection.onRequest(InlayHintRefreshRequest.method, () => {
        reloads++;
        return null;
      }),
    ...(existsSync(BUNDLE) ? { start: [BUNDLE, '--stdio'] } : {}),
  });
  const files = globSync('src/main/java/com/acme/shop/**/*.java', { cwd: SOURCES }).sort().slice(0, DOCUMENTS);
  const uris = files.map(file => pathToFileURL(join(SOURCES, file)).href);
  for (const [at, file] of files.entries()) client.open(uris[at]!, readFileSync(join(SOURCES, file), 'utf8'));
  void (async () => {
    for (; client.process.exitCode === null; await seconds(0.1)) {
      if (shown === reloads) continue;
      shown = reloads;
      for (const uri of uris) await client.hints(uri).catch(() => []);
    }
  })();
  return { client, reloads: () => reloads };
}

/** MiB of the page's process: a browser has one for each page, and smaller ones in reserve that come and go. */
async function pageMiB(browser: CDPSession): Promise<number> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type, id }) => type === 'renderer' && existsSync(`/proc/${id}/status`));
  return Math.max(...renderers.map(({ id }) => residentMiB(id)));
}

async function openPage(client: LspClient): Promise<Browser> {
  const engine = await fetchEngine('chromium', line => console.error(`  engine | ${line}`));
  if ('missing' in engine) throw new Error(`no Chromium: ${engine.missing}`);
  const browser = await chromium.launch({
    executablePath: engine.program('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const page = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
  const { address } = await client.connection.sendRequest<{ address: string }>('insitu/viewAddress', {});
  await page.goto(`${address}&view=flame`);
  await page.locator('.picture canvas[data-drawn]').first().waitFor();
  return browser;
}

/** Removes the oldest windows as a store does whose data expire. @returns what is left, for people. */
function expire(folder: string): string {
  const all = globSync('store/**/*.cct', { cwd: folder }).map(name => join(folder, name));
  const byTime = all.sort((a, b) => Number.parseInt(basename(a), 10) - Number.parseInt(basename(b), 10));
  for (const path of byTime.slice(0, -MOST_WINDOWS)) rmSync(path);
  const left = byTime.slice(-MOST_WINDOWS);
  // The recorder may replace a window that is not closed yet.
  const bytes = left.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  return `${left.length} windows of ${(bytes / 1024).toFixed(0)} KiB`;
}

type Watched = { readonly name: string; readonly resident: () => Promise<number>; readonly minutes: number[] };

/** Whether each minute behind the settled ones is within the deviation of their mean. */
function isSteady({ name, minutes }: Watched): boolean {
  const settled = minutes.slice(Math.min(SETTLED_MINUTES, minutes.length >> 1));
  const mean = settled.reduce((sum, each) => sum + each, 0) / settled.length;
  const deviation = Math.max(...settled.map(each => Math.abs(each / mean - 1)));
  const range = `${Math.min(...settled).toFixed(0)} to ${Math.max(...settled).toFixed(0)} MiB`;
  const percent = `± ${(100 * deviation).toFixed(1)} %`;
  console.log(`${name}: ${range} in ${settled.length} minutes, ${percent} (wanted: ± ${100 * MOST_DEVIATION} %)`);
  return deviation <= MOST_DEVIATION;
}

/** @returns the exit status */
export async function liveSoak(minutes: number): Promise<number> {
  if (!existsSync(join(ROOT, 'dist/web/index.html'))) await buildPage(ROOT, join(ROOT, 'dist/web'));
  const folder = scratch();
  const store = join(folder, 'store');
  const replay = new Replay(join(folder, 'repository'), sampleChunks(), STEP_BYTES);
  replay.step();
  const place = ['--repository', join(folder, 'repository'), '--store', store, '--program', 'shop'];
  const recorder = startRecorder(folder, [...place, '--interval', '1m']);
  while (globSync('store/**/*.cct', { cwd: folder }).length === 0) {
    replay.step();
    await seconds(1);
  }
  const { client, reloads } = await editor(store);
  const browser = await openPage(client);
  try {
    const session = await browser.newBrowserCDPSession();
    const watched: Watched[] = [
      { name: 'server', resident: async () => residentMiB(client.process.pid!), minutes: [] },
      { name: 'page', resident: () => pageMiB(session), minutes: [] },
    ];
    for (let minute = 0; minute < minutes; minute++) {
      const samples = watched.map((): number[] => []);
      for (let second = 0; second < MINUTE; second++) {
        replay.step();
        await seconds(1);
        for (const [at, { resident }] of watched.entries()) samples[at]!.push(await resident());
      }
      for (const [at, each] of watched.entries()) each.minutes.push(median(samples[at]!));
      const now = watched.map(({ name, minutes: all }) => `${name} ${all.at(-1)!.toFixed(0)} MiB`).join(', ');
      console.log(`minute ${minute + 1}: ${now}, ${reloads()} reloads, ${expire(folder)}`);
    }
    return watched.map(isSteady).every(steady => steady) ? 0 : 1;
  } finally {
    await browser.close();
    await client.stop();
    await recorder.end();
  }
}
