// Starts a real Helix in a terminal, with the configuration that clients/helix ships and our server in place of the installed one.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../support/engines/engines.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { openTerminal, type Terminal } from '../../support/terminals/terminal.ts';

const client = fileURLToPath(new URL('../../../clients/helix', import.meta.url));

/** Beside it, for the screen alone. */
const look = '[editor]\ngutters = []\nauto-pairs = false\n';

export type HelixOptions = {
  readonly folder: string;
  readonly file: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: NodeJS.ProcessEnv;
};

export type Helix = { readonly terminal: Terminal; readonly close: () => void };

export function openHelix(helix: Engine, tmux: Engine, options: HelixOptions): Helix {
  const home = mkdtempSync(join(tmpdir(), 'insitu-helix-'));
  mkdirSync(join(home, 'helix'));
  const read = (name: string): string => readFileSync(join(client, name), 'utf8');
  const languages = read('languages.toml')
    // Helix gives up a server that takes 20 seconds to start, which it may on a busy machine.
    .replace('command = "insitu"', `command = ${JSON.stringify(process.execPath)}\ntimeout = 120`)
    .replace('args = [', `args = [${JSON.stringify(insituProgram)}, `);
  writeFileSync(join(home, 'helix', 'languages.toml'), languages);
  writeFileSync(join(home, 'helix', 'config.toml'), `${look}\n${read('config.toml')}`);
  const terminal = openTerminal(tmux, {
    command: [helix.program('hx'), options.file],
    folder: options.folder,
    columns: options.columns ?? 180,
    rows: options.rows ?? 190,
    env: { ...process.env, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, HOME: home, ...options.env },
  });
  return {
    terminal,
    close: () => {
      terminal.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Waits until the screen is as wanted, and moves the cursor meanwhile: Helix asks for hints after a key alone. */
export async function untilShown(terminal: Terminal, what: string, wanted: (screen: readonly string[]) => boolean) {
  let looks = 0;
  await terminal.until(what, screen => {
    if (wanted(screen)) return true;
    looks += 1;
    if (looks % 10 === 0) terminal.press('j', 'k');
    return false;
  });
}
