// The sample's real hints in a real Neovim: every line that must carry one does, with its text, and every other line carries none.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { type Neovim, openNeovim } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { hintsIn, luaErrors } from './fake-session.ts';
import { type ExpectedShop, expectedShop, shopConfig, shopFiles, shopFolder, shopStore } from './shop.ts';

/** Asks the server once more and waits for its answer: by then it has answered all that the plugin asked before. */
const barrier = `
  local client = vim.lsp.get_clients({ name = 'insitu' })[1]
  local last = vim.api.nvim_buf_line_count(0)
  local question = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = { line = 0, character = 0 }, ['end'] = { line = last, character = 0 } },
  }
  local answered = false
  local function answer() answered = true end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('textDocument/inlayHint', question, answer, 0)
  else
    client.request('textDocument/inlayHint', question, answer, 0)
  end
  return vim.wait(15000, function() return answered end, 10)`;

const loaded = `require('insitu').statusline():match('^insitu: %d+ hint')`;

needs('jdk17', 'hints of the sample', () => needs('jdk25', 'by the oracle', checkHints));

function checkHints(): void {
  let shop: ExpectedShop;
  let store: ReturnType<typeof shopStore>;
  beforeAll(() => {
    shop = expectedShop();
    store = shopStore();
  });
  afterAll(() => store?.remove());

  test('there are at least 60, and most lines have none', () => {
    const count = [...shop.values()].reduce((sum, lines) => sum + lines.length, 0);
    expect(count).toBeGreaterThanOrEqual(60);
    for (const file of shop.keys()) expect(shopFiles).toContain(file);
  });

  for (const engine of neovims())
    needs(engine, `in ${engine}`, program => {
      for (const native of [false, true])
        test(`stand where they must and nowhere else, drawn by ${native ? 'Neovim' : 'the plugin'}`, async () => {
          const neovim = await openShop(program, store.folder, native);
          try {
            // A hint that comes late to a file, and does not belong there, is seen when all files are looked at again.
            for (let round = 1; round <= 2; round++)
              for (const file of shopFiles) await expectHints(neovim, file, shop.get(file) ?? []);
            expect(luaErrors(await neovim.messages())).toEqual([]);
          } finally {
            await neovim.close();
          }
        });

      test('every file at once, in windows side by side, after a refresh', async () => {
        const neovim = await openShop(program, store.folder, false);
        try {
          const busiest = [...shop.keys()].sort((a, b) => shop.get(b)!.length - shop.get(a)!.length).slice(0, 4);
          for (const file of busiest) await neovim.lua(`vim.cmd.split(...)`, file);
          await neovim.lua(`vim.cmd('Insitu refresh')`);
          for (const file of busiest) {
            const buffer = await neovim.lua<number>(`return vim.fn.bufnr(...)`, file);
            await expect.poll(() => lineTexts(neovim, buffer), { timeout: 15_000 }).toEqual(shop.get(file));
          }
        } finally {
          await neovim.close();
        }
      });
    });
}

async function openShop(program: Engine, store: string, native: boolean): Promise<Neovim> {
  const neovim = await openNeovim(program, {
    folder: shopFolder,
    files: [shopFiles[0]!],
    // Neovim draws only what a window shows, so the window has to hold the longest file.
    config: `vim.o.lines = 200\n${shopConfig(`native = ${native}`)}`,
    env: { INSITU_STORE: store },
  });
  // The first file has hints as soon as the data are read.
  await neovim.until(`require('insitu').statusline():match('^insitu: [1-9]%d* hint')`);
  return neovim;
}

/** Shows a file and waits until all of its hints are drawn, and no others. */
async function expectHints(neovim: Neovim, file: string, wanted: readonly string[]): Promise<void> {
  await neovim.lua(`if vim.fn.expand('%') ~= ... then vim.cmd.edit(...) end`, file);
  await neovim.until(loaded);
  expect(await neovim.lua(barrier)).toBe(true);
  await expect.poll(() => lineTexts(neovim, 0), { message: file, timeout: 15_000, interval: 20 }).toEqual(wanted);
}

async function lineTexts(neovim: Neovim, buffer: number): Promise<string[]> {
  const hints = await hintsIn(neovim, buffer === 0 ? await neovim.lua<number>('return vim.fn.bufnr()') : buffer);
  return hints.map(({ line, text }) => `${line} ${text}`);
}
