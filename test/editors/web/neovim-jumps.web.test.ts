// The page beside a running Neovim: sources open there at the line on screen, and the focus goes both ways.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { type Neovim, openNeovim } from '../../support/engines/neovim.ts';
import { hintsIn, luaErrors } from '../neovim/fake-session.ts';
import { shopConfig, shopFolder, shopLines, shopStore } from '../neovim/shop.ts';
import { partRows } from './rows-beside.ts';
import { type WatchedBrowser, watchedBrowser } from './watched-browser.ts';

const PATIENCE = { timeout: 40_000, interval: 50 };
const FILE = 'src/main/java/com/acme/shop/Shop.java';
const METHOD = 'com.acme.shop.Shop.search';
const OTHER = 'com.acme.shop.search.Ranker.score';
/** Line of the method's name, from 1. */
const LINE = shopLines(FILE).findIndex(line => /^ {4}[\w<>, ]+ search\(.*\{$/.test(line)) + 1;
/** In place of a browser. */
const OPENER = `vim.ui.open = function(address)
  _G.opened = address
  return vim.system({ 'true' })
end`;

needs('chromium', 'the page', chromium => needs('nvim012', 'beside Neovim', nvim => checkJumps(chromium, nvim)));

function checkJumps(chromium: Engine, nvim: Engine): void {
  const store = shopStore();
  let browser: WatchedBrowser;
  let neovim: Neovim;
  let page: Page;
  beforeAll(async () => {
    const env = { INSITU_STORE: store.folder, SSH_CONNECTION: '' };
    const config = `${OPENER}\n${shopConfig()}`;
    neovim = await openNeovim(nvim, { folder: shopFolder, files: [FILE], config, env });
    await neovim.until(`require('insitu').statusline():match('^insitu: [1-9]%d* hint')`);
    await neovim.lua(`vim.cmd('Insitu picture')`);
    await neovim.until('_G.opened');
    browser = await watchedBrowser(chromium);
    page = await browser.open(`${await neovim.lua<string>('return _G.opened')}&view=flame&amounts=count&library=no`);
    await page.locator('.picture canvas[data-drawn]').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await neovim?.close();
    store.remove();
  });

  const line = (): Promise<number> => neovim.lua(`return vim.fn.line('.')`);
  const hintAt = async (at: number): Promise<string> =>
    (await hintsIn(neovim, 1)).find(hint => hint.line === at)?.text ?? '';
  const selectMethod = async (): Promise<void> => {
    await page.locator(`.beside tbody button[aria-label^="${METHOD}("]`).first().click();
  };

  test('o moves the cursor to the method, also after an edit above it', async () => {
    expect(LINE).toBeGreaterThan(1);
    await selectMethod();
    await neovim.lua(`vim.fn.cursor(1, 1)`);
    await page.keyboard.press('o');
    await expect.poll(line, PATIENCE).toBe(LINE);
    await neovim.lua(`vim.api.nvim_buf_set_lines(0, 2, 2, false, { '// one', '// two', '// three' })`);
    // Neovim tells of edits a moment later.
    const jumped = async (): Promise<number> => {
      await neovim.lua(`vim.fn.cursor(1, 1)`);
      await page.keyboard.press('o');
      await neovim.until(`vim.fn.line('.') > 1`);
      return line();
    };
    await expect.poll(jumped, PATIENCE).toBe(LINE + 3);
    await neovim.lua(`vim.cmd.undo()`);
    await expect.poll(jumped, PATIENCE).toBe(LINE);
  });

  test('use as focus changes the hints in Neovim', async () => {
    expect(await hintAt(LINE)).not.toMatch(/^~?100%/);
    await selectMethod();
    await page.keyboard.press('u');
    await expect.poll(() => hintAt(LINE), PATIENCE).toMatch(/^~?100%/);
    const callees = async (): Promise<string[]> =>
      (await partRows(page)).filter(({ level }) => level === 1).map(({ name }) => name.replace(/\(.*/, ''));
    await expect.poll(callees, PATIENCE).toEqual([METHOD]);
  });

  test('a focus that is set in Neovim changes the page', async () => {
    await page.getByRole('button', { name: 'As the editor looks' }).click();
    await neovim.lua(`vim.cmd('Insitu focus ${OTHER}')`);
    await page.locator('.chip', { hasText: OTHER }).waitFor();
    await expect
      .poll(
        async () => (await partRows(page)).some(({ name, level }) => level <= 1 && name.startsWith(OTHER)),
        PATIENCE,
      )
      .toBe(true);
    expect(luaErrors(await neovim.messages())).toEqual([]);
  });
}
