// Drives a real Emacs in a terminal: a clean profile, keys and screen through tmux, and Lisp that is run inside through Emacs' own server.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../support/engines/engines.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { openTerminal, type Terminal } from '../../support/terminals/terminal.ts';

/** The package, as a user puts it on the load path. */
export const packageFolder = fileURLToPath(new URL('../../../clients/emacs', import.meta.url));

/** Text as a Lisp string. */
export const lispString = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** The command that starts our server, as the value of `insitu-command`. */
export const serverCommand = [process.execPath, insituProgram];

const bare = `
(setq inhibit-startup-screen t ring-bell-function #'ignore make-backup-files nil auto-save-default nil create-lockfiles nil
      native-comp-jit-compilation nil native-comp-enable-subr-trampolines nil server-socket-dir (expand-file-name "server" user-emacs-directory))
(menu-bar-mode -1)
(setq-default truncate-lines t)
(global-eldoc-mode -1)
(require 'server)
(server-start)`;

/** Configuration with the package; more of it comes before the first file is opened. */
export const withPackage = (more = ''): string => `
(add-to-list 'load-path ${lispString(packageFolder)})
(require 'insitu)
(setq insitu-command '(${serverCommand.map(lispString).join(' ')}))
${more}
(insitu-setup)
(add-hook 'java-mode-hook #'eglot-ensure)`;

/** Configuration without the package: eglot alone. */
export const eglotAlone = (more: readonly string[] = []): string => `
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
    '((java-mode java-ts-mode) . (${[...serverCommand, 'lsp', '--stdio', ...more].map(lispString).join(' ')}))))
(add-hook 'java-mode-hook #'eglot-ensure)`;

export type EmacsOptions = {
  readonly configuration: string;
  readonly folder: string;
  readonly file: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: NodeJS.ProcessEnv;
};

export type Emacs = {
  readonly terminal: Terminal;
  /** Runs Lisp inside and gives its value, as JSON has it. Rejects with Emacs' error. */
  readonly lisp: <T>(code: string) => Promise<T>;
  readonly close: () => void;
};

/** Starts Emacs on a file, with no configuration but the given one. */
export function openEmacs(emacs: Engine, tmux: Engine, options: EmacsOptions): Emacs {
  const home = mkdtempSync(join(tmpdir(), 'insitu-emacs-'));
  const server = join(home, 'server');
  mkdirSync(server, { mode: 0o700 });
  writeFileSync(join(home, 'init.el'), `;; -*- lexical-binding: t; -*-\n${bare}\n${options.configuration}\n`);
  const terminal = openTerminal(tmux, {
    command: [emacs.program('emacs'), '-nw', `--init-directory=${home}`, options.file],
    folder: options.folder,
    columns: options.columns ?? 180,
    rows: options.rows ?? 190,
    env: { ...process.env, HOME: home, COLORTERM: 'truecolor', ...options.env },
  });
  return {
    terminal,
    lisp: async <T>(code: string) => JSON.parse(await evaluate(join(server, 'server'), code)) as T,
    close: () => {
      terminal.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One question in the language of emacsclient; the answer is coded so that no printing changes it. */
function evaluate(socketPath: string, code: string): Promise<string> {
  const lisp = `(base64-encode-string (encode-coding-string (json-encode (with-current-buffer (window-buffer) ${code})) 'utf-8) t)`;
  const quoted = lisp.replace(/[&\n ]|^-/g, each => ({ '&': '&&', '\n': '&n', ' ': '&_' })[each] ?? `&${each}`);
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    let answer = '';
    socket.setEncoding('utf8').setTimeout(30_000, () => socket.destroy(new Error(`Emacs does not answer ${code}`)));
    socket.on('connect', () => socket.write(`-eval ${quoted}\n`));
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const printed = answer
        .split('\n')
        .filter(line => /^-print(-nonl)? /.test(line))
        .map(line => line.slice(line.indexOf(' ') + 1))
        .join('');
      if (printed === '') reject(new Error(`${code}: ${answer.replaceAll('&_', ' ')}`));
      else resolve(Buffer.from(printed.replace(/^"|"$/g, ''), 'base64').toString('utf8'));
    });
  });
}
