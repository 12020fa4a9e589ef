// The connection to the client on standard input and output, and the handling of errors that nothing else catches.

import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { messageOf } from '../base/message-of.ts';
import { logOfEditor, messagesToClient } from '../base/program-streams.ts';
import type { Loader } from '../workspace/data/loader.ts';
import { COMMANDS } from './operations/operation-table.ts';
import { registerRoutes } from './routes/routing-table.ts';
import type { ServerOptions } from './server-options.ts';
import { Session } from './session.ts';
import { CheckedMessageReader } from './wire/message-reader.ts';
import { WholeMessageWriter } from './wire/message-writer.ts';

const ENDING = [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const;

/** Begins to listen. */
export function serve(loader: Loader, options: ServerOptions): void {
  let isBroken = false;
  const output = messagesToClient();
  const writer = new WholeMessageWriter(output);
  const reader = new CheckedMessageReader(process.stdin, {
    // A client that is gone is told nothing, and its end is noticed by what follows.
    send: message => void writer.write(message).catch(() => {}),
    onBroken: reason => {
      isBroken = true;
      logOfEditor().write(`insitu: the editor ${reason}; the server ends\n`, () => process.exit(1));
    },
  });
  const connection = createConnection(ProposedFeatures.all, reader, writer);
  const session = new Session(connection, loader, { commands: COMMANDS, ...options });
  const report = (error: unknown): void => session.log.error(`internal error: ${messageOf(error)}`);
  // A command would end.
  process.removeAllListeners('uncaughtException').on('uncaughtException', report);
  process.on('unhandledRejection', report);
  // The client is gone: there is nothing left to serve.
  const leave = () => {
    if (!isBroken) process.exit(session.isShutDown ? 0 : 1);
  };
  process.stdin.on('end', leave);
  process.stdin.on('close', leave);
  output.on('error', () => process.exit(1));
  // A signal alone would end this process without ending the programs that it has started.
  for (const [signal, number] of ENDING) process.once(signal, () => process.exit(128 + number));
  session.start();
  registerRoutes(session);
  connection.listen();
}
