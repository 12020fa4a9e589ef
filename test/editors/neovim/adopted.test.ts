// A Java server behind `insitu lsp --wrap` that the user starts: the plugin draws and asks through it, and starts no second server.
import { expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
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

for (const engine of neovims())
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

    test('where it exits the own server takes its open buffers, until it is there again', async () => {
      const session = await open(program, 0);
      await session.until(`require('insitu').statusline() == 'insitu: 2 hints'`);
      // The own server may be starting still.
      const all = clients.replace('get_clients()', 'get_clients({ _uninitialized = true })');
      await expect.poll(() => session.lua(all), { timeout: 30_000 }).toEqual(['java']);
      await session.lua(`local client = vim.lsp.get_clients()[1]
        javas = { name = 'java', cmd = client.config.cmd, root_dir = client.config.root_dir }
        require('insitu.client').call(client, 'stop', true)`);
      await expect.poll(() => session.lua(clients), { timeout: 30_000 }).toEqual(['insitu']);
      // All three are drawn by the plugin now.
      await session.until(`require('insitu').statusline() == 'insitu: 3 hints'`);
      await session.lua(`vim.lsp.start(javas, { bufnr = 1 })`);
      await expect.poll(() => session.lua(clients), { timeout: 30_000 }).toEqual(['java']);
      await session.until(`require('insitu').statusline() == 'insitu: 2 hints'`);
      // Where the user has stopped insitu, no other server comes.
      await session.lua(`vim.cmd('Insitu stop') require('insitu.client').call(vim.lsp.get_clients()[1], 'stop', true)`);
      await expect.poll(() => session.lua(clients), { timeout: 30_000 }).toEqual([]);
      await new Promise(resolve => setTimeout(resolve, 300));
      expect(await session.lua(clients)).toEqual([]);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('a server that gives another answer each time is not asked without end', async () => {
      const session = await openFake(program, text.replace('name:', 'name %turn:'), {
        answers: shopAnswers,
        after: java.replace('DELAY', '0'),
      });
      await session.until(`require('insitu').statusline() == 'insitu: 2 hints'`);
      const asked = () => session.seen('question').length;
      await expect.poll(async () => (await hintsIn(session, 1)).length, { timeout: 30_000 }).toBe(3);
      await session.lua(
        `vim.lsp.inlay_hint.enable(false, { bufnr = 1 }) vim.lsp.inlay_hint.enable(true, { bufnr = 1 })`,
      );
      let before = -1;
      await expect
        .poll(
          () => {
            const more = asked() - before;
            before += more;
            return more;
          },
          { timeout: 15_000, interval: 700 },
        )
        .toBe(0);
      expect(asked()).toBeLessThan(20);
      // The next text gets its answer.
      await session.lua(`vim.api.nvim_buf_set_lines(1, 0, 0, false, { '// one more' })`);
      await expect.poll(asked, { timeout: 15_000 }).toBeGreaterThan(before);
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
