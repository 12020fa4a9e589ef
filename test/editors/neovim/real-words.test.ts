// The words of :Insitu with the real server and the sample's recordings, and what Neovim's own commands get from it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sampleRecordings } from '../../oracle/oracle.ts';
import { needs } from '../../support/engines/needs.ts';
import { type Neovim, openNeovim } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { hintsIn, luaErrors } from './fake-session.ts';
import { floating, noFloating, press } from './floating.ts';
import { shopConfig, shopFolder, shopLines, shopStore } from './shop.ts';

const file = 'src/main/java/com/acme/shop/Shop.java';
const later = sampleRecordings.filter(({ version, jdk }) => version === 'v2' && jdk === 17).map(({ path }) => path);

let store: ReturnType<typeof shopStore>;
beforeAll(() => {
  store = shopStore();
});
afterAll(() => store?.remove());

/** The store with another version beside the first. */
function storeOfTwo(): string {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-two-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(store.folder, folder, { recursive: true });
  const whose = ['--project', 'shop', '--program', 'shop', '--version', 'v2', '--store', folder];
  execFileSync(process.execPath, [insituProgram, 'import', ...later, ...whose], { stdio: 'pipe' });
  return folder;
}

for (const engine of neovims())
  needs(engine, `words and the real server in ${engine}`, program => {
    /** Opens the shop's heart with the first version's numbers and waits for its hints. */
    async function open(storeFolder: string, more = ''): Promise<Neovim> {
      const config = shopConfig(`settings = { version = 'v1' }, ${more}`);
      const env = { INSITU_STORE: storeFolder };
      const neovim = await openNeovim(program, { folder: shopFolder, files: [file], config, env });
      onTestFinished(() => neovim.close());
      await neovim.until(`require('insitu').statusline():match('^insitu: [1-9]%d* hint')`);
      return neovim;
    }
    const hints = async (neovim: Neovim): Promise<string[]> =>
      (await hintsIn(neovim, 1)).map(({ line, text }) => `${line} ${text}`);
    /** Waits until the hints are as wanted. */
    async function hintsLike(neovim: Neovim, wanted: unknown): Promise<void> {
      await expect.poll(() => hints(neovim), { timeout: 40_000 }).toEqual(wanted);
    }
    async function hintsUnlike(neovim: Neovim, before: readonly string[]): Promise<void> {
      await expect.poll(() => hints(neovim), { timeout: 40_000 }).not.toEqual(before);
    }
    const here = (neovim: Neovim): Promise<string> =>
      neovim.lua<string>(`return vim.fn.expand('%:t') .. ': ' .. vim.trim(vim.fn.getline('.'))`);
    const line = 1 + shopLines(file).findIndex(text => text.includes('List<Product> search('));
    const toSearch = `vim.api.nvim_win_set_cursor(0, { ${line}, 0 }) vim.fn.search('search(')`;

    test('hints follow a path while it is typed, names complete it, and Esc takes it back', async () => {
      const neovim = await open(store.folder);
      const before = await hints(neovim);
      const shownPath = () =>
        neovim.lua<string>(`return require('insitu.data').shown_path(require('insitu.ask').client()) or ''`);
      const typed = (text: string) => neovim.lua(`vim.api.nvim_input(${JSON.stringify(text)}) return 0`);
      await typed(':Insitu path * ..Shop.sea');
      expect(await neovim.lua(`return vim.fn.getcompletion('Insitu path * ..Shop.sea', 'cmdline')`)).toContain(
        '..Shop.search',
      );
      await typed('rch');
      await hintsUnlike(neovim, before);
      await typed('<Esc>');
      await hintsLike(neovim, before);
      await typed(':Insitu path * ..Shop.search<CR>');
      await hintsUnlike(neovim, before);
      await expect.poll(shownPath, { timeout: 40_000 }).toBe('* ..Shop.search');
      expect(await neovim.lua(`return vim.fn.execute('messages')`)).toMatch(/cpu · \d+ % on/);
      await typed(':Insitu path * ..Shop.serch<CR>');
      await expect
        .poll(() => neovim.lua(`return vim.fn.execute('messages')`), { timeout: 40_000 })
        .toContain('did you mean');
      await typed(':Insitu path<CR>');
      await hintsLike(neovim, before);
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });

    test('callers have the share of the hint, unfold, and lead to where the method stands; focus and clear', async () => {
      const neovim = await open(store.folder);
      const before = await hints(neovim);
      const share = /^\d+ ([\d.]+%)/.exec(before.find(hint => hint.startsWith(`${line} `)) ?? '')?.[1];
      await neovim.lua(`${toSearch} vim.cmd('Insitu callers')`);
      await expect.poll(async () => (await floating(neovim))?.lines[0], { timeout: 40_000 }).toBeDefined();
      const tree = (await floating(neovim))!;
      expect(tree.lines[0]).toMatch(
        new RegExp(`^callers of Shop\\.search\\(String, int\\) {2}${share} · \\d+ of \\d+`),
      );
      const counts = tree.lines.slice(1, -1).map(row => Number(/%? +(\d+) {2}▸/.exec(row)?.[1] ?? 0));
      const total = Number(/· (\d+) of/.exec(tree.lines[0] ?? '')?.[1]);
      expect(counts.filter(count => count > 0).length).toBeGreaterThan(1);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
      expect(tree.pieces.find(({ line: row }) => row === 2)?.group).toMatch(/^InsituHeat[45]$/);
      await press(neovim, '<Tab>');
      await expect
        .poll(async () => (await floating(neovim))?.lines[1])
        .toMatch(/▾ .*\.act\(Session\) {2}Behaviour\.java:\d+$/);
      await expect
        .poll(async () => (await floating(neovim))?.lines[2])
        .toMatch(/^100% .* {4}▸ Worker\.step\(Session\)/);
      // Upwards from a method that search was called from: on this way, not on all that lead there.
      const [, within] = /^ *[\d.]+% +(\d+) /.exec((await floating(neovim))!.lines[1]!)!;
      const [, above] = /^ *100% +(\d+) /.exec((await floating(neovim))!.lines[2]!)!;
      expect(above).toBe(within);
      await press(neovim, '<CR>');
      await noFloating(neovim);
      expect(await here(neovim)).toMatch(/^Behaviour\.java: .*\bact\(/);

      await neovim.lua(`vim.cmd.buffer(1) ${toSearch} vim.cmd('Insitu focus')`);
      await expect
        .poll(async () => (await hints(neovim)).find(hint => hint.startsWith(`${line} `)))
        .toMatch(/^\d+ 100%/);
      expect(await neovim.lua(`return require('insitu').statusline()`)).toMatch(/ of Shop\.search$/);
      await neovim.lua(`vim.cmd('Insitu clear')`);
      await hintsLike(neovim, before);
      await neovim.lua(`vim.cmd('Insitu focus com.acme.shop.Nothing#none')`);
      await neovim.until(`vim.fn.execute('messages'):find('Nothing#none', 1, true)`);
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });

    test('bars stand beside methods, and what changes under them fades', async () => {
      const neovim = await open(store.folder, `marks = { 'text', 'bar' }`);
      const chunks = (): Promise<[string, string?][]> =>
        neovim.lua(
          `local row = vim.fn.search('List<Product> search(', 'nw') - 1
          local namespace = vim.api.nvim_create_namespace('insitu.hints')
          local mark = vim.api.nvim_buf_get_extmarks(1, namespace, { row, 0 }, { row, -1 }, { details = true })[1]
          return vim.tbl_map(function(chunk)
            return { chunk[1], type(chunk[2]) == 'table' and table.concat(chunk[2], '+') or chunk[2] }
          end, mark and mark[4].virt_text or {})`,
        );
      // The hint does not wait for what is drawn beside it.
      await expect
        .poll(async () => (await chunks()).map(([text]) => text).join(''), { timeout: 40_000 })
        .toMatch(/^ ◂{1,3} [\d.]+%.* +▸{1,3} ▪{1,6}$/);
      const seen = await chunks();
      expect(seen.find(([text]) => text.includes('%'))?.[1]).toBe('InsituHeat3');
      expect(seen.some(([, group]) => group === 'InsituBar3')).toBe(true);
      await neovim.lua(`vim.api.nvim_buf_set_lines(1, ${line}, ${line}, false, { '        limit = limit * 2 + 1;' })`);
      await expect
        .poll(async () => (await chunks()).find(([text]) => text.includes('%')), { timeout: 40_000 })
        .toEqual([expect.stringMatching(/^~[\d.]+% · changed$/), 'InsituStale3']);
      expect(await neovim.lua(`return require('insitu').statusline()`)).toMatch(/, \d+ at changed code$/);
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });

    test('threads, why, top, tasks and completion know the whole program', async () => {
      const neovim = await open(store.folder);
      await neovim.lua(`${toSearch} vim.cmd('Insitu threads')`);
      await expect
        .poll(async () => (await floating(neovim))?.lines[1], { timeout: 40_000 })
        .toMatch(/^█.*% {2}\d+ {2}\S/);
      await press(neovim, 'q');
      await neovim.lua(`vim.cmd('Insitu why com.acme.shop.Shop#search')`);
      await expect
        .poll(async () => (await floating(neovim))?.lines.join('\n'), { timeout: 40_000 })
        .toMatch(/^com\.acme\.shop\.Shop\.search.*\n.*samples of cpu/);
      await press(neovim, 'q');
      await neovim.lua(`vim.cmd('Insitu top limit=5 by=total')`);
      await neovim.until(`vim.bo.buftype == 'quickfix'`);
      const entries = await neovim.lua<{ text: string; line: string }[]>(
        `return vim.tbl_map(function(item)
          local file = vim.api.nvim_buf_get_name(item.bufnr)
          return { text = item.text, line = vim.fn.readfile(file)[item.lnum] }
        end, vim.fn.getqflist())`,
      );
      expect(entries).toHaveLength(5);
      for (const { text, line: source } of entries) expect(source).toContain(/(\w+)\(/.exec(text)![1]);
      await neovim.lua(`vim.cmd.cclose() vim.cmd('Insitu tasks')`);
      await neovim.until(`vim.fn.execute('messages'):find('no tasks are saved', 1, true)`);
      // Completion waits for the server a second at most, and a busy machine may take longer.
      const completed = () => neovim.lua<string[]>(`return vim.fn.getcompletion('Insitu callers shop#sea', 'cmdline')`);
      await expect.poll(completed, { timeout: 30_000 }).toEqual(['com.acme.shop.Shop#search']);
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });

    test('import, select and compare: another version is put in, looked at, and compared with', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'insitu-import-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      cpSync(store.folder, folder, { recursive: true });
      const neovim = await open(folder);
      const before = await hints(neovim);
      await neovim.lua(`vim.cmd('Insitu import ' .. table.concat(..., ' ') .. ' program=shop version=v2')`, later);
      await neovim.until(`vim.fn.execute('messages'):find('imported 1 recording', 1, true)`);
      await neovim.lua(`vim.cmd('Insitu executions')`);
      await expect.poll(async () => (await floating(neovim))?.lines.join('\n'), { timeout: 40_000 }).toMatch(/shop v2/);
      await press(neovim, 'q');
      await neovim.lua(`vim.cmd('Insitu select version=v1')`);
      await hintsLike(neovim, before);
      await neovim.lua(`vim.cmd('Insitu compare v2')`);
      await expect
        .poll(async () => (await floating(neovim))?.lines[0], { timeout: 40_000 })
        .toMatch(/^compared with shop\/shop v2 /);
      expect((await floating(neovim))?.lines[1]).toMatch(/^1 JVM before, 2 now: not tested/);
      await press(neovim, 'm');
      await expect.poll(async () => (await floating(neovim))?.lines.length, { timeout: 40_000 }).toBeGreaterThan(10);
      const changes = (await floating(neovim))!;
      const groups = new Set(
        changes.pieces.filter(({ line: row }) => row > 1).map(({ group }) => group.replace(/_.*/, '')),
      );
      // So few JVMs are no evidence: no change has a colour.
      expect([...groups].filter(group => /Worse|Better|Same/.test(group))).toEqual(['InsituSame']);
      await press(neovim, 'q');
      await expect.poll(async () => (await hints(neovim)).join('\n'), { timeout: 40_000 }).toMatch(/% [+−]\d/);
      expect(await neovim.lua(`return require('insitu').statusline()`)).toMatch(/ vs v2$/);
      await neovim.lua(`vim.cmd('Insitu compare off')`);
      await hintsLike(neovim, before);
      await neovim.lua(`vim.cmd('Insitu select metric=alloc')`);
      await hintsLike(neovim, expect.not.arrayContaining([before[1]]));
      await neovim.lua(`vim.cmd('Insitu select metric=')`);
      await hintsLike(neovim, before);
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });

    test('CPU time and a part of the time are looked at by choice, and other windows are compared with', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'insitu-cpu-time-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const timed = sampleRecordings
        .filter(({ version, jdk }) => version === 'v1' && jdk === 25)
        .map(({ path }) => path);
      const whose = ['--project', 'shop', '--program', 'shop', '--version', 'v1', '--store', folder];
      execFileSync(process.execPath, [insituProgram, 'import', ...timed, ...whose], { stdio: 'pipe' });
      const neovim = await open(folder);
      const byTime = await hints(neovim);
      const told = async (pattern: RegExp): Promise<void> => {
        const report = () => neovim.lua<string>(`return table.concat(require('insitu.status').report(1), '\\n')`);
        await expect.poll(report, { timeout: 40_000 }).toMatch(pattern);
      };
      await told(/\bsamples of cpu-time\b/);
      await neovim.lua(`vim.cmd('Insitu select metric=cpu')`);
      await hintsUnlike(neovim, byTime);
      await told(/\bsamples of cpu\b(?!-)/);
      await neovim.lua(`vim.cmd('Insitu select metric=')`);
      await hintsLike(neovim, byTime);

      // Answers every choice with the entry of that number.
      await neovim.lua(`vim.ui.select = function(items, options, take)
        lines = vim.tbl_map(options.format_item, items)
        local want = table.remove(wanted, 1)
        for index, line in ipairs(lines) do
          if want and line:find(want) then return take(items[index], index) end
        end
      end`);
      await neovim.lua(`wanted = { '^time$', ' to ' } vim.cmd('Insitu select')`);
      await neovim.until(`#wanted == 0`);
      await hintsUnlike(neovim, byTime);
      const windows = await neovim.lua<string[]>('return lines');
      expect(windows.length).toBeGreaterThan(2);
      await told(/samples of cpu-time.* \d\d:\d\d/);
      await neovim.lua(`wanted = { '^everything' } vim.cmd('Insitu select')`);
      await hintsLike(neovim, byTime);

      await neovim.lua(`wanted = { ' to ' } vim.cmd('Insitu compare')`);
      await expect
        .poll(async () => (await floating(neovim))?.lines[0], { timeout: 40_000 })
        .toMatch(/^compared with .* to /);
      await press(neovim, 'q');
      await expect.poll(async () => (await hints(neovim)).join('\n'), { timeout: 40_000 }).toMatch(/% [+−]\d/);
      await neovim.lua(`vim.cmd('Insitu compare off')`);
      await hintsLike(neovim, byTime);
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });

    test("Neovim's own call hierarchy, implementations and code lenses", async () => {
      const neovim = await open(storeOfTwo(), 'codelens = true');
      const list = async (command: string): Promise<string[]> => {
        await neovim.lua(`vim.fn.setqflist({}, 'f') vim.cmd.buffer(1) ${toSearch} ${command}`);
        await neovim.until(`#vim.fn.getqflist() > 0`);
        return neovim.lua(
          `local list = vim.tbl_map(function(item)
            return vim.fn.fnamemodify(vim.fn.bufname(item.bufnr), ':t') .. ' ' .. item.text
          end, vim.fn.getqflist())
          vim.cmd.cclose()
          return list`,
        );
      };
      expect(await list('vim.lsp.buf.incoming_calls()')).toEqual(
        expect.arrayContaining([
          // Neovim's list shows names alone, so the numbers stand in them.
          expect.stringMatching(/^Behaviour\.java Behaviour\$1\.act\(Session\) · \d+ % · [\d,]+ samples$/),
          expect.stringMatching(/^Command\.java Command\$1\.execute\(Shop, String\) · \d+ % · [\d,]+ samples$/),
        ]),
      );
      const outgoing = await list('vim.lsp.buf.outgoing_calls()');
      // Neovim 0.10 takes the lines of the calls for lines of the file that is called.
      const where = engine === 'nvim010' ? 'Ranker.java' : 'Shop.java';
      expect(outgoing[0]?.replace(/ · \d+ % · [\d,]+ samples$/, '')).toBe(`${where} Ranker.best(Postings, List, int)`);
      const implementations = await list(
        `vim.fn.search('\\\\.find(') vim.fn.search('find') vim.lsp.buf.implementation()`,
      );
      expect(implementations.length).toBeGreaterThan(2);
      for (const found of implementations) expect(found).toMatch(/^Query\.java .*\bfind\(/);
      const lenses = await neovim.lua<string[]>(
        `vim.cmd.buffer(1) vim.cmd('redraw!')
        return vim.tbl_map(function(each) return (each.lens or each).command.title end, vim.lsp.codelens.get(${engine === 'nvim010' ? '1' : '{ bufnr = 1 }'}))`,
      );
      expect(lenses.filter(title => / of cpu · [\d,]+ of [\d,]+$/.test(title)).length).toBeGreaterThan(5);
      expect(lenses).toContain('2 callers');
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });
  });
