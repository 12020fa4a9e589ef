// The installed language server over its standard streams, as an editor starts it.
import { type ChildProcess, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type InitializeResult,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { Installed } from './installed.ts';

export type Server = {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  /** Shuts the server down as an editor does; resolves to its exit status. */
  readonly close: () => Promise<number | null>;
};

export async function startServer(installed: Installed, args: readonly string[], workspace: string): Promise<Server> {
  const child: ChildProcess = spawn(installed.command('insitu-lsp'), args, {
    cwd: workspace,
    env: installed.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdout === null || child.stdin === null) throw new Error('the server has no streams');
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve));
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) => items.map(() => null));
  connection.onRequest('workspace/inlayHint/refresh', () => null);
  connection.onError(() => {});
  connection.listen();
  const uri = pathToFileURL(workspace).href;
  const gone = ended.then(status => {
    throw new Error(`the server ended with status ${status} before it answered`);
  });
  const answer = connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{ uri, name: 'shop' }],
    capabilities: { workspace: { inlayHint: { refreshSupport: true } }, textDocument: { inlayHint: {} } },
  });
  const initialized = await Promise.race([answer, gone]);
  // From here on an early end shows as a failed request.
  gone.catch(() => {});
  await connection.sendNotification('initialized', {});
  const close = async (): Promise<number | null> => {
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    const status = await ended;
    connection.dispose();
    return status;
  };
  return { connection, initialized, close };
}
