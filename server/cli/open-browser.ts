// Opens an address in the user's browser, without waiting for it.
import { spawn } from 'node:child_process';
import { findProgram, withAbsolutePath } from '../base/find-program.ts';

/** Program and arguments that open an address on each platform. No shell reads the address. */
function openerOf(address: string): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['rundll32.exe', 'url.dll,FileProtocolHandler', address];
  return ['xdg-open', address];
}

/** Resolves with false where the machine has no opener; whether a browser comes up cannot be known. */
export function openBrowser(address: string): Promise<boolean> {
  const [name, ...args] = openerOf(address);
  const program = findProgram(name, process.env);
  if (program === null) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const opener = spawn(program, args, { detached: true, stdio: 'ignore', env: withAbsolutePath(process.env) });
  opener.once('error', () => resolve(false)).once('spawn', () => resolve(true));
  opener.unref();
  return promise;
}
