// The words of :Insitu where no server runs.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import { luaErrors } from './fake-session.ts';
import { openWords, run, told } from './words-session.ts';

for (const engine of neovims())
  needs(engine, `words without a server in ${engine}`, program => {
    test('without a server every word says so, and completion gives nothing', async () => {
      const session = await openWords(program);
      await run(session, 'Insitu stop');
      await session.until(`#vim.lsp.get_clients() == 0`);
      for (const word of ['top', 'tasks', 'callers', 'why', 'compare off', 'select metric=cpu', 'executions']) {
        await session.lua(`vim.cmd('messages clear')`);
        await run(session, `Insitu ${word}`);
        await told(session, 'insitu: no server runs; it starts with a Java file or with :Insitu start');
      }
      expect(await session.lua(`return vim.fn.getcompletion('Insitu callers ', 'cmdline')`)).toEqual([]);
      expect(luaErrors(await session.messages())).toEqual([]);
    });
  });
