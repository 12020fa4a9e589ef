// Starting, stopping and losing the server: what the user sees and what the plugin cleans up.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import { luaErrors, openFake } from './fake-session.ts';

const text = 'class A {\n  void run() { // hint 0.5 62%\n  }\n}\n';
const asOpened = ['2 62%'];
const attached = `#vim.lsp.get_clients({ name = 'insitu', bufnr = 1 }) > 0`;
const statusline = `return require('insitu').statusline()`;

for (const engine of neovims())
  needs(engine, `server in ${engine}`, neovim => {
    test('the root is the folder of insitu.json, and settings reach the server at once and when they change', async () => {
      const session = await openFake(neovim, text, { options: `settings = { hints = { maximumLength = 20 } }` });
      await session.settle(asOpened);
      expect(session.seen('initialize')[0]?.details).toEqual({
        root: `file://${session.folder}`,
        options: { hints: { maximumLength: 20 } },
      });
      await session.lua(`require('insitu').setup({ settings = { metric = 'alloc' } })`);
      await expect.poll(() => session.seen('settings').at(-1)?.details).toEqual({ insitu: { metric: 'alloc' } });
    });

    test('without settings the server gets an empty object', async () => {
      const session = await openFake(neovim, text);
      await session.settle(asOpened);
      expect(JSON.stringify(session.seen('initialize')[0]?.details)).toContain('"options":{}');
      expect(session.seen('settings')).toEqual([{ event: 'settings', details: { insitu: {} } }]);
    });

    test('one server serves two files of a workspace', async () => {
      const session = await openFake(neovim, text, { files: { 'B.java': 'class B { } // hint 0 7%\n' } });
      await session.settle(asOpened);
      await session.lua(`vim.cmd.edit('B.java')`);
      await session.until(`require('insitu').statusline() == 'insitu: 1 hint'`);
      expect(session.seen('initialize')).toHaveLength(1);
    });

    test('a hint request for a hidden buffer waits until the buffer is shown', async () => {
      const session = await openFake(neovim, text, { files: { 'B.java': 'class B { }\n' } });
      await session.settle(asOpened);
      await session.lua(`vim.o.hidden = true vim.cmd.edit('B.java')`);
      await session.lua(`vim.api.nvim_buf_set_lines(1, 0, 0, false, { '// hint 0 99%' })`);
      await new Promise(resolve => setTimeout(resolve, 400));
      expect(await session.hints()).toEqual(['3 62%']);
      await session.lua(`vim.cmd.buffer(1)`);
      await session.settle(['1 99%', '3 62%']);
    });

    // No Debian suite and no npm package brings a 0.11: the newest one is told that it is one, and leaves running servers alone as
    // the first releases of 0.11 do.
    if (engine === 'nvim012')
      test('where Neovim says that it is 0.11, servers are stopped and started by its ways', async () => {
        const before = `local has, enable = vim.fn.has, vim.lsp.enable
          vim.fn.has = function(feature) return feature == 'nvim-0.12' and 0 or has(feature) end
          vim.lsp.enable = function(name, on) if on ~= false then enable(name) end end`;
        const session = await openFake(neovim, text, { before });
        await session.settle(asOpened);
        await session.lua(`vim.cmd('Insitu stop')`);
        await session.until(`#vim.lsp.get_clients() == 0`);
        await session.settle([]);
        await session.lua(`vim.cmd('Insitu start')`);
        await session.settle(asOpened);
        await session.lua(`vim.cmd('Insitu restart')`);
        await expect.poll(() => session.seen('initialize').length, { timeout: 15_000 }).toBe(3);
        await session.settle(asOpened);
        expect(luaErrors(await session.messages())).toEqual([]);
      });

    test('a refresh sent by the server asks anew', async () => {
      const session = await openFake(neovim, `${text}// order refresh 300\n`);
      await session.settle(asOpened);
      await expect.poll(() => session.seen('question').length, { timeout: 5000 }).toBeGreaterThan(2);
      expect(await session.hints()).toEqual(asOpened);
      expect(await session.messages()).toBe('');
    });

    test('the status line tells how far loading is', async () => {
      const session = await openFake(neovim, `${text}// order load 40\n`);
      await session.until(`require('insitu').statusline() == 'insitu: loading 40%'`);
      await session.until(`require('insitu').statusline() == 'insitu: 1 hint'`);
    });

    test('what the server tells is shown once, by its name, and is no error of the plugin', async () => {
      const told = 'the store /data/none does not exist (insitu import makes one)';
      const session = await openFake(neovim, text, { tells: told });
      await session.settle(asOpened);
      expect(await session.messages()).toBe(`\ninsitu: ${told}`);
    });

    test('what the server tells for information stands in full, however long it is', async () => {
      const told = `recording JVM 4711\nand ${'much '.repeat(60)}more: the store is full`;
      const session = await openFake(neovim, text, { informs: `insitu: ${told}` });
      await session.settle(asOpened);
      expect(await session.messages()).toBe(`\ninsitu: ${told}`);
    });

    test('where there is no data the user is told why, once, and the status line says so', async () => {
      const problem = '/data/store: does not exist (insitu import makes one)';
      const source = { state: 'none', problems: [problem], text: 'shop: nothing to show from /data/store' };
      const session = await openFake(neovim, `${text}// order refresh 50\n`, {
        status: { sources: [source], text: `${source.text}\n${problem}` },
      });
      await session.until(`require('insitu').statusline() == 'insitu: no data'`);
      await expect.poll(() => session.seen('question').length, { timeout: 5000 }).toBeGreaterThan(3);
      expect(await session.messages()).toBe(`\ninsitu: ${problem}`);
      expect(await session.lua(`return vim.fn.execute('Insitu status')`)).toContain(`${source.text}\n${problem}`);
    });

    test('when the server dies the hints go, and :Insitu restart brings it back', async () => {
      const session = await openFake(neovim, text);
      await session.settle(asOpened);
      await session.lua(`vim.api.nvim_buf_set_lines(1, 3, 4, false, { '} // order die 3' })`);
      await session.settle([]);
      await session.until(`not (${attached})`);
      expect(await session.lua(statusline)).toBe('');
      expect(await session.messages()).toMatch(/insitu quit with exit code 3/);
      expect(luaErrors(await session.messages())).toEqual([]);
      await session.lua(`vim.api.nvim_buf_set_lines(1, 3, 4, false, { '}' })`);
      await session.lua(`vim.cmd('Insitu restart')`);
      await session.settle(asOpened);
    });

    test('when the server dies at its start, what it printed is told, and by :Insitu and :checkhealth as well', async () => {
      const trouble = 'insitu needs Node.js 22.18 or newer, this is v20.20.2 (/usr/bin/node)';
      const said = `the server quit with exit code 2: ${trouble}`;
      const session = await openFake(neovim, text, {
        options: `cmd = { '/bin/sh', 'dying.sh', 'lsp', '--stdio' }`,
        files: { 'dying.sh': `echo '${trouble}.' >&2\n[ "$1" = --version ] && exit "$VERSION_FAILS"\nexit 2\n` },
        before: `vim.env.VERSION_FAILS = 0`,
      });
      await session.until(`vim.fn.execute('messages'):find('insitu: the server quit', 1, true)`);
      expect((await session.messages()).split(`insitu: ${said}`)).toHaveLength(2);
      expect(await session.lua(`return vim.fn.execute('Insitu')`)).toBe(
        `\ninsitu: ${said} (:Insitu start tries again)\ninsitu: this buffer: no server attached`,
      );
      const health = `vim.cmd('checkhealth insitu')
        return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')`;
      expect(await session.lua(health)).toContain(`ERROR ${said}\n`);
      const fails = `"/bin/sh dying.sh --version" fails: exit code 2: ${trouble}`;
      expect(await session.lua(`vim.cmd.close() vim.env.VERSION_FAILS = 2 ${health}`)).toContain(`ERROR ${fails}\n`);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('a question that the server gives up is repeated a few times, then left', async () => {
      const session = await openFake(neovim, `${text}// order fail -32801\n`);
      await session.until(attached);
      await expect.poll(() => session.seen('question').length, { timeout: 15_000 }).toBe(4);
      await new Promise(resolve => setTimeout(resolve, 400));
      expect(session.seen('question')).toHaveLength(4);
      expect(await session.messages()).toBe('');
    });

    test('buffers may be closed while an answer is on its way', async () => {
      const session = await openFake(neovim, `${text}// order delay 300\n`, { files: { 'B.java': text } });
      await session.until(attached);
      await session.lua(`vim.cmd.edit('B.java')`);
      await new Promise(resolve => setTimeout(resolve, 100));
      await session.lua(`vim.cmd('bwipeout! 1') vim.cmd.enew() vim.cmd('bunload! B.java')`);
      await new Promise(resolve => setTimeout(resolve, 700));
      await session.lua(`vim.cmd.edit('A.java')`);
      await session.until(`require('insitu').statusline() == 'insitu: 1 hint'`);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('reloading a file keeps its hints right', async () => {
      const session = await openFake(neovim, text);
      await session.settle(asOpened);
      await session.lua(
        `vim.fn.writefile({ '// hint 0.1 8%', 'class A { }' }, 'A.java') vim.cmd('edit!')
        return 0`,
      );
      await session.settle(['1 8%']);
    });

    test(':Insitu stop, start and status do what they say; other words are refused', async () => {
      const session = await openFake(neovim, text);
      await session.settle(asOpened);
      const report = `return vim.fn.execute('Insitu status')`;
      expect(await session.lua(report)).toBe(
        `\ninsitu: server 9.9 runs in ${session.folder}\ninsitu: this buffer: 1 hint`,
      );
      await session.lua(`vim.cmd('Insitu stop')`);
      await session.settle([]);
      await session.until(`#vim.lsp.get_clients() == 0`);
      expect(await session.lua(report)).toBe(
        '\ninsitu: no server runs; it starts with a Java file or with :Insitu start\ninsitu: this buffer: no server attached',
      );
      await session.lua(`vim.cmd('Insitu start')`);
      await session.settle(asOpened);
      await session.lua(`vim.cmd('Insitu dance')`);
      await session.until(`vim.fn.execute('messages'):find('dance')`);
      expect(await session.messages()).toContain(
        '":Insitu dance" is unknown; known are aspects, assume, blueprint, callees, callers, clear, compare, disable, enable, executions, focus, heaviest, import, iterations, metric, moved, next, overview, path, picture, previous, record, refresh, restart, select, slower, start, status, stop, tasks, threads, toggle, top, why',
      );
      expect(await session.lua(`return vim.fn.getcompletion('Insitu re', 'cmdline')`)).toEqual([
        'record',
        'refresh',
        'restart',
      ]);
    });

    test('with autostart = false nothing starts by itself', async () => {
      const session = await openFake(neovim, text, { options: 'autostart = false' });
      await new Promise(resolve => setTimeout(resolve, 500));
      expect(session.seen()).toEqual([]);
      await session.lua(`vim.cmd('Insitu start')`);
      await session.settle(asOpened);
    });

    test('wrong options are named, the right ones hold', async () => {
      const session = await openFake(neovim, text, { options: `colour = true, native = 'yes'` });
      await session.settle(asOpened);
      const messages = await session.messages();
      expect(messages).toContain(
        'insitu: unknown option "colour"; known are autostart, border, cmd, codelens, debounce_ms, hints, marks, native, node, root_markers, scale, settings, top',
      );
      expect(messages).toContain('insitu: option "native" must be a boolean, not a string');
    });

    test('buffers that are no files on disk get no server', async () => {
      const session = await openFake(neovim, text);
      await session.settle(asOpened);
      await session.lua(`vim.cmd.enew() vim.bo.buftype = 'nofile' vim.bo.filetype = 'java'`);
      await session.lua(
        `vim.cmd.enew() vim.api.nvim_buf_set_name(0, 'jdt://contents/x.java') vim.bo.filetype = 'java'`,
      );
      await new Promise(resolve => setTimeout(resolve, 300));
      expect(await session.lua(statusline)).toBe('');
      expect(session.seen('initialize')).toHaveLength(1);
      expect(await session.messages()).toBe('');
    });

    test('a plugin manager may load the plugin after start-up and call setup afterwards', async () => {
      const session = await openFake(neovim, text, {
        before: `vim.g.loaded_insitu = true`,
        after: `vim.api.nvim_create_autocmd('VimEnter', { callback = function()
            vim.defer_fn(function()
              vim.g.loaded_insitu = nil
              vim.cmd.runtime('plugin/insitu.lua')
              require('insitu').setup({ settings = { metric = 'alloc' } })
            end, 200)
          end })`,
      });
      await session.settle(asOpened);
      expect(session.seen('initialize')).toMatchObject([{ details: { options: { metric: 'alloc' } } }]);
    });
  });
