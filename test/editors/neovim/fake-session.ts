// Opens Java text in a real Neovim beside the server whose hints stand in the text: the stage for tests of the plugin alone.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { type Neovim, openNeovim } from '../../support/engines/neovim.ts';
import { deadline } from '../../support/patience.ts';

const fakeServer = fileURLToPath(new URL('fake-server.ts', import.meta.url));
const readHints = readFileSync(new URL('read-hints.lua', import.meta.url), 'utf8');

/** A hint as it stands in a buffer; lines count from 1. */
export type SeenHint = { readonly line: number; readonly text: string; readonly group: string };

export type FakeSession = Neovim & {
  readonly folder: string;
  /** The present hints of the first buffer, `line text`. */
  readonly hints: () => Promise<string[]>;
  /** Waits until the first buffer has just these hints. */
  readonly settle: (expected: readonly string[]) => Promise<void>;
  /** The events that the server saw so far, oldest first; only events of one kind when given. */
  readonly seen: (event?: string) => { event: string; details: unknown }[];
};

export type FakeOptions = {
  readonly options?: string;
  readonly before?: string;
  readonly after?: string;
  /** The message of the server when it starts: a warning, or a piece of information. */
  readonly tells?: string;
  readonly informs?: string;
  /** Answer to the command insitu.status. */
  readonly status?: object;
  /** Answers to insitu's own questions, by their names without `insitu/`. */
  readonly answers?: (folder: string) => FakeAnswers;
  readonly files?: Readonly<Record<string, string>>;
};

/** For each question an answer, or several with the name of the method that each is about. */
export type FakeAnswers = Readonly<Record<string, readonly { readonly name?: string; readonly answer: unknown }[]>>;

/** The hints that stand in a buffer of any session. */
export function hintsIn(neovim: Neovim, buffer = 0): Promise<SeenHint[]> {
  return neovim.lua<SeenHint[]>(readHints, buffer);
}

/** A folder with `A.java` and what Neovim needs to show it beside the fake server. */
export type FakeStage = {
  readonly folder: string;
  /** The user's init.lua. */
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => void;
};

/**
 * Sets the stage for `A.java` with the given text.
 * @param options.options Lua of further entries for setup; `before` and `after`: Lua around it in the init.lua.
 */
export function fakeStage(text: string, options: FakeOptions = {}): FakeStage {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-fake-'));
  const files = { 'A.java': text, 'insitu.json': '{}', 'server.log': '', ...options.files };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const cmd = JSON.stringify([process.execPath, fakeServer, '--stdio']).slice(1, -1);
  return {
    folder,
    config: `${options.before ?? ''}\nrequire('insitu').setup({ cmd = { ${cmd} }, debounce_ms = 50, ${options.options ?? ''} })\n${options.after ?? ''}`,
    env: {
      FAKE_SERVER_LOG: join(folder, 'server.log'),
      FAKE_SERVER_TELLS: options.tells ?? '',
      FAKE_SERVER_INFORMS: options.informs ?? '',
      FAKE_SERVER_STATUS: options.status === undefined ? '' : JSON.stringify(options.status),
      FAKE_SERVER_ANSWERS: JSON.stringify(options.answers?.(folder) ?? {}),
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Opens `A.java` with the given text; options as for the stage. */
export async function openFake(engine: Engine, text: string, options: FakeOptions = {}): Promise<FakeSession> {
  const { folder, config, env, remove } = fakeStage(text, options);
  const neovim = await openNeovim(engine, { folder, files: ['A.java'], config, env });
  onTestFinished(async () => {
    await neovim.close();
    remove();
  });
  const hints = async (): Promise<string[]> => (await hintsIn(neovim, 1)).map(({ line, text }) => `${line} ${text}`);
  const settle = async (expected: readonly string[]): Promise<void> => {
    const isOver = deadline(40_000);
    while ((await hints()).join('\n') !== expected.join('\n')) {
      if (isOver())
        throw new Error(
          `hints are ${JSON.stringify(await hints())}, not ${JSON.stringify(expected)}; messages: ${await neovim.messages()}`,
        );
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };
  const seen = (event?: string): { event: string; details: unknown }[] =>
    readFileSync(join(folder, 'server.log'), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
      .filter(entry => event === undefined || entry.event === event);
  return { ...neovim, folder, hints, settle, seen };
}

/** Lines of a :messages text that speak of an error inside Neovim or the plugin, not of a trouble told to the user. */
export function luaErrors(messages: string): string[] {
  return messages
    .split('\n')
    .filter(line => /E\d{2,4}:|stack traceback|Error (executing|in|detected)|\.lua:\d+|deprecated/.test(line));
}
