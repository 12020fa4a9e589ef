// How this process starts another `insitu`.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The command that starts `insitu` as this process was started: `insitu-lsp` stands beside it. */
export function ownCommand(script = process.argv[1] ?? ''): [string, ...string[]] {
  const real = existsSync(script) ? realpathSync(script) : script;
  const isForEditors = /^insitu-lsp(?:\.cjs)?$/.test(basename(real));
  return [process.execPath, ...process.execArgv, isForEditors ? join(dirname(real), 'insitu.cjs') : real];
}
