// The colours of the sample's hints on a real screen's worth of lines: the groups of heat, of changes, and of code that has changed.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ExpectedHint, type ExpectedHints, expectedHints } from '../../oracle/oracle.ts';
import { needs } from '../../support/engines/needs.ts';
import type { Neovim } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { first, openAll, renamed, type ShopInGit, second, shopInGit } from './expected-shop.ts';
import { luaErrors } from './fake-session.ts';

const FILES = ['Shop.java', 'search/Ranker.java', 'search/TextIndex.java', 'search/Trie.java'].map(
  name => `com/acme/shop/${name}`,
);

/** Of each hint that is drawn in a buffer its line, and its pieces with their groups. */
const drawnInLua = `
  local buffer = vim.fn.bufnr('src/main/java/' .. ...)
  if vim.fn.bufnr() ~= buffer then vim.cmd.buffer(buffer) end
  local namespace = vim.api.nvim_create_namespace('insitu.hints')
  local drawn = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })) do
    local pieces = {}
    for _, chunk in ipairs(mark[4].virt_text or {}) do
      local text = vim.trim(chunk[1])
      if text ~= '' then pieces[#pieces + 1] = text .. ' ' .. tostring(chunk[2]) end
    end
    drawn[#drawn + 1] = (mark[2] + 1) .. ': ' .. table.concat(pieces, ', ')
  end
  return drawn`;

/** Steps begin at 4, 16, 36 and 64 percent. */
function step(heat: number): number {
  return 1 + [0.04, 0.16, 0.36, 0.64].filter(from => heat >= from).length;
}

/** The colours of a hint by the help: the share has the colour of its heat, the change the colour of changes that are not tested. */
function wanted({ line, text, heat, change, kind }: ExpectedHint): string {
  const group = `InsituHeat${step(heat)}`;
  if (change === null || kind === 'call') return `${line}: ${text} ${group}`;
  const [share, rest = ''] = text.split(` ${change.text}`);
  return `${line}: ${share} ${group}, ${change.text} InsituSame${rest === '' ? '' : `, ${rest.trim()} ${group}`}`;
}

needs('jdk17', 'colours of the sample', () => needs('jdk25', 'by the oracle', checkColours));

function checkColours(): void {
  let shop: ShopInGit;
  let now: ExpectedHints;
  let against: ExpectedHints;
  beforeAll(() => {
    [now, against] = expectedHints(second, { ...second, before: first, renamed }) as [ExpectedHints, ExpectedHints];
    shop = shopInGit();
  });
  afterAll(() => shop?.remove());

  for (const engine of neovims())
    needs(engine, `in ${engine}`, program => {
      async function expectDrawn(neovim: Neovim, file: string, lines: readonly string[]): Promise<void> {
        await expect.poll(() => neovim.lua(drawnInLua, file), { timeout: 20_000 }).toEqual(lines);
      }
      const of = ({ hints }: ExpectedHints, file: string) => hints.filter(hint => hint.file === file);

      test('of heat, of changes against a baseline, and of changed code', async () => {
        const neovim = await openAll(program, shop, `debounce_ms = 20, marks = { 'text' }`);
        onTestFinished(() => neovim.close());
        for (const file of FILES) await expectDrawn(neovim, file, of(now, file).map(wanted));
        const [file] = FILES as [string];
        const changed = of(now, file).find(({ kind, method }) => kind === 'method' && method.includes('.advise('))!;
        await neovim.lua(`vim.cmd.buffer('src/main/java/' .. ...)`, file);
        await neovim.lua(
          `vim.api.nvim_buf_set_lines(0, ..., ..., true, { '        int insituProbe = 0;' })`,
          changed.line,
        );
        const edited = of(now, file).map(hint => {
          if (hint === changed) return `${hint.line}: ~${hint.share} · changed InsituStale${step(hint.heat)}`;
          const moved = wanted(hint.line > changed.line ? { ...hint, line: hint.line + 1 } : hint);
          // The known calls of a changed method are of the old code too.
          return hint.method === changed.method ? moved.replace('InsituHeat', 'InsituStale') : moved;
        });
        await expectDrawn(neovim, file, edited);
        await neovim.lua(`vim.cmd('silent undo') vim.cmd('Insitu compare v1')`);
        for (const each of FILES) await expectDrawn(neovim, each, of(against, each).map(wanted));
        expect(luaErrors(await neovim.messages())).toEqual([]);
      });
    });
}
