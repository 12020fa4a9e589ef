// `insitu view` in a process of its own, for the browser to look at.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { insituProgram } from '../../support/insitu/program.ts';

export type ViewProcess = {
  /** Good for one page within a minute. */
  readonly address: string;
  readonly end: () => void;
};

/** Rejects when it ends before it prints an address. */
export function startView(...args: readonly string[]): Promise<ViewProcess> {
  return startViewIn(process.cwd(), ...args);
}

/** In another folder, whose sources are those of the program. */
export async function startViewIn(folder: string, ...args: readonly string[]): Promise<ViewProcess> {
  const child = spawn(process.execPath, [insituProgram, 'view', '--no-open', ...args], {
    cwd: folder,
    env: { ...process.env, SSH_CONNECTION: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const address = Promise.withResolvers<string>();
  lines.on('line', line => {
    if (line.startsWith('http:')) address.resolve(line);
  });
  void once(child, 'close').then(() => address.reject(new Error('insitu view ended without an address')));
  return { address: await address.promise, end: () => child.kill('SIGKILL') };
}
