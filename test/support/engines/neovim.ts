// Drives a real Neovim without a screen over its own remote procedure calls: start, run Lua inside, wait, close.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addExtension, Packr, UnpackrStream } from 'msgpackr';
import { deadline } from '../patience.ts';
import type { Engine } from './engines.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The plugin's folder, as a user puts it on the runtime path. */
export const pluginFolder = join(root, 'clients', 'neovim');

export type NeovimOptions = {
  /** Where Neovim starts; relative file names count from here. */
  readonly folder: string;
  /** Files to open, the first one in the window. */
  readonly files: readonly string[];
  /** Lua that runs as the user's init.lua, after the plugin's folder was put on the runtime path. */
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another folder to take the plugin from. */
  readonly plugin?: string;
};

/** A running Neovim. */
export type Neovim = {
  /** Runs Lua inside with `...` bound to the arguments and gives what it returns. Rejects on a Lua error. */
  readonly lua: <T>(code: string, ...args: unknown[]) => Promise<T>;
  /** Waits until a Lua expression is true; rejects after 40 s of a free machine, naming it and what :messages say. */
  readonly until: (expression: string, ...args: unknown[]) => Promise<void>;
  /** Types keys, as `nvim_input` takes them. */
  readonly press: (keys: string) => Promise<void>;
  /** Shows a screen of that size, which nobody looks at: from then on Neovim draws. */
  readonly attachScreen: (columns: number, rows: number) => Promise<void>;
  /** All that :messages shows. */
  readonly messages: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Surroundings in which Neovim knows no configuration, data or state but a temporary folder's. */
export type Home = {
  readonly env: NodeJS.ProcessEnv;
  /** The init.lua to start with: `nvim -u init`. */
  readonly init: string;
  readonly remove: () => void;
};

/** Makes a fresh home with an init.lua for the plugin. */
export function neovimHome({ config, env, plugin }: Pick<NeovimOptions, 'config' | 'env' | 'plugin'>): Home {
  const home = mkdtempSync(join(tmpdir(), 'insitu-neovim-'));
  const init = join(home, 'init.lua');
  const lines = ['vim.o.swapfile = false', `vim.opt.runtimepath:prepend(${JSON.stringify(plugin ?? pluginFolder)})`];
  writeFileSync(init, `${[...lines, config ?? ''].join('\n')}\n`);
  const folders = Object.fromEntries(
    ['CONFIG', 'DATA', 'STATE', 'CACHE', 'RUNTIME'].map(kind => {
      const folder = join(home, kind.toLowerCase());
      mkdirSync(folder, { mode: 0o700 });
      return [kind === 'RUNTIME' ? 'XDG_RUNTIME_DIR' : `XDG_${kind}_HOME`, folder];
    }),
  );
  return {
    env: { ...process.env, ...folders, HOME: home, LC_ALL: 'C.UTF-8', ...env },
    init,
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Starts Neovim and waits until it has entered its main loop. */
export async function openNeovim(engine: Engine, options: NeovimOptions): Promise<Neovim> {
  const home = neovimHome(options);
  const args = ['--embed', '--headless', '-u', home.init, '-i', 'NONE', '-n', ...options.files];
  const child = spawn(engine.program('nvim'), args, { cwd: options.folder, env: home.env });
  const call = remoteCalls(child);
  const lua = <T>(code: string, ...given: unknown[]): Promise<T> => call('nvim_exec_lua', [code, given]) as Promise<T>;
  const messages = (): Promise<string> => lua<string>(`return vim.fn.execute('messages')`);
  const until = async (expression: string, ...given: unknown[]): Promise<void> => {
    const isOver = deadline(40_000);
    while (!(await lua<boolean>(`return (${expression}) and true or false`, ...given))) {
      if (isOver()) throw new Error(`waited in vain for ${expression}; messages: ${await messages()}`);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };
  const close = async (): Promise<void> => {
    const gone = new Promise(resolve => child.once('close', resolve));
    const killed = setTimeout(() => child.kill('SIGKILL'), 5000);
    call('nvim_command', ['qall!']).catch(() => undefined);
    await gone;
    clearTimeout(killed);
    home.remove();
  };
  const press = async (keys: string): Promise<void> => {
    await call('nvim_input', [keys]);
  };
  const attachScreen = async (columns: number, rows: number): Promise<void> => {
    await call('nvim_ui_attach', [columns, rows, { ext_linegrid: true, rgb: true }]);
  };
  await until('vim.v.vim_did_enter == 1');
  return { lua, until, press, attachScreen, messages, close };
}

/** Buffers, windows and tabs, which events of a screen name; nobody reads them here. */
for (const type of [0, 1, 2]) addExtension({ type, unpack: bytes => bytes });

/** Neovim's remote procedure calls: [0, id, method, params] out, [1, id, error, result] back, msgpack on the pipes. */
function remoteCalls(child: ChildProcess): (method: string, params: unknown[]) => Promise<unknown> {
  const packr = new Packr({ useRecords: false });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  const unpackr = new UnpackrStream({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' });
  child.stdout?.pipe(unpackr);
  let complaints = '';
  child.stderr?.on('data', chunk => {
    complaints += chunk;
  });
  unpackr.on('data', (message: [number, number, [number, string] | null, unknown]) => {
    const [kind, id, error, result] = message;
    const caller = waiting.get(id);
    if (kind !== 1 || caller === undefined) return;
    waiting.delete(id);
    if (error === null) caller.resolve(result);
    else caller.reject(new Error(error[1]));
  });
  child.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error(`Neovim ended: ${complaints}`));
    waiting.clear();
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      child.stdin?.write(packr.pack([0, last, method, params]));
    });
}
