// The findings of a comparison, in a real Neovim with the real server: the list, the diagnostic in the open file, and both sources.
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { openNeovim } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { COMPARED_FILE, type ComparedShop, comparedShop } from '../../support/stores/compared-shop.ts';
import { luaErrors } from './fake-session.ts';
import { floating, press } from './floating.ts';
import { shopConfig } from './shop.ts';

const PATIENCE = { timeout: 40_000 };

let shop: ComparedShop;
beforeEach(async () => {
  shop = await comparedShop();
});
afterEach(() => shop.scratch.remove());

for (const engine of neovims())
  needs(engine, `a comparison in ${engine}`, program => {
    test('lists the finding, marks its method, and shows the source of both versions', async () => {
      const { scratch, store, commit } = shop;
      const env = { ...scratch.env, INSITU_STORE: store };
      const neovim = await openNeovim(program, {
        folder: scratch.root,
        files: [COMPARED_FILE],
        config: shopConfig(),
        env,
      });
      onTestFinished(() => neovim.close());
      await neovim.until(`require('insitu').statusline():match('^insitu: [1-9]%d* hint')`);
      await neovim.lua(`vim.cmd('Insitu compare a')`);
      const sentence = new RegExp(
        `^slower: Shop\\.match, changed in ${commit}: \\+\\d\\d \\(\\d\\d% → \\d\\d%(?: of all before)?\\)`,
      );
      await expect.poll(async () => (await floating(neovim))?.lines[2], PATIENCE).toMatch(sentence);
      expect((await floating(neovim))!.lines).toEqual([
        expect.stringMatching(/^compared with shop\/shop a|^compared with acme\/shop a/),
        '5 JVMs before, 5 now',
        expect.stringMatching(/Shop\.java:12 {2}commit 2$/),
        '<CR> go there · b blueprint · s source of both versions · w why',
        'm: methods whose shares moved',
      ]);
      const marked = () =>
        neovim.lua<{ line: number; text: string; severity: number }[]>(
          `return vim.tbl_map(function(each)
            return { line = each.lnum + 1, text = each.message, severity = each.severity }
          end, vim.diagnostic.get(1))`,
        );
      await expect.poll(marked, PATIENCE).toEqual([{ line: 12, text: expect.stringMatching(sentence), severity: 3 }]);
      await press(neovim, 's');
      await neovim.until(`#vim.api.nvim_list_tabpages() == 2`);
      const texts = await neovim.lua<string[]>(
        `return vim.tbl_map(function(window)
          return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\\n')
        end, vim.api.nvim_tabpage_list_wins(0))`,
      );
      expect(texts.map(text => text.trim())).toEqual([
        'void match(int i) {}',
        'void match(int i) { new int[i].clone(); }',
      ]);
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });
  });
