// Measures typing in real editors with hints: from a keystroke to the hints that follow it, and what insitu adds to the editor's own delays.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildVsix } from '../../.ci/vsix.ts';
import { shopConfig } from '../editors/neovim/shop.ts';
import { goToLine } from '../editors/vscode/driving.ts';
import { type EditorEngines, openEditor, someHint } from '../editors/vscode/editor.ts';
import { type Engine, fetchEngine } from '../support/engines/engines.ts';
import { type Neovim, openNeovim } from '../support/engines/neovim.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { putProfile } from '../support/insitu/lsp-store.ts';
import { deadline } from '../support/patience.ts';
import { hotProgram } from './lsp-program.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';
import { FLOOR_HINT, floorVsix } from './vscode-floor.ts';

const NODES = 2_170_000;
const QUICK_NODES = 200_000;
const FILE = 'Hot.java';
/** Both editors wait so long without a change before they ask for hints. */
const DEBOUNCE_MILLIS = 150;
const KEYSTROKES = 200;
const QUICK_KEYSTROKES = 10;
/** Twenty characters a second, with a pause after each second, in which hints come. */
const TYPED = 400;
const QUICK_TYPED = 40;
const BETWEEN_KEYS_MILLIS = 50;
const PAUSE_MILLIS = 400;
const HINT_LIMIT_MILLIS = 50;

/** Methods of the file, of 13 lines each; the first begins in line 3. So many make 5,000 lines, which Neovim asks for as a whole. */
const METHODS = 384;
const bodyLine = (method: number): number => 3 + 13 * method + 5;

type Program = {
  readonly text: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => void;
};

/** The file in git, recorded at its commit. */
async function program(quick: boolean): Promise<Program> {
  const { profile, text: whole } = hotProgram(quick ? QUICK_NODES : NODES);
  const text = [...whole.split('\n').slice(0, 2 + 13 * METHODS), '}', ''].join('\n');
  const scratch = new ScratchRepository();
  const settings = { project: 'acme', program: 'shop' };
  const version = scratch.commit({ [FILE]: text, 'insitu.json': JSON.stringify(settings) });
  const store = join(scratch.home, 'store');
  await putProfile(store, profile, { version });
  return { text, folder: scratch.root, env: { ...scratch.env, INSITU_STORE: store }, remove: () => scratch.remove() };
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/** Milliseconds from keystrokes to their hints, without the debounce. */
function hintFigures(millis: readonly number[]): BenchFigure[] {
  const label = 'keystroke to hints, beyond the debounce';
  return [
    { label: `${label}, median`, value: median(millis), unit: 'ms' },
    {
      label: `${label}, 99th percentile`,
      value: percentile(millis, 0.99),
      unit: 'ms',
      limit: { most: HINT_LIMIT_MILLIS },
    },
  ];
}

/** Milliseconds from keystrokes to hints that cost nothing: what VS Code itself needs. */
function floorFigures(decoration: readonly number[], inlay: readonly number[]): BenchFigure[] {
  const both = (label: string, millis: readonly number[]): BenchFigure[] => [
    { label: `${label}, median`, value: median(millis), unit: 'ms' },
    { label: `${label}, 99th percentile`, value: percentile(millis, 0.99), unit: 'ms' },
  ];
  return [
    ...both('keystroke to one decoration of an extension that asks nobody, beyond the same debounce', decoration),
    ...both('keystroke to inlay hints of a provider that answers at once, with the debounce of the editor', inlay),
  ];
}

/** What a person feels while typing. */
type Felt = {
  /** From each key to its character. */
  readonly echoes: readonly number[];
  /** The longest time in which the editor did nothing else. */
  readonly stall: number;
};

function typingFigures(withHints: Felt, without: Felt): BenchFigure[] {
  const both = (label: string, of: (felt: Felt) => number): BenchFigure[] => [
    { label: `${label}, with hints`, value: of(withHints), unit: 'ms' },
    { label: `${label}, without insitu`, value: of(without), unit: 'ms' },
  ];
  return [
    ...both('20 characters a second: key to character, 99th percentile', ({ echoes }) => percentile(echoes, 0.99)),
    ...both('the longest of them', ({ echoes }) => Math.max(...echoes)),
    ...both('the longest stall of the editor', ({ stall }) => stall),
  ];
}

/** Notes when text changes, when hints of it are on screen, and how long the main loop was kept from its timer. */
const WATCH = `
  bench = { edits = {}, drawn = 0, stall = 0 }
  local now = function() return vim.uv.hrtime() / 1e6 end
  vim.api.nvim_buf_attach(0, false, { on_lines = function() table.insert(bench.edits, now()) end })
  local last
  bench.timer = vim.uv.new_timer()
  bench.timer:start(0, 1, function()
    local at = now()
    if last then bench.stall = math.max(bench.stall, at - last - 1) end
    last = at
  end)
  local has_plugin, draw = pcall(require, 'insitu.draw')
  if has_plugin then
    local replace = draw.replace
    draw.replace = function(...)
      replace(...)
      vim.cmd.redraw()
      bench.drawn, bench.drawn_at = bench.drawn + 1, now()
    end
  end`;

const monotonicMillis = (): number => Number(process.hrtime.bigint()) / 1e6;

async function neovimWith(engine: Engine, { folder, env }: Program, config: string): Promise<Neovim> {
  const neovim = await openNeovim(engine, { folder, files: [FILE], config, env });
  await neovim.attachScreen(120, 50);
  if (config !== '') await neovim.until(`require('insitu').statusline():match('^insitu: [1-9]%d* hint')`);
  await neovim.lua(WATCH);
  return neovim;
}

/** To the end of a line of a method's body, ready to type. */
async function enterMethod(neovim: Neovim, method: number): Promise<void> {
  await neovim.press(`<Esc>${bodyLine(method)}GA`);
  await neovim.until(`vim.api.nvim_get_mode().mode == 'i' and vim.fn.line('.') == ${bodyLine(method)}`);
}

async function hintsInNeovim(neovim: Neovim, rounds: number): Promise<number[]> {
  const millis: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await enterMethod(neovim, (round * 37) % METHODS);
    await sleep(PAUSE_MILLIS);
    const before = await neovim.lua<number>('return bench.drawn');
    await neovim.press(' ');
    await neovim.until(`bench.drawn > ${before}`);
    // Later answers to the same text, such as that of newer data, are not meant.
    millis.push(await neovim.lua<number>(`return bench.drawn_at - bench.edits[#bench.edits] - ${DEBOUNCE_MILLIS}`));
  }
  return millis;
}

