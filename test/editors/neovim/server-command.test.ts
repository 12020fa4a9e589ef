// Which server the plugin starts, and what it says where there is none or the Node is too old.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { openNeovim, pluginFolder } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';

/** A checkout with a copy of the plugin and these further files; scripts where the content begins with `#!`. */
function checkoutWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(pluginFolder, join(folder, 'clients', 'neovim'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (content.startsWith('#!')) chmodSync(file, 0o755);
  }
  return folder;
}

const nodeOf = (version: string): string => `#!/bin/sh\necho ${version}\n`;
const bundle = { 'dist/bin/insitu.cjs': '' };

for (const engine of neovims())
  needs(engine, `server command in ${engine}`, program => {
    /** The command that the plugin of `checkout` would start, and its messages when a Java file is opened; `$` stands for the checkout. */
    async function started(checkout: string, config = ''): Promise<{ argv: string[] | null; messages: string }> {
      const neovim = await openNeovim(program, {
        folder: checkout,
        files: ['A.java'],
        plugin: join(checkout, 'clients', 'neovim'),
        config,
        env: { PATH: `${checkout}/path:/usr/bin:/bin` },
      });
      const argv = await neovim.lua<string[] | null>(`return (require('insitu.command').find() or {}).argv`);
      if (argv === null) await neovim.until(`vim.fn.execute('messages') ~= ''`);
      const messages = (await neovim.messages()).trim().replaceAll(checkout, '$');
      await neovim.close();
      return { argv: argv?.map(part => part.replaceAll(checkout, '$')) ?? null, messages };
    }

    test('the option cmd wins, a string with the usual arguments, a list as it is', async () => {
      const checkout = checkoutWith({ 'path/insitu': nodeOf('x'), 'own/server': nodeOf('x') });
      const given = (cmd: string): string => `require('insitu').setup({ autostart = false, cmd = ${cmd} })`;
      expect((await started(checkout, given(`'${checkout}/own/server'`))).argv).toEqual([
        '$/own/server',
        'lsp',
        '--stdio',
      ]);
      expect((await started(checkout, given(`{ 'sh', '-c', 'x' }`))).argv).toEqual(['sh', '-c', 'x']);
    });

    test('a cmd that does not exist is named', async () => {
      const { messages } = await started(checkoutWith({}), `require('insitu').setup({ cmd = '/nowhere/insitu' })`);
      expect(messages).toBe('insitu: the option cmd names "/nowhere/insitu", which is not an executable program');
    });

    test('insitu on PATH comes before the checkout', async () => {
      const checkout = checkoutWith({ ...bundle, 'path/insitu': nodeOf('x'), 'path/node': nodeOf('v24.0.0') });
      const config = `require('insitu').setup({ autostart = false })`;
      expect((await started(checkout, config)).argv).toEqual(['$/path/insitu', 'lsp', '--stdio']);
    });

    test("a checkout's own Node comes before the one on PATH, a newer one before one that is too old", async () => {
      const own = 'node_modules/.bin/node';
      const config = `require('insitu').setup({ autostart = false })`;
      const both = checkoutWith({ ...bundle, [own]: nodeOf('v24.1.0'), 'path/node': nodeOf('v26.0.0') });
      expect((await started(both, config)).argv).toEqual([`$/${own}`, '$/dist/bin/insitu.cjs', 'lsp', '--stdio']);
      const older = checkoutWith({ ...bundle, [own]: nodeOf('v22.17.9'), 'path/node': nodeOf('v22.18.0') });
      expect((await started(older, config)).argv?.[0]).toBe('node');
    });

    test('a Node that is too old is named with its version and the remedy', async () => {
      const { argv, messages } = await started(checkoutWith({ ...bundle, 'path/node': nodeOf('v20.19.2') }));
      expect(argv).toBeNull();
      expect(messages).toBe(
        'insitu: needs Node 22.18 or newer, but node is 20.19.2; name another with require("insitu").setup({ node = "/path/to/node" })',
      );
    });

    test('a Node given by option is used even where insitu stands on PATH', async () => {
      const checkout = checkoutWith({ ...bundle, 'path/insitu': nodeOf('x'), 'mine/node': nodeOf('v24.3.0') });
      const config = `require('insitu').setup({ autostart = false, node = '${checkout}/mine/node' })`;
      expect((await started(checkout, config)).argv?.[0]).toBe('$/mine/node');
    });

    test('a checkout that is not built says how to build it', async () => {
      const { messages } = await started(checkoutWith({ 'path/node': nodeOf('v24.0.0') }));
      expect(messages).toBe(
        'insitu: found no server: no insitu on PATH, and $ is not built (run "npm install && npm run build" there)',
      );
    });

    test('a plugin folder linked into the configuration still finds its checkout', async () => {
      const checkout = checkoutWith({ ...bundle, 'path/node': nodeOf('v24.0.0') });
      const linked = mkdtempSync(join(tmpdir(), 'insitu-linked-'));
      onTestFinished(() => rmSync(linked, { recursive: true, force: true }));
      symlinkSync(join(checkout, 'clients', 'neovim'), join(linked, 'insitu'));
      const neovim = await openNeovim(program, {
        folder: checkout,
        files: [],
        plugin: join(linked, 'insitu'),
        env: { PATH: `${checkout}/path:/usr/bin:/bin` },
      });
      onTestFinished(() => neovim.close());
      expect(await neovim.lua(`return require('insitu.command').find().argv[2]`)).toBe(
        `${checkout}/dist/bin/insitu.cjs`,
      );
    });
  });
