// A Java server behind `insitu lsp --wrap` that the user starts: the plugin draws and asks through it, and starts no second server.
import { expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { shopAnswers } from './fake-answers.ts';
import { type FakeOptions, hintsIn, luaErrors, openFake } from './fake-session.ts';
import { floatingWith } from './floating.ts';

/** Two hints of insitu's and one of the Java server's. */
const text = [
  'class Shop {',
  '  void search(String what) { // hint 0.62 62%',
  '    find(what, 5); // hint 0.3 41%',
  '    take(what); // hint 0 name: // data {"heat":null}',
  '  }',
  '}',
  '',
].join('\n');

/** The user's own configuration of the Java server. */
const java = `
  vim.lsp.inlay_hint.enable(true)
  local given = require('insitu.settings').current.cmd
  vim.api.nvim_create_autocmd('FileType', { pattern = 'java', callback = function()
    vim.defer_fn(function() vim.lsp.start({ name = 'java', cmd = given, root_dir = vim.fn.getcwd() }) end, DELAY)
  end })`;

const clients = `return vim.tbl_map(function(client) return client.name end, vim.lsp.get_clients())`;

for (const engine of ['nvim010', 'nvim012'] as const)
  needs(engine, `an adopted server in ${engine}`, program => {
    for (const delay of [0, 1500])
      test(`draws each hint once, asks through it and starts no other, ${delay} ms after the file was opened`, async () => {
        const session = await open(program, delay);
        const drawn = async (): Promise<Record<string, string>> =>
          Object.fromEntries(
            (await hintsIn(session, 1)).map(({ line, text: words, group }) => [`${line} ${words}`, group]),
          );
        await expect.poll(drawn, { timeout: 30_000 }).toEqual({
          '2 62%': 'InsituHeat4',
          '3 41%': 'InsituHeat3',
          '4 name:': 'LspInlayHint',
        });
        await expect.poll(() => session.lua(clients), { timeout: 30_000 }).toEqual(['java']);
        await session.until(`require('insitu').statusline() == 'insitu: 2 hints'`);
        await session.lua(`vim.api.nvim_win_set_cursor(0, { 2, 8 }) vim.cmd('Insitu threads')`);
        await floatingWith(session, 'threads of Shop.search(String)  62% · 140 of 226 samples');
        await session.lua(`vim.cmd('close')`);
        // Typing asks anew, and still nothing stands twice.
        await session.lua(`vim.api.nvim_buf_set_lines(1, 0, 0, false, { '// one more' })`);
        await expect
          .poll(async () => Object.keys(await drawn()).sort(), { timeout: 30_000 })
          .toEqual(['3 62%', '4 41%', '5 name:']);
        await session.lua(`vim.cmd('Insitu disable')`);
        await expect.poll(async () => Object.keys(await drawn()), { timeout: 30_000 }).toEqual(['5 name:']);
        expect(await session.lua(`return vim.fn.execute('Insitu status')`)).toContain('server behind "java" runs in');
        expect(luaErrors(await session.messages())).toEqual([]);
      });

    test('with the option native Neovim draws all of them', async () => {
      const session = await open(program, 0, { options: 'native = true' });
      const drawn = async (): Promise<string[]> =>
        (await hintsIn(session, 1)).map(({ line, text: words, group }) => `${line} ${words} ${group}`);
      await expect
        .poll(drawn, { timeout: 30_000 })
        .toEqual(['2 62% LspInlayHint', '3 41% LspInlayHint', '4 name: LspInlayHint']);
      expect(luaErrors(await session.messages())).toEqual([]);
    });
  });

function open(program: Engine, delay: number, options: FakeOptions = {}) {
  return openFake(program, text, { answers: shopAnswers, after: java.replace('DELAY', `${delay}`), ...options });
}
