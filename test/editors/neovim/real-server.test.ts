// The real server in a real Neovim beyond the mere hints: hover, edits, health, status line, and data that are missing or broken.
import { cpSync, globSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { NOTHING_RECORDED } from '../../../server/base/problem.ts';
import { needs } from '../../support/engines/needs.ts';
import { type Neovim, openNeovim } from '../../support/engines/neovim.ts';
import { hintsIn, luaErrors } from './fake-session.ts';
import { shopConfig, shopFolder, shopStore } from './shop.ts';

const file = 'src/main/java/com/acme/shop/queue/LockedQueue.java';
const hasHints = `require('insitu').statusline():match('^insitu: [1-9]%d* hint')`;

let store: ReturnType<typeof shopStore>;
beforeAll(() => {
  store = shopStore();
});
afterAll(() => store?.remove());

for (const engine of ['nvim010', 'nvim012'] as const)
  needs(engine, `the real server in ${engine}`, program => {
    async function open(storeFolder = store.folder, folder = shopFolder, opened = file): Promise<Neovim> {
      const env = { INSITU_STORE: storeFolder };
      const neovim = await openNeovim(program, { folder, files: [opened], config: shopConfig(), env });
      onTestFinished(() => neovim.close());
      return neovim;
    }

    test('hover tells the numbers behind a hint', async () => {
      const neovim = await open();
      await neovim.until(hasHints);
      const [first] = await hintsIn(neovim, 1);
      await neovim.lua(
        `vim.fn.cursor(..., 1)
        vim.fn.search('(')
        vim.cmd.normal({ 'b', bang = true })
        vim.lsp.buf.hover()`,
        first?.line,
      );
      const float = `vim.iter(vim.api.nvim_list_wins()):find(function(window)
        return vim.api.nvim_win_get_config(window).relative ~= ''
      end)`;
      await neovim.until(float);
      const text = await neovim.lua<string>(
        `return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(${float}), 0, -1, false), '\\n')`,
      );
      expect(text).toMatch(/insitu/);
      expect(text).toMatch(/\d+ samples/);
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });

    test('after lines were put above, hints move at once, and none ever stands at other code', async () => {
      const neovim = await open(store.folder, shopFolder, 'src/main/java/com/acme/shop/Shop.java');
      await neovim.until(hasHints);
      const before = await hintsIn(neovim, 1);
      const moved = before.map(({ line, text }) => `${line + 2} ${text}`);
      await neovim.lua(`vim.api.nvim_buf_set_lines(0, 2, 2, false, { '// one', '// two' })`);
      expect(await hintTexts(neovim)).toEqual(moved);
      const ofMethods = moved.filter(hint => !hint.includes('→'));
      for (let round = 0; round < 40; round++) {
        const seen = await hintTexts(neovim);
        expect(seen.filter(hint => !moved.includes(hint))).toEqual([]);
        expect(ofMethods.filter(hint => !seen.includes(hint))).toEqual([]);
        await new Promise(resolve => setTimeout(resolve, 25));
      }
    });

    test('the health check finds nothing wrong and names the server', async () => {
      const neovim = await open();
      await neovim.until(hasHints);
      await neovim.lua(`vim.cmd('checkhealth insitu')`);
      const report = await neovim.lua<string>(
        `return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')`,
      );
      expect(report).not.toMatch(/ERROR|WARN/);
      expect(report).toMatch(/OK Neovim 0\.1/);
      expect(report).toMatch(/OK insitu \d+\.\d+/);
      expect(report).toContain(`${shopFolder}: attached to 1 buffer`);
    });

    test('where no store is, it is said that nothing was recorded, with a remedy', async () => {
      const neovim = await open('/nowhere/store');
      await neovim.until(`require('insitu').statusline() == 'insitu: no data'`);
      const messages = await neovim.messages();
      expect(messages).toContain(NOTHING_RECORDED.message);
      expect(messages).toContain(':Insitu import imports one, :Insitu record records a JVM');
      expect(luaErrors(messages)).toEqual([]);
      expect(await hintsIn(neovim, 1)).toEqual([]);
    });

    test('a broken snapshot is named, without an error in the plugin', async () => {
      const broken = mkdtempSync(join(tmpdir(), 'insitu-broken-'));
      onTestFinished(() => rmSync(broken, { recursive: true, force: true }));
      cpSync(store.folder, broken, { recursive: true });
      for (const snapshot of globSync('**/*.cct', { cwd: broken })) truncateSync(join(broken, snapshot), 300);
      const neovim = await open(broken);
      await neovim.until(`require('insitu').statusline() == 'insitu: no data'`);
      expect(await neovim.messages()).toContain('.cct');
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });

    test('a Java file without data, or that does not parse, has no hints and no errors', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'insitu-other-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(join(folder, 'insitu.json'), '{ "project": "shop", "program": "shop" }\n');
      writeFileSync(join(folder, 'Other.java'), 'class Other {\n  void run() { }\n}\n');
      writeFileSync(join(folder, 'Broken.java'), 'class Broken { void (((( \n}}}} "\n@@ enum\n');
      const neovim = await open(store.folder, folder, 'Other.java');
      await neovim.until(`require('insitu').statusline() == 'insitu: 0 hints'`);
      await neovim.lua(`vim.cmd.edit('Broken.java')`);
      await neovim.until(`require('insitu').statusline() == 'insitu: 0 hints'`);
      await neovim.lua(`vim.api.nvim_buf_set_lines(0, 0, 1, false, {})`);
      await new Promise(resolve => setTimeout(resolve, 500));
      expect(await neovim.messages()).toBe('');
    });
  });

/** The hints of the first buffer, `line text`, without the mark of changed code. */
async function hintTexts(neovim: Neovim): Promise<string[]> {
  return (await hintsIn(neovim, 1)).map(({ line, text }) => `${line} ${text.replace(/^~/, '')}`);
}
