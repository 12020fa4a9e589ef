// The connection to the client on standard input and output, and what becomes of errors that nobody handles.
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type { Loader } from '../workspace/data/loader.ts';
import type { ServerOptions } from './main.ts';
import { Session } from './session.ts';
import { messageWriter } from './wire/json-text.ts';

/** Begins to listen. */
export function serve(loader: Loader, options: ServerOptions): void {
  // Streams and writers may be mixed; the types only know pairs. With the bare input the connection ends this process when that ends.
  const output = messageWriter(process.stdout) as unknown as NodeJS.WritableStream;
  const connection = createConnection(ProposedFeatures.all, process.stdin, output);
  const session = new Session(connection, loader, options);
  const report = (error: unknown): void =>
    session.log.error(`internal error: ${error instanceof Error ? error.message : String(error)}`);
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  // The reading end is gone: nobody is left to serve. (The closing of the input is watched by the connection.)
  process.stdout.on('error', () => process.exit(1));
  session.start();
}
