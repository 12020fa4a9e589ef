// Ours and a real Eclipse JDT LS in a real Neovim, as two servers on one buffer and as one by `--wrap`: both show, neither breaks the other.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectedHints, sampleSources } from '../../oracle/oracle.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { type Neovim, openNeovim } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { type ShopInGit, second, shopInGit } from '../neovim/expected-shop.ts';
import { hintsIn, luaErrors } from '../neovim/fake-session.ts';
import { floating, press } from '../neovim/floating.ts';
import { shopConfig } from '../neovim/shop.ts';
import { eclipseArguments, SETTINGS } from './jdtls.ts';

const SHOP = 'com/acme/shop/Shop.java';
const shopText = readFileSync(join(sampleSources('v2'), SHOP), 'utf8').split('\n');
/** Eclipse takes its time with what it is asked first. */
const SLOW = { timeout: 100_000, interval: 300 };
/** Eclipse reads the whole project before it gives any hints. */
const LATE = { timeout: 200_000, interval: 300 };
/** The configuration of a user to start the Java server. The screen has room for the whole file; choices are made by the test. */
const JAVA_CONFIG = `
  vim.o.lines = 400
  local start = vim.json.decode(vim.env.TEST_JAVA_SERVER)
  vim.api.nvim_create_autocmd('FileType', { pattern = 'java', callback = function()
    vim.lsp.start({ name = 'java', cmd = start.cmd, root_dir = vim.fn.getcwd(), settings = start.settings,
      init_options = { settings = start.settings, insitu = vim.empty_dict() } })
  end })
  vim.ui.select = function(items, _, on_choice)
    vim.g.choices = #items
    on_choice(items[1], 1)
  end
  vim.fn.inputlist = function() return 1 end`;

