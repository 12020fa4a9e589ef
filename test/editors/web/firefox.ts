// Firefox for tests of the page, over WebDriver BiDi: goes to addresses, evaluates scripts, presses keys, and notes all errors of the page.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Engine } from '../../support/engines/engines.ts';

export type Firefox = {
  readonly goTo: (address: string) => Promise<void>;
  /** The value of an expression in the page: a text, number or truth value. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  readonly press: (key: string) => Promise<void>;
  /** Errors of the page so far; empty when all is well. */
  readonly wrong: string[];
  readonly close: () => Promise<void>;
};

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly level?: string; readonly text?: string };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly message?: string;
};

export async function startFirefox(engine: Engine): Promise<Firefox> {
  const profile = mkdtempSync(join(tmpdir(), 'insitu-firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
  const child = spawn(engine.program('firefox'), args, {
    env: { ...process.env, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const remote = await Remote.open(`${await listeningAt(child)}/session`);
  await remote.ask('session.new', { capabilities: {} });
  await remote.ask('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = (await remote.ask('browsingContext.getTree', {})) as { contexts: { context: string }[] };
  const context = contexts[0]?.context ?? '';
  return {
    wrong: remote.wrong,
    goTo: async address => {
      await remote.ask('browsingContext.navigate', { context, url: address, wait: 'complete' });
    },
    evaluate: async expression => {
      const asked = { expression, target: { context }, awaitPromise: true };
      const { result, exceptionDetails } = (await remote.ask('script.evaluate', asked)) as {
        result?: { value?: unknown };
        exceptionDetails?: { text: string };
      };
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
      return result?.value;
    },
    press: async value => {
      const actions = ['keyDown', 'keyUp'].map(type => ({ type, value }));
      await remote.ask('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    close: async () => {
      remote.close();
      child.kill('SIGKILL');
      await once(child, 'close');
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The address of its WebDriver BiDi server, which it tells on standard error; rejects when it ends before. */
function listeningAt(child: ChildProcess & { readonly stderr: NodeJS.ReadableStream }): Promise<string> {
  const address = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on('line', line => {
    const [, found] = /^WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (found !== undefined) address.resolve(found);
  });
  void once(child, 'close').then(() => address.reject(new Error('Firefox ended before it listened')));
  return address.promise;
}

/** Commands and their results over one socket. */
class Remote {
  readonly wrong: string[] = [];
  readonly #socket: WebSocket;
  readonly #open = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data)) as Message));
  }

  static async open(address: string): Promise<Remote> {
    const socket = new WebSocket(address);
    const remote = new Remote(socket);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', () => reject(new Error('Firefox does not take a session')), { once: true });
    });
    return remote;
  }

  ask(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    const answer = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    this.#open.set(++this.#last, answer);
    this.#socket.send(JSON.stringify({ id: this.#last, method, params }));
    return answer.promise;
  }

  close(): void {
    this.#socket.close();
  }

  #take({ id, method, params, result, message = '' }: Message): void {
    if (method === 'log.entryAdded' && params?.level === 'error') this.wrong.push(params.text ?? '');
    const answer = this.#open.get(id ?? -1);
    if (result !== undefined) answer?.resolve(result);
    else answer?.reject(new Error(message));
    this.#open.delete(id ?? -1);
  }
}
