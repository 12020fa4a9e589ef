// The plugin's README and manual against the plugin: every Lua snippet runs, and options, commands and colours are all there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { pluginFolder } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { luaErrors, openFake } from './fake-session.ts';

const text = 'class A {\n  void run() { // hint 0.5 62%\n  }\n}\n';
const readme = readFileSync(join(pluginFolder, 'README.md'), 'utf8');
const manual = readFileSync(join(pluginFolder, 'doc', 'insitu.txt'), 'utf8');
const snippets = [...readme.matchAll(/^```lua\n(.*?)^```$/gms)].map(([, code]) =>
  code!.replaceAll('/path/to/insitu/clients/neovim', pluginFolder),
);
/** Words in code quotes that begin the first cell of the rows of a section's table. */
const firstCells = (section: string): string[] =>
  [...(readme.split(`\n## ${section}\n`)[1] ?? '').split('\n## ')[0]!.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) =>
    cell!.replaceAll('`', ''),
  );

for (const engine of neovims())
  needs(engine, `the README in ${engine}`, neovim => {
    test('its Lua snippets run without an error, those of a plugin manager as tables', async () => {
      expect(snippets.length).toBeGreaterThanOrEqual(6);
      const session = await openFake(neovim, text);
      await session.settle(['2 62%']);
      for (const code of snippets) {
        if (!code.startsWith('{')) await session.lua(`${code} return 0`);
        else expect(await session.lua(`return ${code}`)).toMatchObject({ dir: pluginFolder, ft: 'java' });
      }
      await session.until(
        `#vim.fn.maparg('<leader>i', 'n') > 0 or vim.fn.maparg('<leader>i', 'n', false, true).callback`,
      );
      const shown = `return vim.api.nvim_eval_statusline(vim.o.statusline, {}).str`;
      expect(await session.lua(shown)).toMatch(/insitu: 1 hint 1:1$/);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('it and the manual name every option with its default, every word of :Insitu and every colour', async () => {
      const session = await openFake(neovim, text);
      const rows = firstCells('Options');
      // An unknown option is answered with the list of known ones.
      await session.lua(`require('insitu').setup({ none = 1 })`);
      await session.until(`vim.fn.execute('messages'):find('known are', 1, true)`);
      const known = /known are (.*)/.exec(await session.messages())![1]!.split(', ');
      expect(rows.toSorted()).toEqual(known);
      for (const option of known) expect(manual).toMatch(new RegExp(`^${option} {2,}\\S`, 'm'));
      const words = await session.lua<string[]>(`return vim.fn.getcompletion('Insitu ', 'cmdline')`);
      const told = firstCells('Commands').flatMap(cell => cell.replaceAll(/:Insitu ?/g, '').split(', '));
      expect(told.filter(word => word !== '').toSorted()).toEqual(words);
      for (const word of words) expect(manual).toMatch(new RegExp(`^:Insitu ${word} `, 'm'));
      const groups = await session.lua<string[]>(`return vim.fn.getcompletion('Insitu', 'highlight')`);
      expect(groups.length).toBeGreaterThanOrEqual(20);
      for (const group of groups) expect(manual).toContain(`*hl-${group}*`);
    });
  });