async function typeInNeovim(neovim: Neovim, count: number): Promise<Felt> {
  await enterMethod(neovim, METHODS / 2);
  await sleep(PAUSE_MILLIS);
  await neovim.lua('bench.edits, bench.stall = {}, 0');
  const pressed: number[] = [];
  for (let key = 0; key < count; key++) {
    pressed.push(monotonicMillis());
    await neovim.press('x');
    await sleep(key % 20 === 19 ? PAUSE_MILLIS : BETWEEN_KEYS_MILLIS);
  }
  const edits = await neovim.lua<number[]>('return bench.edits');
  if (edits.length !== count) throw new Error(`${count} keys made ${edits.length} edits`);
  return { echoes: edits.map((at, key) => at - pressed[key]!), stall: await neovim.lua<number>('return bench.stall') };
}

async function measureNeovim(engine: Engine, quick: boolean): Promise<BenchFigure[]> {
  const shown = await program(quick);
  try {
    const count = quick ? QUICK_TYPED : TYPED;
    const withHints = await neovimWith(engine, shown, shopConfig());
    const millis = await hintsInNeovim(withHints, quick ? QUICK_KEYSTROKES : KEYSTROKES);
    const felt = await typeInNeovim(withHints, count);
    await withHints.close();
    const without = await neovimWith(engine, shown, '');
    const bare = await typeInNeovim(without, count);
    await without.close();
    return [...hintFigures(millis), ...typingFigures(felt, bare)];
  } finally {
    shown.remove();
  }
}

/**
 * Types into the text that has the focus; the page notes keys, characters and frames itself. Resolves with what a person feels.
 * KEYS, BETWEEN and PAUSE are put in.
 */
const FELT_IN_PAGE = `(() => {
  const echoes = [];
  let [pressed, before, stall, last] = [null, '', 0, null];
  const text = () => document.querySelector('.editor-instance .monaco-editor .view-lines').textContent;
  addEventListener('keydown', () => { [pressed, before] = [performance.now(), text()]; }, true);
  const frame = now => {
    if (last !== null) stall = Math.max(stall, now - last);
    last = now;
    if (pressed !== null && text() !== before) {
      echoes.push(performance.now() - pressed);
      pressed = null;
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  globalThis.insituFelt = { begin: () => { echoes.length = 0; stall = 0; }, end: () => ({ echoes, stall }) };
})()`;

/** The words behind the lines on screen: those of decorations are content of styles, those of inlay hints are text. */
const DECORATIONS = `[...editor.querySelectorAll('.view-line span')]
  .map(span => getComputedStyle(span, '::after').content)
  .filter(content => content.startsWith('"'))
  .join()`;
const INLAY_HINTS = `(editor.querySelector('.view-lines').textContent.match(${FLOOR_HINT}g) ?? []).join()`;

/** Notes when the words behind the lines on screen are others than at the latest key. */
const hintsInPage = (words: string): string => `(() => {
  const editor = document.querySelector('.editor-instance .monaco-editor');
  const drawn = () => ${words};
  let [pressed, before, changed] = [null, '', null];
  addEventListener('keydown', () => { [pressed, before, changed] = [performance.now(), drawn(), null]; }, true);
  const frame = () => {
    if (pressed !== null && changed === null && drawn() !== before) changed = performance.now() - pressed;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  globalThis.insituHints = () => changed;
})()`;

