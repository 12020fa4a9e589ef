// A real VS Code with a fresh profile: code-server with the packed extension installed, driven in Chromium.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, globSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Engine } from '../../support/engines/engines.ts';
import { deadline, patient } from '../../support/patience.ts';
import { freePorts } from '../../support/stores/free-ports.ts';

/** Long enough for a machine that does ten other things. */
const START_MILLIS = 120_000;

/** Without what moves, asks or reaches for the network. */
const QUIET_SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'remote.autoForwardPorts': false,
  'chat.disableAIFeatures': true,
  'window.commandCenter': false,
  'editor.fontFamily': 'DejaVu Sans Mono',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.stickyScroll.enabled': false,
  'editor.cursorBlinking': 'solid',
  'editor.autoIndent': 'none',
  'editor.autoClosingBrackets': 'never',
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.acceptSuggestionOnEnter': 'off',
  'editor.hover.delay': 100,
};

export type EditorEngines = { readonly vscode: Engine; readonly chromium: Engine };

export type EditorOptions = {
  /** Packed extensions. */
  readonly extensions: readonly string[];
  readonly folder: string;
  /** Below the folder. */
  readonly file: string;
  /** Path of a `.code-workspace` that is opened in place of the folder alone. */
  readonly workspace?: string;
  /** Folders are not trusted, and nobody is asked. */
  readonly restricted?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly settings?: object;
  readonly size?: { readonly width: number; readonly height: number };
};

export type Editor = {
  readonly page: Page;
  /** Everything that the extension and its server have logged. */
  readonly log: () => string;
  /** Loads the window anew with further user settings; nothing watches their file here. */
  readonly reload: (settings: object) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openEditor(engines: EditorEngines, options: EditorOptions): Promise<Editor> {
  const home = mkdtempSync(join(tmpdir(), 'insitu-vscode-'));
  const data = join(home, 'user-data');
  const writeSettings = (more: object): void => {
    const settings = { ...QUIET_SETTINGS, ...options.settings, ...more };
    mkdirSync(join(data, 'User'), { recursive: true });
    writeFileSync(join(data, 'User', 'settings.json'), JSON.stringify(settings));
  };
  writeSettings({});
  const places = ['--user-data-dir', data, '--extensions-dir', join(home, 'extensions')];
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    ...options.env,
  };
  const program = engines.vscode.program('code-server');
  const installed = options.extensions.flatMap(file => ['--install-extension', file]);
  if (installed.length > 0) execFileSync(program, [...places, ...installed], { env, stdio: 'pipe' });
  const [port = 0] = await freePorts(1);
  const log = join(home, 'code-server.log');
  const out = openSync(log, 'w');
  const trust = options.restricted === true ? [] : ['--disable-workspace-trust'];
  const args = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, ...places, ...trust];
  const quiet = [
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    '--ignore-last-opened',
  ];
  const server = spawn(program, [...args, ...quiet], { env, stdio: ['ignore', out, out], detached: true });
  closeSync(out);
  let browser: Browser | undefined;
  const close = async (): Promise<void> => {
    await browser?.close();
    await stopGroup(server);
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await listening(port, () => readFileSync(log, 'utf8'));
    browser = await chromium.launch({
      executablePath: engines.chromium.program('chromium'),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    const page = await browser.newPage({ viewport: options.size ?? { width: 1300, height: 900 } });
    page.setDefaultTimeout(patient(30_000));
    const file = `vscode-remote://127.0.0.1:${port}${join(options.folder, options.file)}`;
    const payload = encodeURIComponent(JSON.stringify([['openFile', file]]));
    const place = options.workspace === undefined ? `folder=${options.folder}` : `workspace=${options.workspace}`;
    await page.goto(`http://127.0.0.1:${port}/?${place}&payload=${payload}`, { timeout: patient(START_MILLIS) });
    const text = page.locator('.monaco-editor .view-line').first();
    await text.waitFor({ timeout: patient(START_MILLIS) });
    const reload = async (more: object): Promise<void> => {
      writeSettings(more);
      await page.reload({ timeout: patient(START_MILLIS) });
      await text.waitFor({ timeout: patient(START_MILLIS) });
    };
    return { page, log: () => extensionLog(data), reload, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function extensionLog(data: string): string {
  const files = globSync('logs/**/insitu.insitu/*.log', { cwd: data }).sort();
  return files.map(file => readFileSync(join(data, file), 'utf8')).join('');
}

/** Its processes are a group of their own, so that its extension host and our server end with it. */
async function stopGroup(server: ChildProcess): Promise<void> {
  const { pid } = server;
  if (pid === undefined) return;
  const ended = new Promise(resolve => server.once('exit', resolve));
  signal(pid, 'SIGTERM');
  await Promise.race([ended, sleep(5_000)]);
  signal(pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function listening(port: number, log: () => string): Promise<void> {
  const isOver = deadline(START_MILLIS);
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.ok === true) return;
    if (isOver()) throw new Error(`code-server does not listen:\n${log()}`);
    await sleep(100);
  }
}

/** A hint as it is drawn: its line (from 1), its words, whether a picture stands behind them, and its colour. */
export type DrawnHint = {
  readonly line: number;
  readonly text: string;
  readonly picture: boolean;
  readonly colour: string;
};

/** The hints behind the code of all lines on screen, by the style that the browser computed. */
export function drawnHints(page: Page): Promise<DrawnHint[]> {
  return page.evaluate<DrawnHint[]>(IN_PAGE);
}

/** Colours in the middle of the overview ruler from top to bottom, a row of pixels each, as `rgb(1, 2, 3)`; rows without one are left out. */
export function rulerColours(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const canvas = document.querySelector('.editor-instance .monaco-editor canvas.decorationsOverviewRuler');
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(Math.floor(width / 2), 0, 1, height);
    return Array.from({ length: height }, (_, y) => [...data.slice(4 * y, 4 * y + 4)])
      .filter(([, , , alpha]) => alpha === 255)
      .map(([red, green, blue]) => 'rgb(' + [red, green, blue].join(', ') + ')');
  })()`);
}

/** Resolves when the first hint is on screen. */
export async function someHint(page: Page): Promise<void> {
  for (const isOver = deadline(START_MILLIS); (await drawnHints(page)).length === 0; await sleep(20))
    if (isOver()) throw new Error('no hint has come');
}

/** Runs in the page, which has types of its own. */
const IN_PAGE = `(() => {
  const editor = document.querySelector('.editor-instance .monaco-editor');
  const numbers = new Map();
  for (const row of editor?.querySelectorAll('.margin-view-overlays > div') ?? [])
    numbers.set(row.style.top, Number(row.querySelector('.line-numbers')?.textContent));
  const drawn = [];
  for (const row of editor?.querySelectorAll('.view-line') ?? []) {
    let [text, colour, picture] = ['', '', false];
    for (const span of row.querySelectorAll('span')) {
      const { content, color } = getComputedStyle(span, '::after');
      // Words stand before the picture.
      if (content.startsWith('"') && !picture) {
        text += content.slice(1, -1);
        colour = color;
      }
      if (content.startsWith('url(')) picture = true;
    }
    if (text !== '' || picture) drawn.push({ line: numbers.get(row.style.top) ?? 0, text, picture, colour });
  }
  return drawn.sort((a, b) => a.line - b.line);
})()`;