const editors = readFileSync(new URL('../../../docs/editors.md', import.meta.url), 'utf8');
/** The lines of the documentation with which a user sees the hints of Eclipse. */
const documented = /```lua\n([^`]*registerCapability[^`]*)```/.exec(editors)![1]!;

type Session = { readonly neovim: Neovim; close(): Promise<void> };

needs('jdtls', 'in Neovim', jdtls =>
  needs('jdk17', 'on the sample', () =>
    needs('jdk25', 'by the oracle', java => {
      let shop: ShopInGit;
      let wanted: { readonly line: number; readonly text: string }[];
      beforeAll(() => {
        shop = shopInGit();
        wanted = expectedHints(second)[0]!
          .hints.filter(({ file }) => file === SHOP)
          .sort((a, b) => a.line - b.line);
      });
      afterAll(() => shop?.remove());

      async function open(program: Engine, config: string, before: readonly string[]): Promise<Session> {
        const folder = mkdtempSync(join(tmpdir(), 'insitu-two-'));
        const cmd = [...before, ...eclipseArguments(jdtls, folder)];
        const neovim = await openNeovim(program, {
          folder: shop.repository.root,
          files: [`src/main/java/${SHOP}`],
          config: `${JAVA_CONFIG}\n${config}`,
          env: {
            INSITU_STORE: shop.store,
            ...shop.repository.env,
            TEST_JAVA_SERVER: JSON.stringify({ cmd, settings: SETTINGS }),
          },
        });
        const close = async (): Promise<void> => {
          // Eclipse lives on for a while when nobody tells it to end.
          await neovim.lua(`vim.lsp.stop_client(vim.lsp.get_clients(), true)
            vim.wait(5000, function() return #vim.lsp.get_clients() == 0 end, 50)`);
          await neovim.close();
          rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
        };
        return { neovim, close };
      }

      for (const engine of neovims())
        needs(engine, `two servers in ${engine}`, program => {
          let session: Session;
          beforeAll(async () => {
            session = await open(program, `${documented}\n${shopConfig()}`, [java.program('java')]);
          });
          afterAll(() => session?.close());
          checkTwo(
            () => session.neovim,
            () => wanted,
          );
        });

      needs('nvim012', 'one server by --wrap in nvim012', program => {
        let session: Session;
        beforeAll(async () => {
          const wrap = [process.execPath, insituProgram, 'lsp', '--stdio', '--wrap', `"${java.program('java')}"`, '--'];
          session = await open(program, `vim.lsp.inlay_hint.enable(true)\n${shopConfig()}`, wrap);
        });
        afterAll(() => session?.close());
        checkOne(
          () => session.neovim,
          () => wanted,
        );
      });
    }),
  ),
);

type Hints = readonly { readonly line: number; readonly text: string }[];

/** Goes to the method `search`. */
async function goToSearch(neovim: Neovim): Promise<void> {
  await neovim.lua(`vim.fn.cursor(1, 1) vim.fn.search(' search(', 'e') vim.fn.search('search', 'b')`);
}

/** The answers of servers by name to a question about the cursor's place, as text. */
function answers(neovim: Neovim, method: string): Promise<Record<string, string>> {
  return neovim.lua(
    `local found = {}
    for id, answer in pairs(vim.lsp.buf_request_sync(0, ..., vim.lsp.util.make_position_params(0, 'utf-16'), 20000) or {}) do
      if answer.result and answer.result ~= vim.NIL then
        found[vim.lsp.get_client_by_id(id).name] = vim.json.encode(answer.result)
      end
    end
    return next(found) and found or vim.empty_dict()`,
    method,
  );
}

/** Hints that insitu's plugin draws. */
function shown(neovim: Neovim): Promise<string[]> {
  return drawn(neovim, group => group.startsWith('Insitu'));
}

/** Hints that Neovim draws itself, of whatever server. */
function drawnByNeovim(neovim: Neovim): Promise<string[]> {
  return drawn(neovim, group => !group.startsWith('Insitu'));
}

async function drawn(neovim: Neovim, isWanted: (group: string) => boolean): Promise<string[]> {
  const hints = await hintsIn(neovim, 1);
  return hints.filter(({ group }) => isWanted(group)).map(({ line, text }) => `${line} ${text}`);
}

/** The hint of Eclipse at the only call of `similar`: the name of its second parameter. */
function parameterName(moved = 0): string {
  return `${1 + moved + shopText.findIndex(text => text.includes('recommender.similar(product, 5)'))} limit:`;
}

function lines(hints: Hints, moved = 0): string[] {
  return hints.map(({ line, text }) => `${line + moved} ${text}`);
}

/** Messages of diagnostics in the buffer. */
function diagnostics(neovim: Neovim): Promise<string> {
  return neovim.lua(
    `return table.concat(vim.tbl_map(function(each) return each.message end, vim.diagnostic.get(1)), '\\n')`,
  );
}

/** The texts of the quickfix list. */
function quickfix(neovim: Neovim): Promise<string[]> {
  return neovim.lua(`return vim.tbl_map(function(each) return each.text end, vim.fn.getqflist())`);
}

async function checkTyping(neovim: Neovim): Promise<void> {
  await neovim.lua(
    `vim.fn.append(vim.fn.search(' search('), '    int wrong = "text";')
    return 0`,
  );
  await expect.poll(() => diagnostics(neovim), SLOW).toContain('cannot convert from String to int');
  await neovim.lua(`vim.cmd('silent undo')`);
  await expect.poll(() => diagnostics(neovim), SLOW).not.toContain('cannot convert from String to int');
}

/** Renames a method by Eclipse: the hint at the call of it stays under the new name. */
async function checkRename(neovim: Neovim, wanted: Hints): Promise<void> {
  const call = wanted.find(({ text }) => text.includes('→ isFiller()'))!;
  expect(call).toBeDefined();
  await neovim.lua(`vim.fn.cursor(1, 1) vim.fn.search('!isFiller', 'e') vim.fn.search('isFiller', 'bc', vim.fn.line('.'))
    vim.lsp.buf.rename('isStopWord', { name = 'java' })`);
  const text = () => neovim.lua<string>(`return vim.fn.getline(...)`, call.line);
  await expect.poll(text, SLOW).toContain('!isStopWord(');
  await expect
    .poll(() => shown(neovim), SLOW)
    .toContain(`${call.line} ~${call.text.replace('isFiller', 'isStopWord')}`);
  await neovim.lua(`vim.cmd('silent undo')`);
  await expect.poll(() => shown(neovim), SLOW).toEqual(lines(wanted));
}

function checkTwo(session: () => Neovim, wanted: () => Hints): void {
  test('hints of ours stand while Eclipse starts', async () => {
    await expect.poll(() => shown(session()), SLOW).toEqual(lines(wanted()));
  });

  test('the parameter names of Eclipse come beside them, though it answers much later', async () => {
    const neovim = session();
    await expect.poll(() => drawnByNeovim(neovim), LATE).toContain(parameterName());
    expect(await shown(neovim)).toEqual(lines(wanted()));
    // Each draws its own: nothing of ours stands there twice.
    for (const { line, text } of wanted()) expect(await drawnByNeovim(neovim)).not.toContain(`${line} ${text}`);
  });

  test('both answer a hover', async () => {
    const neovim = session();
    await goToSearch(neovim);
    await expect
      .poll(() => answers(neovim, 'textDocument/hover'), SLOW)
      .toMatchObject({
        java: expect.stringContaining('Products that match a query'),
        insitu: expect.stringContaining('samples'),
      });
  });

  test('hints move with the text, and the errors of Eclipse come and go', async () => {
    const neovim = session();
    await neovim.lua(`vim.api.nvim_buf_set_lines(1, 0, 0, false, { '' })`);
    await expect.poll(() => shown(neovim), SLOW).toEqual(lines(wanted(), 1));
    await expect.poll(() => drawnByNeovim(neovim), SLOW).toContain(parameterName(1));
    await neovim.lua(`vim.cmd('silent undo')`);
    await checkTyping(neovim);
    await expect.poll(() => shown(neovim), SLOW).toEqual(lines(wanted()));
  });

  test('after a rename by Eclipse the caller keeps its hint under the new name', () =>
    checkRename(session(), wanted()));

  test("Neovim's call hierarchy offers both, and ours is a command away", async () => {
    const neovim = session();
    await goToSearch(neovim);
    await neovim.lua(`vim.cmd('Insitu callees')`);
    await expect.poll(async () => (await floating(neovim))?.lines.join('\n') ?? '', SLOW).toContain('Ranker.best');
    await press(neovim, 'q');
    await goToSearch(neovim);
    await expect
      .poll(() => answers(neovim, 'textDocument/prepareCallHierarchy'), SLOW)
      .toMatchObject({ java: expect.stringContaining('search'), insitu: expect.stringContaining('search') });
    await neovim.lua(`vim.fn.setqflist({}) vim.g.choices = 0 vim.lsp.buf.outgoing_calls()`);
    await expect.poll(() => quickfix(neovim), SLOW).not.toEqual([]);
    if (await neovim.lua<boolean>(`return vim.fn.has('nvim-0.11') == 1`))
      expect(await neovim.lua('return vim.g.choices')).toBe(2);
    expect(luaErrors(await neovim.messages())).toEqual([]);
  });
}

function checkOne(session: () => Neovim, wanted: () => Hints): void {
  test('the plugin draws ours in colour, Neovim those of Eclipse when it has read the project, and no second server runs', async () => {
    const neovim = session();
    await expect.poll(() => drawnByNeovim(neovim), LATE).toContain(parameterName());
    await expect.poll(() => shown(neovim), SLOW).toEqual(lines(wanted()));
    for (const { line, text } of wanted()) expect(await drawnByNeovim(neovim)).not.toContain(`${line} ${text}`);
    const names = `return vim.tbl_map(function(client) return client.name end, vim.lsp.get_clients())`;
    expect(await neovim.lua(names)).toEqual(['java']);
    await goToSearch(neovim);
    await neovim.lua(`vim.cmd('Insitu callees')`);
    await expect.poll(async () => (await floating(neovim))?.lines.join('\n') ?? '', SLOW).toContain('Ranker.best');
    await press(neovim, 'q');
  });

  test('one hover has what both say', async () => {
    const neovim = session();
    await goToSearch(neovim);
    await expect
      .poll(async () => (await answers(neovim, 'textDocument/hover')).java, SLOW)
      .toMatch(/Products that match a query.*insitu.*samples/s);
  });

  test('after a rename by Eclipse the caller keeps its hint under the new name', () =>
    checkRename(session(), wanted()));

  test('errors come and go, and the call hierarchy is in the order of what ran', async () => {
    const neovim = session();
    await checkTyping(neovim);
    await goToSearch(neovim);
    const calls = async () => {
      await neovim.lua(`vim.fn.setqflist({}) vim.lsp.buf.outgoing_calls()`);
      await neovim.until('#vim.fn.getqflist() > 0');
      return (await quickfix(neovim)).join('\n');
    };
    await expect.poll(calls, SLOW).toMatch(/^best\(.*Without\.find/s);
    expect(luaErrors(await neovim.messages())).toEqual([]);
  });
}
