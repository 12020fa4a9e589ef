// The real server behind a client on LSP4J that answers as LSP4IJ does: what it is asked, and what the server sends by itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Engine } from '../../support/engines/engines.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { lsp4ijCapabilities, lsp4ijClientInfo } from './lsp4ij.ts';

const CLIENT = fileURLToPath(new URL('Lsp4jClient.java', import.meta.url));

/** A request or notification of the server. */
export type Received = { readonly method: string; readonly params: unknown };

export type Lsp4jSession = {
  /** The answer to `initialize`. */
  readonly initialized: unknown;
  /** When the server was started, by performance.now(). */
  readonly startedMillis: number;
  /** The messages of the server so far, oldest first. */
  readonly received: readonly Received[];
  /** The result as LSP4J holds it; rejects where it cannot, and where the server answers with an error. */
  ask<T>(method: string, params: unknown): Promise<T>;
  tell(method: string, params: unknown): void;
  /** Changes what the settings of the server say, as its page in IntelliJ does. */
  apply(settings: object): void;
  /** The title that is chosen from now on when the server asks; null closes the question. */
  choose(title: string | null): void;
  /** Ends server and client properly; gives what either complained about. */
  close(): Promise<string>;
};

type Line = { readonly id?: number; readonly result?: unknown; readonly error?: string; readonly received?: string };

/** Starts both, and goes through what LSP4IJ does until the first file is opened. */
export async function startLsp4j(
  { java, lsp4j }: { readonly java: Engine; readonly lsp4j: Engine },
  { folder, settings, env }: { readonly folder: string; readonly settings: object; readonly env: NodeJS.ProcessEnv },
): Promise<Lsp4jSession> {
  const command = ['-cp', join(lsp4j.home, 'jars', '*'), CLIENT, process.execPath, insituProgram, 'lsp', '--stdio'];
  const child = spawn(java.program('java'), command, {
    env: { ...process.env, XDG_CACHE_HOME: join(tmpdir(), 'insitu-test-caches'), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', chunk => (complaints += chunk));
  const received: Received[] = [];
  const ready = Promise.withResolvers<void>();
  const waiting = new Map<number, (line: Line) => void>();
  createInterface({ input: child.stdout }).on('line', text => {
    const line: Line & { readonly params?: unknown } = JSON.parse(text);
    if (line.received === 'ready') ready.resolve();
    else if (line.received !== undefined) received.push({ method: line.received, params: line.params });
    else waiting.get(line.id ?? 0)?.(line);
  });
  const ended = once(child, 'exit').then(([status]) => {
    if (status !== 0) complaints += `the server ended with status ${status}`;
    ready.reject(new Error(`the client did not start: ${complaints}`));
    for (const answer of waiting.values()) answer({ error: `the client has ended: ${complaints}` });
  });
  const send = (line: object): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  let asked = 0;
  async function ask<T>(method: string, params: unknown): Promise<T> {
    const id = ++asked;
    const { promise, resolve } = Promise.withResolvers<Line>();
    waiting.set(id, resolve);
    send({ id, method, params });
    const { error, result } = await promise;
    waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error}`);
    return result as T;
  }
  const tell = (method: string, params: unknown): void => send({ method, params });
  const apply = (given: object): void => {
    send({ settings: given });
    tell('workspace/didChangeConfiguration', { settings: given });
  };
  send({ settings });
  // Java compiles the client first.
  await ready.promise;
  const startedMillis = performance.now();
  const initialized = await ask('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    rootPath: folder,
    clientInfo: lsp4ijClientInfo,
    capabilities: lsp4ijCapabilities,
    initializationOptions: {},
    trace: 'off',
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'shop' }],
  });
  tell('initialized', {});
  apply(settings);
  return {
    initialized,
    startedMillis,
    received,
    ask,
    tell,
    apply,
    choose: title => send({ choose: title }),
    close: async () => {
      await ask('shutdown', undefined);
      tell('exit', undefined);
      child.stdin.end();
      await ended;
      return complaints;
    },
  };
}
