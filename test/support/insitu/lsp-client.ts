// Starts the real language server as a process and speaks to it as an editor would, for protocol tests and benchmarks.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import {
  type ClientCapabilities,
  ExecuteCommandRequest,
  type Hover,
  HoverRequest,
  type InitializeParams,
  type InitializeResult,
  type InlayHint,
  InlayHintRequest,
  type ServerCapabilities,
} from 'vscode-languageserver/node';
import { deadline } from '../patience.ts';
import { insituProgram } from './program.ts';

/** Indexes of temporary folders have no place among the user's own. */
const CACHES = join(tmpdir(), 'insitu-test-caches');

export type StartOptions = {
  /** Folders that the client has open. */
  readonly folders?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  /** How the client calls itself; not at all when absent. */
  readonly clientInfo?: { readonly name: string };
  readonly initializationOptions?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  /** Script and arguments that start the server; the sources' `lsp --stdio` when absent. */
  readonly start?: readonly string[];
  /** Whether the output of the process beside its messages is shown; it is shown when absent. */
  readonly errors?: 'inherit' | 'ignore';
  /** Answer to workspace/configuration, when the capabilities announce it. */
  readonly configuration?: unknown;
  /** Runs before the connection listens, to register further handlers. */
  readonly prepare?: (connection: MessageConnection) => void;
};

/** A message that the server has sent. */
export type Received = { readonly method: string; readonly params: unknown; readonly atMillis: number };

export type LspClient = {
  readonly process: ChildProcess;
  readonly connection: MessageConnection;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: InitializeResult['serverInfo'];
  /** Requests and notifications of the server. */
  readonly received: readonly Received[];
  /** When the process was started, by performance.now(). */
  readonly startedMillis: number;
  open(uri: string, text: string, version?: number): void;
  change(uri: string, version: number, changes: readonly unknown[]): void;
  hints(uri: string, firstLine?: number, lastLine?: number): Promise<InlayHint[]>;
  hover(uri: string, line: number, character: number): Promise<Hover | null>;
  command(command: string, ...given: readonly unknown[]): Promise<unknown>;
  /** Waits until something that fits has been received; rejects with everything received after `millis` of a free machine. */
  waitFor(fits: (message: Received) => boolean, millis?: number): Promise<Received>;
  /** Proper shutdown and exit; gives the exit status. */
  stop(): Promise<number | null>;
};

export const REFRESHING: ClientCapabilities = {
  workspace: { inlayHint: { refreshSupport: true } },
  window: { workDoneProgress: true },
};

/** The text of a hint, whatever form its label has. */
export function hintText({ label }: InlayHint): string {
  return typeof label === 'string' ? label : label.map(part => part.value).join('');
}

/** `line text` of each, lines counted from 1. */
export function hintLines(hints: readonly InlayHint[] | null): string[] {
  return (hints ?? []).map(hint => `${hint.position.line + 1} ${hintText(hint)}`);
}

/** Starts the process and goes through the handshake. */
export async function startServer(options: StartOptions = {}): Promise<LspClient> {
  const startedMillis = performance.now();
  const child = spawn(process.execPath, [...(options.start ?? [insituProgram, 'lsp', '--stdio'])], {
    stdio: ['pipe', 'pipe', options.errors ?? 'inherit'],
    env: { ...process.env, XDG_CACHE_HOME: CACHES, ...options.env },
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const received: Received[] = [];
  const record = (method: string, params: unknown) => received.push({ method, params, atMillis: performance.now() });
  connection.onNotification((method, params) => void record(method, params));
  connection.onUnhandledNotification(
    ({ method, ...rest }) => void record(method, 'params' in rest ? rest.params : null),
  );
  connection.onRequest((method, params) => {
    record(method, params);
    if (method !== 'workspace/configuration') return null;
    return [options.configuration ?? null];
  });
  connection.onUnhandledProgress(({ token, value }) => void record('$/progress', { token, value }));
  options.prepare?.(connection);
  connection.listen();
  const workspaceFolders = options.folders?.map(path => ({ uri: pathToFileURL(path).href, name: path })) ?? null;
  const params: InitializeParams = {
    processId: process.pid,
    rootUri: workspaceFolders?.[0]?.uri ?? null,
    workspaceFolders,
    capabilities: options.capabilities ?? REFRESHING,
    ...(options.clientInfo && { clientInfo: options.clientInfo }),
    initializationOptions: options.initializationOptions,
  };
  const died = once(child, 'exit').then(([status]) => {
    throw new Error(`the server ended with status ${status} before it was initialised`);
  });
  const answered = connection.sendRequest<InitializeResult>('initialize', params);
  const { capabilities, serverInfo } = await Promise.race([answered, died]);
  died.catch(() => {});
  await connection.sendNotification('initialized', {});
  return {
    process: child,
    connection,
    capabilities,
    serverInfo,
    received,
    startedMillis,
    ...verbs(child, connection, received),
  };
}

function verbs(
  child: ChildProcess,
  connection: MessageConnection,
  received: readonly Received[],
): Pick<LspClient, 'open' | 'change' | 'hints' | 'hover' | 'command' | 'waitFor' | 'stop'> {
  const tell = (method: string, params: unknown): void => void connection.sendNotification(method, params);
  return {
    open: (uri, text, version = 1) =>
      tell('textDocument/didOpen', { textDocument: { uri, languageId: 'java', version, text } }),
    change: (uri, version, contentChanges) =>
      tell('textDocument/didChange', { textDocument: { uri, version }, contentChanges }),
    hints: async (uri, firstLine = 0, lastLine = 1_000_000) => {
      const range = { start: { line: firstLine, character: 0 }, end: { line: lastLine, character: 0 } };
      return (await connection.sendRequest(InlayHintRequest.type, { textDocument: { uri }, range })) ?? [];
    },
    hover: (uri, line, character) =>
      connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position: { line, character } }),
    command: (command, ...given) =>
      connection.sendRequest(ExecuteCommandRequest.type, { command, arguments: [...given] }),
    waitFor: async (fits, millis = 10_000) => {
      for (const isOver = deadline(millis); !isOver(); ) {
        const found = received.find(fits);
        if (found !== undefined) return found;
        await new Promise(resolve => setTimeout(resolve, 10));
      }
      throw new Error(`nothing of the kind was received in ${millis} ms: ${JSON.stringify(received)}`);
    },
    stop: async () => {
      const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve([child.exitCode]);
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      const [status] = await ended;
      connection.dispose();
      return typeof status === 'number' ? status : null;
    },
  };
}
