// Starts and stops the server, says why it cannot start, and asks it things.
import { execFile } from 'node:child_process';
import type { DataChanged, Status } from 'insitu/protocol';
import * as vscode from 'vscode';
import { State } from 'vscode-languageclient/node';
import { type ClientWishes, DrawingClient, InsituClient, settingsNow } from './client.ts';
import { withTitles } from './no-data.ts';
import { nodeProblem } from './node-version.ts';
import { complain, warn } from './notices.ts';
import type { StatusView } from './status-text.ts';

/** A Node.js that does not even say its version within this time is of no use. */
const VERSION_MILLIS = 10_000;

/** The events of the server that the rest of the extension listens to. */
export type ServerEvents = {
  /** Hints are out of date. */
  readonly refresh: () => void;
  /** Numbers are out of date, or the server began or ended. */
  readonly changed: () => void;
};

export class Server {
  state: StatusView['server'] = 'stopped';
  status: Status | null = null;
  readonly output = vscode.window.createOutputChannel('insitu', { log: true });
  readonly #context: vscode.ExtensionContext;
  readonly #events: ServerEvents;
  readonly #contributed: readonly string[];
  #client: InsituClient | null = null;
  /** Starts and stops come one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor(context: vscode.ExtensionContext, contributed: readonly string[], events: ServerEvents) {
    this.#context = context;
    this.#contributed = contributed;
    this.#events = events;
  }

  get isFocused(): boolean {
    return this.status?.sources.some(({ focus }) => focus.length > 0) ?? false;
  }

  /** When the last start or stop that was asked for has ended. */
  get started(): Promise<void> {
    return this.#turn;
  }

  /** Starts it anew, or for the first time. */
  restart(): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      await this.#stop();
      await this.#start();
    });
    return this.#turn;
  }

  stop(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#stop());
    return this.#turn;
  }

  /** The answer of an operation; null, and a message to the user, where it fails. */
  async ask<Answer>(operation: string, parameters: object): Promise<Answer | null> {
    if (this.#client?.state !== State.Running) {
      this.#complain('the server does not run');
      return null;
    }
    try {
      return await this.#client.sendRequest<Answer | null>(`insitu/${operation}`, parameters);
    } catch (error) {
      this.#complain(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** The answer to a request of the protocol; null where it fails, or no server runs. */
  async request<Answer>(method: string, parameters: object, token?: vscode.CancellationToken): Promise<Answer | null> {
    if (this.#client?.state !== State.Running) return null;
    // An absent token is a parameter of its own for the library.
    const answer =
      token === undefined
        ? this.#client.sendRequest<Answer | null>(method, parameters)
        : this.#client.sendRequest<Answer | null>(method, parameters, token);
    return answer.catch((error: Error) => {
      if (token?.isCancellationRequested === true) return null;
      this.output.warn(`${method}: ${error.message}`);
      return null;
    });
  }

  async askStatus(): Promise<void> {
    const status = await this.request<Status>('insitu/status', {});
    if (status === null) return;
    this.status = status;
    this.#events.changed();
  }

  settingsChanged(): void {
    const settings = { insitu: settingsNow(this.#contributed) };
    void this.#client?.sendNotification('workspace/didChangeConfiguration', { settings });
  }

  #complain(message: string): void {
    this.output.warn(message);
    void warn(withTitles(`insitu: ${message}`));
  }

  async #start(): Promise<void> {
    const nodePath = vscode.workspace.getConfiguration('insitu').get<string | null>('nodePath') || null;
    this.#become('starting');
    const problem = nodeProblem(nodePath === null ? process.version : await versionOf(nodePath), { path: nodePath });
    if (problem !== null) return this.#fail(problem);
    const script = this.#context.asAbsolutePath('server/bin/insitu-lsp.cjs');
    const client = this.#newClient({
      program: { node: nodePath ?? process.execPath, script },
      output: this.output,
      contributed: this.#contributed,
      isFocused: () => this.isFocused,
    });
    this.#client = client;
    // Hints have a refresh of their own.
    client.onNotification('insitu/dataChanged', (_: DataChanged) => void this.askStatus());
    client.onDidChangeState(({ newState }) => {
      if (this.#client !== client) return;
      this.#become(newState === State.Running ? 'running' : newState === State.Starting ? 'starting' : 'stopped');
      if (newState === State.Running) void this.askStatus();
    });
    try {
      await client.start();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#fail(`The server of insitu does not start: ${reason}`);
    }
  }

  #newClient(wishes: ClientWishes): InsituClient {
    const drawing = vscode.workspace.getConfiguration('insitu').get<string>('drawing');
    return drawing === 'editor' ? new InsituClient(wishes) : new DrawingClient(wishes, this.#events.refresh);
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    this.status = null;
    if (client !== null) await client.dispose().catch((error: Error) => this.output.warn(error.message));
    this.#become('stopped');
  }

  #become(state: StatusView['server']): void {
    this.state = state;
    this.#events.changed();
  }

  /** Tells it once; the status bar goes on telling it. */
  #fail(problem: string): void {
    this.output.error(problem);
    this.#become({ problem });
    const settings = 'Open settings';
    void complain(problem, settings, 'Show log').then(choice => {
      if (choice === settings) void vscode.commands.executeCommand('workbench.action.openSettings', 'insitu.nodePath');
      else if (choice !== undefined) this.output.show();
    });
  }
}

/** The output of a Node.js for `--version`, or why there is none. */
function versionOf(node: string): Promise<string> {
  return new Promise(resolve => {
    const options = { timeout: VERSION_MILLIS, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } };
    execFile(node, ['--version'], options, (error, stdout) => resolve(error === null ? stdout : error.message));
  });
}
