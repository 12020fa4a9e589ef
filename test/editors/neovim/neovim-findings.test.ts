// Tests the findings in the list of :Insitu compare: where their keys lead.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import { luaErrors } from './fake-session.ts';
import { floatingWith, noFloating, press } from './floating.ts';
import { about, openWords, run } from './words-session.ts';

for (const engine of neovims())
  needs(engine, `findings in ${engine}`, program => {
    test('a finding leads to its code, the blueprint, its reasons, and the source of both versions', async () => {
      const session = await openWords(program);
      await session.lua(`vim.ui.open = function(address) opened = address return {} end`);
      const pressed = async (key: string) => {
        await run(session, 'Insitu compare 1.3');
        await floatingWith(session, 'm: methods whose shares moved');
        await press(session, key);
      };
      const named = { className: 'com.acme.Shop', name: 'search', descriptor: null };
      await pressed('<CR>');
      await noFloating(session);
      expect(await session.lua(`return vim.fn.expand('%:t') .. vim.fn.line('.')`)).toBe('A.java2');
      await pressed('b');
      await expect.poll(() => session.lua('return opened')).toMatch(/^http/);
      expect(session.seen('ask').at(-1)?.details).toEqual({
        method: 'insitu/viewAddress',
        params: { ...about(session), method: named, view: 'blueprint' },
      });
      await pressed('w');
      await floatingWith(session, 'mostly called by, each by the next');
      expect(session.seen('ask').at(-1)?.details).toMatchObject({ method: 'insitu/why', params: { method: named } });
      await press(session, 'q');
      await pressed('s');
      await session.until(`#vim.api.nvim_list_tabpages() == 2`);
      const sides = await session.lua(
        `return vim.tbl_map(function(window)
          local buffer = vim.api.nvim_win_get_buf(window)
          return {
            #vim.api.nvim_buf_get_lines(buffer, 0, -1, false),
            vim.wo[window].diff,
            vim.bo[buffer].filetype,
            (vim.fs.basename(vim.api.nvim_buf_get_name(buffer)):gsub(' %[.*', '')),
          }
        end, vim.api.nvim_tabpage_list_wins(0))`,
      );
      expect(sides).toEqual([
        [3, true, 'java', expect.stringMatching(/^Shop\.search\(String\) of 1\.3/)],
        [4, true, 'java', expect.stringMatching(/^Shop\.search\(String\) of 1\.4/)],
      ]);
      await press(session, 'q');
      await session.until(`#vim.api.nvim_list_tabpages() == 1`);
      expect(luaErrors(await session.messages())).toEqual([]);
    });
  });
