// Every hint of every file while the text is edited above, inside and over methods, and when other commits are checked out, against the oracle.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ExpectedHint, type ExpectedHints, expectedHints, sampleSources } from '../../oracle/oracle.ts';
import { needs } from '../../support/engines/needs.ts';
import type { Neovim } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { expectHints, first, openAll, type ShopInGit, second, shopInGit, wantedLines } from './expected-shop.ts';
import { luaErrors } from './fake-session.ts';

type Edit = {
  readonly file: string;
  readonly line: number;
  readonly before: number;
  readonly lines: readonly string[];
};

const PROBE = '        int insituProbe = 0;';

needs('jdk17', 'hints of edited text', () => needs('jdk25', 'by the oracle', checkEdits));

function linesOf(file: string): string[] {
  return readFileSync(join(sampleSources('v2'), file), 'utf8').split('\n');
}

/** Methods of types of the outermost level with nothing else on their line and their body's first line behind it, some of each file. */
function plainMethods({ hints }: ExpectedHints): Map<string, ExpectedHint[]> {
  const methods = hints.filter(({ file, line, kind, method, others }) => {
    const text = linesOf(file)[line - 1]!;
    return kind === 'method' && others === 0 && !/<(cl)?init>/.test(method) && /^ {4}\S.*\{$/.test(text);
  });
  return Map.groupBy(methods, ({ file }) => file);
}

/** The lines of a method, 1-based and inclusive: down to the brace that closes it. */
function lastLine({ file, line }: ExpectedHint): number {
  return line + linesOf(file).slice(line).indexOf('    }') + 1;
}

function moved(hints: readonly ExpectedHint[], how: (hint: ExpectedHint) => Partial<ExpectedHint>): string[] {
  const all = hints.map(hint => ({ ...hint, ...how(hint) }));
  return wantedLines({ hints: all, files: [], totals: { samples: 0, truncated: 0, weight: 0, ties: 0, hints: {} } });
}

async function apply(neovim: Neovim, edits: readonly Edit[]): Promise<void> {
  await neovim.lua(
    `for _, edit in ipairs(...) do
      local buffer = vim.fn.bufnr('src/main/java/' .. edit.file)
      vim.api.nvim_buf_set_lines(buffer, edit.line, edit.line + edit.before, true, edit.lines)
    end`,
    edits,
  );
}

/** Takes back what was edited: all files as they are on disk. */
async function restore(neovim: Neovim): Promise<void> {
  await neovim.lua(
    `for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.bo[buffer].filetype == 'java' and vim.bo[buffer].modified then
        vim.api.nvim_buf_call(buffer, function() vim.cmd('silent undo 0') end)
      end
    end`,
  );
}

/** Reads files anew that are others on disk, and forgets files that are gone. */
const reload = `
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(buffer)
    if name:match('%.java$') then
      if vim.fn.filereadable(name) == 0 then
        vim.cmd.bwipeout({ buffer, bang = true })
      elseif not vim.deep_equal(vim.fn.readfile(name), vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) then
        vim.api.nvim_buf_call(buffer, function() vim.cmd('silent edit!') end)
      end
    end
  end`;

/** The status of the server about the shown data. */
const shownInLua = `
  local text
  local client = vim.lsp.get_clients({ name = 'insitu' })[1]
  local function take(_, status) text = status and status.text or '' end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('insitu/status', vim.empty_dict(), take, 0)
  else
    client.request('insitu/status', vim.empty_dict(), take, 0)
  end
  vim.wait(15000, function() return text ~= nil end, 5)
  return text or ''`;

function checkEdits(): void {
  let shop: ShopInGit;
  let now: ExpectedHints;
  let then: ExpectedHints;
  beforeAll(() => {
    [then, now] = expectedHints(first, second) as [ExpectedHints, ExpectedHints];
    shop = shopInGit();
  });
  afterAll(() => shop?.remove());

  for (const engine of neovims())
    needs(engine, `in ${engine}`, program => {
      async function open(): Promise<Neovim> {
        shop.repository.git('checkout', '--quiet', '--force', 'v2');
        const neovim = await openAll(program, shop, 'debounce_ms = 20');
        onTestFinished(async () => {
          expect(luaErrors(await neovim.messages())).toEqual([]);
          await neovim.close();
        });
        await expectHints(neovim, wantedLines(now));
        return neovim;
      }

      test('lines above move every hint and change none', async () => {
        const neovim = await open();
        const files = now.files.map(({ file }) => file);
        await apply(
          neovim,
          files.map(file => ({ file, line: 0, before: 0, lines: ['// one', '', '/* two */'] })),
        );
        await expectHints(
          neovim,
          moved(now.hints, ({ line }) => ({ line: line + 3 })),
        );
      });

      test('a line inside marks its method as changed, and no other', async () => {
        const neovim = await open();
        const methods = plainMethods(now);
        let tried = 0;
        for (let round = 0; round < 3; round++) {
          const edited = [...methods.values()].flatMap(ofFile => ofFile.slice(round, round + 1));
          tried += edited.length;
          const changedIn = new Map(edited.map(method => [method.file, method]));
          await apply(
            neovim,
            edited.map(({ file, line }) => ({ file, line, before: 0, lines: [PROBE] })),
          );
          const wanted = moved(now.hints, hint => {
            const changed = changedIn.get(hint.file);
            if (changed === undefined || hint.line < changed.line) return {};
            return hint === changed ? { text: `~${hint.share} · changed` } : { line: hint.line + 1 };
          });
          // Which of several equal calls of a changed method is which cannot be told.
          const unsure = now.hints.filter(hint => {
            const changed = changedIn.get(hint.file);
            if (changed === undefined || hint.line <= changed.line || hint.line > lastLine(changed)) return false;
            const body = linesOf(hint.file)
              .slice(changed.line, lastLine(changed))
              .map(text => text.trim());
            return body.filter(text => text === body[hint.line - changed.line - 1]).length > 1;
          });
          expect(unsure.length).toBeLessThan(4);
          await expectHints(neovim, wanted);
          await restore(neovim);
        }
        expect(tried).toBeGreaterThan(60);
      });

      test('methods of another name keep all that they had', async () => {
        const neovim = await open();
        const edited = [...plainMethods(now).values()].flatMap(ofFile => ofFile.slice(0, 1));
        const edits = edited.map(({ file, line }): Edit => {
          const text = linesOf(file)[line - 1]!;
          return { file, line: line - 1, before: 1, lines: [text.replace(/(\w+)\(/, 'other$1(')] };
        });
        await apply(neovim, edits);
        await expectHints(neovim, wantedLines(now));
        expect(edits.length).toBeGreaterThan(25);
      });

      test('another branch moves them, and the commit of the first version brings its own', async () => {
        const neovim = await open();
        const { repository } = shop;
        const files = [...plainMethods(now).keys()].slice(0, 8);
        repository.git('checkout', '--quiet', '-B', `later-${engine}`);
        repository.commit(
          Object.fromEntries(
            files
              .map(file => `src/main/java/${file}`)
              .map(path => [path, `// later\n${readFileSync(join(repository.root, path), 'utf8')}`]),
          ),
        );
        await neovim.lua(reload);
        const below = moved(now.hints, ({ file, line }) => ({ line: files.includes(file) ? line + 1 : line }));
        await expectHints(neovim, below);
        repository.git('checkout', '--quiet', 'v1');
        await neovim.lua(reload);
        await expect
          .poll(() => neovim.lua<string>(shownInLua), { timeout: 40_000, interval: 500 })
          .toContain('shop v1');
        await expectHints(neovim, wantedLines(then));
      });
    });
}
