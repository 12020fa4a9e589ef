// A Neovim with the fake server in which words of :Insitu are run: what is offered then, what the server is asked, and what the user is told.
import { expect } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { shopAnswers } from './fake-answers.ts';
import { type FakeOptions, type FakeSession, openFake } from './fake-session.ts';

const text = 'class Shop {\n  void search(String what) { // hint 0.62 62%\n  }\n}\n';
const files = { 'B.java': 'class B {\n  // one\n  void take() {}\n  void unsure() {}\n}\n' };

/** Answers vim.ui.select by the beginnings of lines, one after the other, and keeps what was offered. */
const chooser = `
  _G.offered, _G.wanted = {}, {}
  vim.ui.select = function(items, options, on_choice)
    local lines = vim.tbl_map(options.format_item, items)
    table.insert(offered, { prompt = options.prompt, lines = lines })
    local want = table.remove(wanted, 1)
    for index, line in ipairs(lines) do
      if want and vim.startswith(vim.trim(line), want) then
        return on_choice(items[index], index)
      end
    end
    on_choice(nil, nil)
  end`;

type Offer = { prompt: string; lines: string[] };

/** Opens Neovim on a method with a hint, the cursor on its name. */
export async function openWords(program: Engine, options: FakeOptions = {}): Promise<FakeSession> {
  const session = await openFake(program, text, { answers: shopAnswers, files, before: chooser, ...options });
  await session.settle(['2 62%']);
  await session.lua(`vim.api.nvim_win_set_cursor(0, { 2, 8 })`);
  return session;
}

/** Types a command; the lines that begin like `choices` are picked from what is offered. */
export async function run(session: FakeSession, command: string, ...choices: string[]): Promise<Offer[]> {
  return session.lua<Offer[]>(
    `local command, choices = ...
    offered, wanted = {}, choices
    vim.cmd(command)
    vim.wait(20000, function() return #wanted == 0 and (#choices == 0 or #offered > 0) end, 5)
    return offered`,
    command,
    choices,
  );
}

/** How the open file is named in a question. */
export const about = (session: FakeSession) => ({ textDocument: { uri: `file://${session.folder}/A.java` } });

/** Waits until the server was asked this last. */
export async function asked(session: FakeSession, question: string, params: object): Promise<void> {
  await expect
    .poll(() => session.seen('ask').at(-1)?.details, { timeout: 30_000 })
    .toEqual({ method: `insitu/${question}`, params });
}

/** Waits until the user was told this. */
export const told = (session: FakeSession, line: string): Promise<void> =>
  session.until(`vim.fn.execute('messages'):find(..., 1, true)`, line);
