// Both versions of the sample shop in a git repository, with their numbers in a store, and all of its files open in one Neovim.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ExpectedHints, type Recorded, sampleFolder, sampleRecordings } from '../../oracle/oracle.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { type Neovim, openNeovim } from '../../support/engines/neovim.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { shopConfig } from './shop.ts';

const SOURCES = 'src/main/java';

/** The recordings of a version on JDK 17. */
export function recordedOn17(version: 'v1' | 'v2'): Recorded {
  const recordings = sampleRecordings
    .filter(each => each.version === version && each.jdk === 17)
    .map(({ path }) => path);
  return { version, jdk: 17, recordings };
}

export const [first, second] = [recordedOn17('v1'), recordedOn17('v2')];

/** Methods that the second version renamed or moved: now, and in the first. `Stemmer.stem` became static on its way. */
export const renamed: Readonly<Record<string, string>> = {
  'com.acme.shop.search.Ranker.relevanceOf': 'com.acme.shop.search.Ranker.scoreOf',
  'com.acme.shop.search.Stemmer.stem': 'com.acme.shop.search.Tokenizer.stem',
};

/** Two commits with tags `v1` and `v2`, the second checked out, and a store with the numbers of both. */
export type ShopInGit = {
  readonly repository: ScratchRepository;
  readonly store: string;
  readonly remove: () => void;
};

export function shopInGit(): ShopInGit {
  const repository = new ScratchRepository();
  const store = mkdtempSync(join(tmpdir(), 'insitu-both-'));
  for (const { version, recordings } of [first, second]) {
    repository.commitFolder(sampleFolder(version));
    repository.git('tag', version);
    const whose = ['--project', 'shop', '--program', 'shop', '--version', version, '--store', store];
    execFileSync(process.execPath, [insituProgram, 'import', ...recordings, ...whose], { stdio: 'pipe' });
  }
  const remove = (): void => {
    repository.remove();
    rmSync(store, { recursive: true, force: true, maxRetries: 5 });
  };
  return { repository, store, remove };
}

/** Opens Neovim in the repository with all Java files in buffers, all known to the server. */
export async function openAll(engine: Engine, { repository, store }: ShopInGit, more = ''): Promise<Neovim> {
  const files = javaFiles(repository.root);
  const neovim = await openNeovim(engine, {
    folder: repository.root,
    files: [files.find(file => file.endsWith('/Shop.java'))!],
    config: shopConfig(more),
    env: { INSITU_STORE: store, ...repository.env },
  });
  await neovim.until(`require('insitu').statusline():match('^insitu: [1-9]%d* hint')`);
  await neovim.lua(
    `for _, file in ipairs(...) do
      local buffer = vim.fn.bufadd(file)
      vim.fn.bufload(buffer)
      vim.bo[buffer].buflisted = true
      if vim.bo[buffer].filetype ~= 'java' then vim.bo[buffer].filetype = 'java' end
    end`,
    files,
  );
  return neovim;
}

function javaFiles(folder: string): string[] {
  return globSync(`${SOURCES}/**/*.java`, { cwd: folder }).sort();
}

/** Lua function `ask(buffer, method, params)`: what the server answers, nil for null; an error where it does not. */
export const askInLua = `
  local function ask(buffer, method, params)
    local client = vim.lsp.get_clients({ name = 'insitu' })[1]
    params.textDocument = params.textDocument or { uri = vim.uri_from_bufnr(buffer) }
    local answer
    local function take(failure, result) answer = { failure, result } end
    if vim.fn.has('nvim-0.11') == 1 then
      client:request(method, params, take, buffer)
    else
      client.request(method, params, take, buffer)
    end
    vim.wait(15000, function() return answer ~= nil end, 2)
    assert(answer, method .. ' is not answered')
    assert(not answer[1], vim.inspect(answer[1]))
    if answer[2] == vim.NIL then return nil end
    return answer[2]
  end
`;

/** The hints of every file as the server gives them to this Neovim: `file:line kind text` and, with a baseline, angle and verdict. */
export function hintsOfAll(neovim: Neovim): Promise<string[]> {
  return neovim.lua<string[]>(
    `local lines, waiting = {}, 0
    local client = vim.lsp.get_clients({ name = 'insitu' })[1]
    local function add(name, hints)
      for _, hint in ipairs(hints or {}) do
        local label = hint.label
        if type(label) == 'table' then
          label = table.concat(vim.tbl_map(function(part) return part.value end, label))
        end
        local change = hint.data.change
        change = type(change) == 'table'
          and (' (%d %s)'):format(change.angle, change.verdict) or ''
        lines[#lines + 1] = ('%s:%d %s %s%s'):format(name, hint.position.line + 1, hint.data.kind, vim.trim(label), change)
      end
    end
    -- All at once: each answer waits for what is not known yet.
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.bo[buffer].filetype == 'java' then
        local name = vim.api.nvim_buf_get_name(buffer):match('${SOURCES}/(.*)$')
        local last = vim.api.nvim_buf_line_count(buffer)
        local question = {
          textDocument = { uri = vim.uri_from_bufnr(buffer) },
          range = { start = { line = 0, character = 0 }, ['end'] = { line = last, character = 0 } },
        }
        local function take(_, hints)
          waiting = waiting - 1
          add(name, hints)
        end
        waiting = waiting + 1
        if vim.fn.has('nvim-0.11') == 1 then
          client:request('textDocument/inlayHint', question, take, buffer)
        else
          client.request('textDocument/inlayHint', question, take, buffer)
        end
      end
    end
    vim.wait(18000, function() return waiting == 0 end, 5)
    table.sort(lines)
    return lines`,
  );
}

/** The lines that the oracle asks for, written in the same way. */
export function wantedLines({ hints }: ExpectedHints): string[] {
  return hints
    .map(({ file, line, kind, text, change }) => {
      const shown = kind === 'initializer' ? 'method' : kind;
      const moved = change === null ? '' : ` (${change.angle} ${change.verdict})`;
      return `${file}:${line} ${shown} ${text}${moved}`;
    })
    .sort(byCodeUnits);
}

function byCodeUnits(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Waits until the hints of all files are those lines, and no others. */
export async function expectHints(neovim: Neovim, wanted: readonly string[]): Promise<void> {
  await expect.poll(() => hintsOfAll(neovim), { timeout: 25_000, interval: 100 }).toEqual(wanted);
}
