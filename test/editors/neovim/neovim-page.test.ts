// :Insitu picture: which page is asked for, how the browser is opened, and what the user is told.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import { shopAnswers } from './fake-answers.ts';
import type { FakeOptions } from './fake-session.ts';
import { about, asked, openWords, run, told } from './words-session.ts';

for (const engine of neovims())
  needs(engine, `the page of pictures in ${engine}`, program => {
    const open = (options: FakeOptions = {}) => openWords(program, options);

    test('picture opens the browser without waiting for it, of everything or a method, and tells the address', async () => {
      const session = await open();
      // An opener in the foreground never ends; one that fails is a reason to tell.
      await session.lua(`_G.opened = {}
        vim.ui.open = function(address)
          table.insert(_G.opened, address)
          return vim.system({ 'sleep', '600' })
        end`);
      await run(session, 'Insitu picture');
      await asked(session, 'viewAddress', about(session));
      await told(session, 'insitu: pictures at http://127.0.0.1:41503/#code=1');
      expect(await session.lua(`return _G.opened`)).toEqual(['http://127.0.0.1:41503/#code=1']);
      await session.lua(`vim.api.nvim_win_set_cursor(0, { 2, 8 })`);
      await run(session, 'Insitu picture .');
      await asked(session, 'viewAddress', { ...about(session), position: { line: 1, character: 8 } });
      await run(session, 'Insitu blueprint');
      await asked(session, 'viewAddress', { ...about(session), view: 'blueprint' });
      await session.lua(`vim.ui.open = function() return nil, 'no handler' end`);
      await run(session, 'Insitu picture');
      await told(session, 'no browser was opened (no handler); the pictures are at http://127.0.0.1:41503/#code=1');
    });

    test('picture over SSH tells how the page is reached, and opens nothing', async () => {
      const viewAddress = {
        address: 'http://127.0.0.1:41503/#code=1',
        ssh: 'ssh -N -L 41503:127.0.0.1:41503 10.0.0.1',
      };
      const session = await open({
        answers: folder => ({ ...shopAnswers(folder), viewAddress: [{ answer: viewAddress }] }),
      });
      await session.lua(`_G.opened = 0 vim.ui.open = function() _G.opened = _G.opened + 1 end`);
      await run(session, 'Insitu picture');
      await told(session, 'run `ssh -N -L 41503:127.0.0.1:41503 10.0.0.1` on your machine');
      expect(await session.lua(`return _G.opened`)).toBe(0);
    });
  });
