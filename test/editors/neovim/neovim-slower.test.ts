// Tests the list of callers that an edit makes slower: its word, the command of a hint, and where its rows lead.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import { luaErrors } from './fake-session.ts';
import { floatingWith, noFloating, press } from './floating.ts';
import { about, asked, openWords, run } from './words-session.ts';

for (const engine of neovims())
  needs(engine, `slower callers in ${engine}`, program => {
    test('slower lists the callers that an edit makes slower, by its word and by the command of a hint', async () => {
      const session = await openWords(program);
      const list = [
        'callers that the edit makes slower: Shop.search',
        '≈ +120 ms of 1.2 s  Shop.take(String)  B.java:3',
        '≈ +9 ms of 40 ms    HashMap.get(Object)  no source',
        '<CR> go there · q close',
      ];
      await run(session, 'Insitu slower');
      await asked(session, 'slowerCallers', { ...about(session), position: { line: 1, character: 8 } });
      expect((await floatingWith(session, list[0]!)).lines).toEqual(list);
      await press(session, '<CR>');
      await noFloating(session);
      expect(await session.lua(`return vim.fn.expand('%:t') .. vim.fn.line('.')`)).toBe('B.java3');
      await session.lua(`vim.cmd.edit('A.java') vim.api.nvim_win_set_cursor(0, { 1, 0 })`);
      const given = `{ textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 1, character = 8 } }`;
      await session.lua(
        `require('insitu.lenses').commands['insitu.slowerCallers']({ arguments = { ${given} } }) return 0`,
      );
      expect((await floatingWith(session, list[0]!)).lines).toEqual(list);
      expect(luaErrors(await session.messages())).toEqual([]);
    });
  });
