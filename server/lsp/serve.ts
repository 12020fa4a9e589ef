// The connection to the client on standard input and output, and what becomes of errors that nobody handles.
import { createConnection, ProposedFeatures, StreamMessageReader } from 'vscode-languageserver/node';
import type { Loader } from '../workspace/data/loader.ts';
import type { ServerOptions } from './main.ts';
import { Session } from './session.ts';
import { WholeMessageWriter } from './wire/message-writer.ts';

/** Begins to listen. */
export function serve(loader: Loader, options: ServerOptions): void {
  const [reader, writer] = [new StreamMessageReader(process.stdin), new WholeMessageWriter(process.stdout)];
  const connection = createConnection(ProposedFeatures.all, reader, writer);
  const session = new Session(connection, loader, options);
  const report = (error: unknown): void =>
    session.log.error(`internal error: ${error instanceof Error ? error.message : String(error)}`);
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  // The client is gone: nobody is left to serve.
  const leave = () => process.exit(session.isShutDown ? 0 : 1);
  process.stdin.on('end', leave);
  process.stdin.on('close', leave);
  process.stdout.on('error', () => process.exit(1));
  session.start();
}