/** A line with one call, in the middle of the file. */
const CALL = /^ {4}it\.hot\d+\(\);$/;

type Window = Awaited<ReturnType<typeof openEditor>>;

/** Milliseconds from keys to hints. */
async function hintsInVsCode({ page }: Window, text: string, rounds: number, words = DECORATIONS): Promise<number[]> {
  await page.evaluate(hintsInPage(words));
  const millis: number[] = [];
  const lines = text.split('\n');
  const line = lines.findIndex((each, at) => at > lines.length / 2 && CALL.test(each)) + 1;
  // Behind the first letter of the name.
  await goToLine(page, line, 9);
  for (let round = 0; round < rounds; round++) {
    await sleep(PAUSE_MILLIS + ((round * 13) % 100));
    // A character more makes it the call of another method, which never ran; taking it away brings the hint back.
    await page.keyboard.press(round % 2 === 0 ? 'x' : 'Backspace');
    let changed: number | null = null;
    for (const isOver = deadline(20_000); changed === null; await sleep(50)) {
      if (isOver()) throw new Error('an edit changes no hint');
      changed = await page.evaluate<number | null>('globalThis.insituHints()');
    }
    millis.push(changed);
  }
  return millis;
}

async function typeInVsCode({ page }: Window, count: number): Promise<Felt> {
  await page.evaluate(FELT_IN_PAGE);
  await goToLine(page, bodyLine(METHODS / 2), 5);
  await sleep(PAUSE_MILLIS);
  await page.evaluate('globalThis.insituFelt.begin()');
  for (let key = 0; key < count; key++) {
    await page.keyboard.press('x');
    await sleep(key % 20 === 19 ? PAUSE_MILLIS : BETWEEN_KEYS_MILLIS);
  }
  const felt = await page.evaluate<Felt>('globalThis.insituFelt.end()');
  if (felt.echoes.length < count * 0.9) throw new Error(`${count} keys made ${felt.echoes.length} characters`);
  return felt;
}

async function measureVsCode(engines: EditorEngines, quick: boolean): Promise<BenchFigure[]> {
  const shown = await program(quick);
  try {
    const count = quick ? QUICK_TYPED : TYPED;
    const vsix = join(shown.folder, '..', 'insitu.vsix');
    await buildVsix(vsix);
    const within = async <T>(extensions: readonly string[], work: (window: Window) => Promise<T>): Promise<T> => {
      const window = await openEditor(engines, { folder: shown.folder, file: FILE, env: shown.env, extensions });
      return work(window).finally(window.close);
    };
    const keys = quick ? QUICK_KEYSTROKES : KEYSTROKES;
    const [millis, felt] = await within([vsix], async window => {
      await someHint(window.page);
      const found = await hintsInVsCode(window, shown.text, keys);
      return [found, await typeInVsCode(window, count)] as const;
    });
    const home = join(shown.folder, '..');
    const floor = await within([floorVsix('decoration', home, DEBOUNCE_MILLIS)], async window => {
      await someHint(window.page);
      return hintsInVsCode(window, shown.text, keys);
    });
    const inlay = await within([floorVsix('inlay', home, DEBOUNCE_MILLIS)], async window => {
      await window.page.locator('.view-line', { hasText: FLOOR_HINT }).first().waitFor();
      return hintsInVsCode(window, shown.text, keys, INLAY_HINTS);
    });
    const bare = await within([], window => typeInVsCode(window, count));
    const beyond = (all: readonly number[]): number[] => all.map(each => each - DEBOUNCE_MILLIS);
    return [...hintFigures(beyond(millis)), ...floorFigures(beyond(floor), inlay), ...typingFigures(felt, bare)];
  } finally {
    shown.remove();
  }
}

async function engineOf(name: 'nvim012' | 'vscode' | 'chromium'): Promise<Engine | null> {
  const engine = await fetchEngine(name, line => console.error(`  engine | ${line}`));
  if (!('missing' in engine)) return engine;
  console.error(`editors: ${name} is missing: ${engine.missing}`);
  return null;
}

const [nvim, vscode, browser] = [await engineOf('nvim012'), await engineOf('vscode'), await engineOf('chromium')];

/** Minutes: each keystroke waits for its hints. */
const onlyLong =
  (run: (quick: boolean) => Promise<BenchFigure[]>): BenchRow['run'] =>
  async ({ quick, long = false }) =>
    long ? run(quick) : [];

export const rows: readonly BenchRow[] = [
  ...(nvim === null
    ? []
    : [{ name: 'typing in Neovim 0.12, 5,000 lines', run: onlyLong(quick => measureNeovim(nvim, quick)) }]),
  ...(vscode === null || browser === null
    ? []
    : [
        {
          name: 'typing in VS Code, 5,000 lines',
          run: onlyLong(quick => measureVsCode({ vscode, chromium: browser }, quick)),
        },
      ]),
];
