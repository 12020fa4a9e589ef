// Code lenses drawn by Neovim, their commands run in floating windows, and news of data: what the plugin adds to Neovim's own.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { shopAnswers } from './fake-answers.ts';
import { type FakeSession, luaErrors, openFake } from './fake-session.ts';
import { floatingWith } from './floating.ts';

const text = [
  'class Shop { // hint 0.62 62%',
  '  void search() { } // lens insitu.callers 3 callers',
  '  void take() { } // lens insitu.focus focus here',
  '}',
  '',
].join('\n');

/** The texts in Neovim's own namespaces of lenses, in 0.12 above the line, before that behind it. */
const readLenses = `
  vim.cmd('redraw!')
  local seen = {}
  for name, namespace in pairs(vim.api.nvim_get_namespaces()) do
    if name:match('codelens:') then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(1, namespace, 0, -1, { details = true })) do
        local chunks = mark[4].virt_text or mark[4].virt_lines[1]
        local parts = vim.tbl_map(function(chunk) return chunk[1] end, chunks)
        seen[#seen + 1] = (mark[2] + 1) .. ' ' .. vim.trim(table.concat(parts))
      end
    end
  end
  return seen`;

for (const engine of ['nvim010', 'nvim012'] as const)
  needs(engine, `lenses and news in ${engine}`, program => {
    const lensesOf = (session: FakeSession): Promise<string[]> => session.lua<string[]>(readLenses);
    const lenses = ['2 3 callers', '3 focus here'];

    test('lenses are off by default; the option shows them, tells the server, and takes them off again', async () => {
      const session = await openFake(program, text);
      await session.settle(['1 62%']);
      expect(await lensesOf(session)).toEqual([]);
      await session.lua(`require('insitu').setup({ codelens = true })`);
      await expect.poll(() => lensesOf(session), { timeout: 5000 }).toEqual(lenses);
      await expect
        .poll(() => session.seen('settings').at(-1)?.details)
        .toEqual({ insitu: { lenses: { enabled: true } } });
      await session.lua(`vim.api.nvim_buf_set_lines(1, 0, 0, false, { '// one' })`);
      await session.lua(`vim.api.nvim_exec_autocmds('TextChanged', { buffer = 1 })`);
      await expect.poll(() => lensesOf(session), { timeout: 5000 }).toEqual(['3 3 callers', '4 focus here']);
      await session.lua(`require('insitu').setup({ codelens = false })`);
      await expect.poll(() => lensesOf(session), { timeout: 5000 }).toEqual([]);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('a lens of a page opens the floating window, another one is run by the server', async () => {
      const session = await openFake(program, text, { options: 'codelens = true', answers: shopAnswers });
      await expect.poll(() => lensesOf(session), { timeout: 5000 }).toEqual(lenses);
      await session.lua(`vim.api.nvim_win_set_cursor(0, { 2, 0 }) vim.lsp.codelens.run()`);
      await floatingWith(session, 'callers of Shop.search(String)  62% · 140 of 226 samples');
      expect(session.seen('ask').at(-1)?.details).toMatchObject({ params: { position: { line: 1, character: 2 } } });
      await session.lua(`vim.cmd.close() vim.api.nvim_win_set_cursor(0, { 3, 0 }) vim.lsp.codelens.run()`);
      await expect.poll(() => session.seen('command').at(-1)?.details).toMatchObject({ command: 'insitu.focus' });
    });

    test('the plugin asks to be told of new data, and then asks for hints and status anew', async () => {
      const session = await openFake(program, `${text}// order changed 300\n`, {
        status: { sources: [{ state: 'ready', problems: [], text: 'shop', focus: [], baseline: '1.2' }], text: 'shop' },
      });
      await session.settle(['1 62%']);
      expect(session.seen('experimental')).toEqual([{ event: 'experimental', details: { dataChanged: true } }]);
      await session.until(`require('insitu').statusline() == 'insitu: 1 hint vs 1.2'`);
      await expect.poll(() => session.seen('question').length, { timeout: 5000 }).toBeGreaterThan(2);
      expect(await session.messages()).toBe('');
    });

    test('a long focus is cut in the status line', async () => {
      const focus = ['com.acme.shop.search.TextIndex#search', 'com.acme.Shop#take'];
      const session = await openFake(program, `${text}// order changed 100\n`, {
        status: { sources: [{ state: 'ready', problems: [], text: 'shop', focus, baseline: null }], text: 'shop' },
      });
      await session.until(`require('insitu').statusline() == 'insitu: 1 hint of TextIndex#search + Shop…'`);
    });

    test('the health check tells what is looked at, how it is drawn, and what the server lacks', async () => {
      const session = await openFake(program, `${text}// order changed 100\n`, {
        options: `marks = { 'text', 'sign' }, codelens = true`,
        after: `vim.o.signcolumn = 'no' vim.o.termguicolors = true`,
        status: {
          sources: [{ state: 'ready', problems: [], text: 'shop 1.4', focus: ['Shop.search'], baseline: '1.2' }],
          text: 'shop 1.4',
        },
      });
      await session.until(`require('insitu').statusline():find('vs 1.2', 1, true)`);
      await session.lua(`vim.cmd('checkhealth insitu')`);
      const report = await session.lua<string>(
        `return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')`,
      );
      for (const line of [
        'the 100 %: Shop.search',
        'compared with: 1.2',
        'hints are drawn as text, sign; scale of heat: root',
        'code lenses are shown',
        "OK colours are exact ('termguicolors')",
        `WARNING the option marks has "sign", but 'signcolumn' is "no"`,
        'WARNING the server does not know insitu.callees, insitu.executions, insitu.heaviestPath, insitu.moved, ',
      ])
        expect(report).toContain(line);
    });
  });
