// Pictures of `insitu track` for the documentation: twelve commits of Apache Commons CSV with a planted slowdown, as a chart and as a blueprint.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Engine } from '../../support/engines/engines.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { plantedCommonsCsv } from '../../support/recordings/commons-csv.ts';
import { startViewIn } from './view-process.ts';

const COMMITS = 12;
const TEST = 'org.apache.commons.csv.CSVParserTest';
/** From a commit in the middle on that changes no test. */
const PLANT = {
  from: 'CSV-286',
  file: 'Lexer.java',
  at: '    Token nextToken(final Token token) throws IOException {',
  turns: 6_000,
};

type Report = {
  readonly benchmarks: readonly { readonly steps: readonly { found: boolean; before: string; commit: string }[] }[];
};

/** By name of the file. */
export async function trackPictures(csv: Engine, browserEngine: Engine): Promise<Map<string, string | Uint8Array>> {
  const home = mkdtempSync(join(tmpdir(), 'insitu-pictures-'));
  try {
    const folder = join(home, 'commons-csv');
    plantedCommonsCsv(folder, COMMITS, [PLANT]);
    const store = join(home, 'store');
    const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state'), INSITU_STORE: store };
    const track = (...args: readonly string[]) =>
      execFileSync(process.execPath, [insituProgram, 'track', '--program', 'csv', '--last', String(COMMITS), ...args], {
        ...{ cwd: folder, env, encoding: 'utf8' as const, stdio: ['ignore', 'pipe', 'inherit'] },
      });
    track('--tests', TEST, '--seconds', '3', '--maven', `mvn -o -Dmaven.repo.local=${join(csv.home, 'repository')}`);
    const chart = track('--report', '--format', 'svg');
    console.log(track('--report'));
    const { benchmarks }: Report = JSON.parse(track('--report', '--format', 'json'));
    const step = benchmarks.flatMap(({ steps }) => steps).find(({ found }) => found);
    if (step === undefined) throw new Error('no step was found');
    const instances = [0, 1, 2, 3, 4].flatMap(fork => ['--instance', `${TEST}-${fork}`]);
    const sides = ['--store', store, '--program', 'csv', ...instances, '--compare', step.before, step.commit];
    return new Map<string, string | Uint8Array>([
      ['track-commons-csv.svg', chart],
      ...(await blueprints(folder, browserEngine, sides)),
    ]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function blueprints(folder: string, engine: Engine, sides: readonly string[]): Promise<[string, Uint8Array][]> {
  const view = await startViewIn(folder, ...sides);
  const browser = await chromium.launch({
    executablePath: engine.program('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 640 } });
    await page.goto(view.address);
    const pictures: [string, Uint8Array][] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(4_000);
      pictures.push([`track-blueprint${colorScheme === 'dark' ? '-dark' : ''}.png`, await page.screenshot()]);
    }
    return pictures;
  } finally {
    await browser.close();
    view.end();
  }
}
