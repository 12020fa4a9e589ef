// Starts the language server on this process's standard input and output.
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { Session, type SessionOptions } from './session.ts';

/** What the command line gives; `stdio` is the only transport. */
export type ServerOptions = SessionOptions & { readonly stdio?: boolean };

/**
 * Serves one client until it says exit, closes the streams or dies; the process ends then, with status 0 after a proper
 * shutdown and 1 without. Returns at once.
 */
export function startLanguageServer(options: ServerOptions = {}): void {
  // Anything printed among the messages would break the protocol.
  console.log = console.error;
  console.info = console.error;
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const session = new Session(connection, options);
  const report = (error: unknown): void =>
    session.log.error(`internal error: ${error instanceof Error ? error.message : String(error)}`);
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  // The reading end is gone: nobody is left to serve. (The closing of the input is watched by the connection.)
  process.stdout.on('error', () => process.exit(1));
  session.start();
}
