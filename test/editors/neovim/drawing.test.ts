// The plugin draws what the server answers, moves it with the text, and drops what came too late.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { hintsIn, luaErrors, openFake } from './fake-session.ts';

const text = [
  'class A {',
  '  void run() { // hint 0.95 62% · self 4%',
  '    take(); // hint 0.3 41% → Queue',
  '    idle();',
  '  }',
  '}',
  '',
].join('\n');
type Range = { readonly start: { readonly line: number }; readonly end: { readonly line: number } };

const asOpened = ['2 62% · self 4%', '3 41% → Queue'];

for (const engine of ['nvim010', 'nvim012'] as const)
  needs(engine, `drawing in ${engine}`, neovim => {
    test('hints stand at the ends of their lines, coloured by heat', async () => {
      const session = await openFake(neovim, text);
      await session.settle(asOpened);
      expect((await hintsIn(session, 1)).map(({ group }) => group)).toEqual(['InsituHeat5', 'InsituHeat3']);
      const places = await session.lua<string[]>(
        `return vim.tbl_map(function(mark) return mark[4].virt_text_pos end,
          vim.api.nvim_buf_get_extmarks(1, vim.api.nvim_create_namespace('insitu.hints'), 0, -1, { details = true }))`,
      );
      expect(places).toEqual(['eol', 'eol']);
      expect(await session.messages()).toBe('');
    });

    test('hints move with the text before the server answers', async () => {
      const session = await openFake(neovim, text, { options: 'settings = {}' });
      await session.settle(asOpened);
      const questions = session.seen('question').length;
      const moved = await session.lua<string[]>(
        `vim.api.nvim_buf_set_lines(1, 0, 0, false, { '// one', '// two' })
        return vim.tbl_map(function(mark) return (mark[2] + 1) .. mark[4].virt_text[2][1] end,
          vim.api.nvim_buf_get_extmarks(1, vim.api.nvim_create_namespace('insitu.hints'), 0, -1, { details = true }))`,
      );
      expect(moved).toEqual(['462% · self 4%', '541% → Queue']);
      expect(session.seen('question')).toHaveLength(questions);
      await session.settle(['4 62% · self 4%', '5 41% → Queue']);
    });

    test('a line break typed in front of the code takes the hint along; a deleted line loses it; undo brings it back', async () => {
      const session = await openFake(neovim, text, { options: 'debounce_ms = 60000' });
      await session.settle(asOpened);
      await session.lua(`vim.api.nvim_win_set_cursor(0, { 3, 2 }) vim.cmd.normal({ 'i\\r', bang = true })`);
      expect(await session.hints()).toEqual(['2 62% · self 4%', '4 41% → Queue']);
      await session.lua(`vim.cmd.undo()`);
      await session.lua(`vim.cmd('2delete')`);
      expect(await session.hints()).toEqual(['2 41% → Queue']);
      await session.lua(`vim.cmd.undo()`);
      expect(await session.hints()).toEqual(asOpened);
    });

    test('after an edit the hints are those of the new text', async () => {
      const session = await openFake(neovim, text);
      await session.settle(asOpened);
      await session.lua(`vim.api.nvim_buf_set_lines(1, 3, 4, false, { '    idle(); // hint 0 12 samples' })`);
      await session.settle([...asOpened, '4 12 samples']);
      await session.lua(`vim.api.nvim_buf_set_lines(1, 1, 3, false, {})`);
      await session.settle(['2 12 samples']);
    });

    test('an answer to an older text is dropped', async () => {
      const session = await openFake(neovim, `${text}// order delay 400\n`);
      await session.settle(asOpened);
      await session.lua(`vim.api.nvim_buf_set_lines(1, 3, 4, false, { 'x // hint 0 old' })`);
      await new Promise(resolve => setTimeout(resolve, 200));
      await session.lua(`vim.api.nvim_buf_set_lines(1, 3, 4, false, { 'x // hint 0 new' })`);
      const all = new Set<string>();
      for (let round = 0; round < 60; round++) {
        for (const hint of await session.hints()) all.add(hint);
        await new Promise(resolve => setTimeout(resolve, 20));
      }
      expect([...all].sort()).toEqual([...asOpened, '4 new']);
    });

    test('hints never vanish between a change and its answer', async () => {
      const session = await openFake(neovim, `${text}// order delay 150\n`);
      await session.settle(asOpened);
      for (let round = 0; round < 40; round++) {
        await session.lua(`vim.api.nvim_buf_set_lines(1, 3, 4, false, { 'idle(' .. ... .. ');' })`, round);
        expect(await session.hints()).toEqual(asOpened);
        await new Promise(resolve => setTimeout(resolve, 30));
      }
    });

    test('hints can be hidden and shown', async () => {
      const session = await openFake(neovim, text);
      await session.settle(asOpened);
      await session.lua(`vim.cmd('Insitu disable')`);
      await session.settle([]);
      expect(await session.lua(`return require('insitu').statusline()`)).toBe('insitu: hints off');
      await session.lua(`vim.cmd('Insitu toggle')`);
      await session.settle(asOpened);
      await session.lua(`vim.cmd('Insitu toggle')`);
      await session.settle([]);
      await session.lua(`vim.cmd('Insitu enable')`);
      await session.settle(asOpened);
    });

    test("Neovim's own hints, switched on for other servers, do not show ours twice", async () => {
      const session = await openFake(neovim, text, { before: 'vim.lsp.inlay_hint.enable(true)' });
      await session.settle(asOpened);
      await session.lua(`vim.lsp.inlay_hint.enable(true, { bufnr = 1 })`);
      await new Promise(resolve => setTimeout(resolve, 500));
      expect(await session.hints()).toEqual(asOpened);
    });

    test('with native = true Neovim draws, and follows edits and the off switch', async () => {
      const session = await openFake(neovim, text, { options: 'native = true' });
      await session.settle(asOpened);
      expect((await hintsIn(session, 1)).map(({ group }) => group)).toEqual(['LspInlayHint', 'LspInlayHint']);
      await session.lua(`vim.api.nvim_buf_set_lines(1, 0, 0, false, { '// one' })`);
      await session.settle(['3 62% · self 4%', '4 41% → Queue']);
      await session.lua(`vim.cmd('Insitu disable')`);
      await session.settle([]);
      await session.lua(`vim.cmd('Insitu enable')`);
      await session.settle(['3 62% · self 4%', '4 41% → Queue']);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('of a very long file only the surroundings of the window are asked for, and more when it scrolls', async () => {
      const lines = Array.from({ length: 9000 }, (_, index) =>
        index % 1000 === 999 ? `x // hint 0 at ${index}` : 'y',
      );
      const session = await openFake(neovim, lines.join('\n'));
      await session.until(`vim.lsp.get_clients({ name = 'insitu' })[1] ~= nil`);
      await new Promise(resolve => setTimeout(resolve, 600));
      expect(await session.hints()).toEqual([]);
      await session.lua(`vim.api.nvim_win_set_cursor(0, { 5000, 0 }) vim.cmd('redraw!')`);
      await session.settle(['5000 at 4999']);
      const last = session.seen('question').at(-1)?.details as Range;
      expect(last.end.line - last.start.line).toBeLessThan(1200);
    });

    test('a file of 4,500 lines has all hints; a change asks for those near the window first, then for all', async () => {
      const lines = Array.from({ length: 4500 }, (_, index) => (index % 4000 === 99 ? 'x // hint 0.5 at %turn' : 'y'));
      const session = await openFake(neovim, lines.join('\n'));
      await session.settle(['100 at 1', '4100 at 1']);
      await session.lua(`vim.api.nvim_win_set_cursor(0, { 100, 0 }) vim.cmd('Insitu next')`);
      expect(await session.lua('return vim.api.nvim_win_get_cursor(0)[1]')).toBe(4100);
      await session.lua(`vim.api.nvim_win_set_cursor(0, { 1, 0 }) vim.cmd('redraw!')
        vim.api.nvim_buf_set_lines(0, 0, 1, false, { 'z' })`);
      await session.settle(['100 at 3', '4100 at 3']);
      const asked = session.seen('question').map(({ details }) => (details as Range).end.line);
      expect(asked[1]).toBeLessThan(1000);
      expect([asked[0], asked[2]]).toEqual([4500, 4500]);
    });

    test('the next hot spot of a very long file may be anywhere: its hints are all asked for', async () => {
      const lines = Array.from({ length: 9000 }, (_, at) =>
        at % 4000 === 99 ? `x // hint ${at === 4099 ? 0.01 : 0.5} at %turn` : 'y',
      );
      const session = await openFake(neovim, lines.join('\n'));
      const line = () => session.lua<number>(`return vim.fn.line('.')`);
      await session.settle(['100 at 1']);
      await session.lua(`vim.api.nvim_win_set_cursor(0, { 100, 0 }) vim.cmd('Insitu next')`);
      await expect.poll(line).toBe(8100);
      await session.settle(['100 at 2', '4100 at 2', '8100 at 2']);
      await session.lua(`vim.cmd('Insitu next')`);
      expect(await line()).toBe(100);
      await session.lua(`vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'z' }) vim.cmd('Insitu previous')`);
      await expect.poll(line).toBe(8101);
      // An edit before the hints come leaves the cursor where it is.
      const before = (await session.hints()).at(-1);
      await session.lua(`
        vim.api.nvim_win_set_cursor(0, { 1, 0 })
        vim.api.nvim_buf_set_lines(0, 1, 1, false, { 'z' })
        vim.cmd('Insitu next')
        vim.api.nvim_buf_set_lines(0, 1, 2, false, {})`);
      await expect.poll(async () => (await session.hints()).at(-1)).not.toBe(before);
      expect(await line()).toBe(1);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('of a very long file the hints that were seen elsewhere go when the data change', async () => {
      const lines = Array.from({ length: 9000 }, (_, index) => (index % 8000 === 99 ? 'x // hint 0.5 at %turn' : 'y'));
      const session = await openFake(neovim, lines.join('\n'));
      await session.settle(['100 at 1']);
      await session.lua(`vim.api.nvim_win_set_cursor(0, { 8100, 0 }) vim.cmd('redraw!')`);
      await session.settle(['100 at 1', '8100 at 2']);
      await session.lua(`vim.cmd('Insitu refresh')`);
      await session.settle(['8100 at 3']);
    });
  });
