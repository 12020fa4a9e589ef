// Runs a program in a real terminal (tmux) and reads its screen, as text or with its colours.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../engines/engines.ts';
import { deadline } from '../patience.ts';

export type TerminalOptions = {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly columns: number;
  readonly rows: number;
  readonly env?: NodeJS.ProcessEnv;
};

/** A terminal with a running program. */
export type Terminal = {
  /** The lines of the screen, without trailing blanks. */
  readonly screen: () => string[];
  /** The lines of the screen with the escape sequences of their colours. */
  readonly styled: () => string;
  /** Presses keys, in tmux's spelling: `Enter`, `C-d`; other words are typed letter by letter. */
  readonly press: (...keys: string[]) => void;
  /** Waits until the screen is as wanted; rejects after 40 s with what stood there. */
  readonly until: (what: string, wanted: (screen: readonly string[]) => boolean) => Promise<void>;
  readonly close: () => void;
};

/** Opens a terminal of its own server, so that no other session or configuration of tmux is touched. */
export function openTerminal(tmux: Engine, { command, folder, columns, rows, env }: TerminalOptions): Terminal {
  const home = mkdtempSync(join(tmpdir(), 'insitu-terminal-'));
  const configuration = join(home, 'tmux.conf');
  writeFileSync(
    configuration,
    [
      'set -g default-terminal tmux-256color',
      'set -g status off',
      'set -sg escape-time 0',
      'set -ga terminal-overrides ",*:Tc"',
      '',
    ].join('\n'),
  );
  const surroundings = {
    ...process.env,
    TERM: 'xterm-256color',
    LC_ALL: 'C.UTF-8',
    ...env,
    TMUX_TMPDIR: home,
    TMUX: '',
  };
  const run = (...args: string[]): string =>
    execFileSync(tmux.program('tmux'), ['-L', 'insitu', '-f', configuration, ...args], {
      cwd: folder,
      env: surroundings,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  run('new-session', '-d', '-x', String(columns), '-y', String(rows), ...command);
  const screen = (): string[] =>
    run('capture-pane', '-p')
      .split('\n')
      .map(line => line.trimEnd())
      .slice(0, rows);
  const until = async (what: string, wanted: (screen: readonly string[]) => boolean): Promise<void> => {
    const isOver = deadline(40_000);
    while (!wanted(screen())) {
      if (isOver()) throw new Error(`waited in vain for ${what}; the screen shows:\n${screen().join('\n')}`);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  };
  const close = (): void => {
    try {
      run('kill-server');
    } catch {
      // The program has ended by itself, and the server with it.
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return {
    screen,
    styled: () => run('capture-pane', '-p', '-e', '-N'),
    press: (...keys) => {
      run('send-keys', ...keys);
    },
    until,
    close,
  };
}
