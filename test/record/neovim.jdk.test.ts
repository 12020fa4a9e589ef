// A real JVM that is recorded from a real Neovim: hints come, follow what runs, and nothing is started anew.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { hintsIn, luaErrors } from '../editors/neovim/fake-session.ts';
import { shopConfig, shopFolder } from '../editors/neovim/shop.ts';
import { needs } from '../support/engines/needs.ts';
import { openNeovim } from '../support/engines/neovim.ts';
import { compiledShop, ends, startShop } from '../support/recorders/recording-shop.ts';

const FILE = 'src/main/java/com/acme/shop/Shop.java';
/** Generous, as a machine may do much else. */
const PATIENT = { timeout: 90_000, interval: 100 };

needs('jdk17', 'a JVM', jdk =>
  needs('nvim012', 'and Neovim', program => {
    beforeAll(() => compiledShop(jdk));

    test('hints of an open file follow the JVM that the user chose, until the recording is told to end', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'insitu-live-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
      const shop = startShop(jdk, folder, 400);
      onTestFinished(async () => void (await ends(shop, 'SIGKILL')));
      const env = { INSITU_STORE: join(folder, 'store') };
      const neovim = await openNeovim(program, { folder: shopFolder, files: [FILE], config: shopConfig(), env });
      onTestFinished(() => neovim.close());
      const line = () => neovim.lua<string>(`return require('insitu').statusline()`);
      await expect.poll(line, PATIENT).toBe('insitu: no data');
      const server = await neovim.lua<number>(`return vim.lsp.get_clients()[1].id`);

      await neovim.lua(
        `local pid = ...
        vim.ui.select = function(items, options, take)
          _G.offered = vim.tbl_map(options.format_item, items)
          take(vim.iter(items):find(function(jvm) return jvm.pid == pid end))
        end
        vim.cmd('Insitu record tier=base')`,
        shop.pid,
      );
      await expect.poll(line, PATIENT).toMatch(/^insitu: [1-9]\d* hints.* ● rec$/);
      expect(await neovim.lua<string[]>('return offered')).toContainEqual(
        expect.stringMatching(
          new RegExp(`^com\\.acme\\.shop\\.Main --seconds 400 --threads 2 --seed 1 · ${shop.pid} · since \\d{4}-`),
        ),
      );
      const hints = async () => (await hintsIn(neovim, 1)).map(({ line: at, text }) => `${at} ${text}`);
      for (let change = 0; change < 2; change++) {
        const before = await hints();
        expect(before.length).toBeGreaterThan(0);
        await expect.poll(hints, PATIENT).not.toEqual(before);
      }

      await neovim.lua(`vim.cmd('Insitu record stop')`);
      await expect.poll(line, PATIENT).toMatch(/^insitu: [1-9]\d* hints[^●]*$/);
      expect(await neovim.lua<number>(`return vim.lsp.get_clients()[1].id`)).toBe(server);
      expect(await neovim.messages()).toContain('1 recording ended');
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });
  }),
);
