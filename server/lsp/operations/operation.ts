// What an operation is: one name, its parameters, its answer, and how the answer is shown to a person whose editor knows nothing of insitu.

import type { CancellationToken } from 'vscode-languageserver/node';
import { printableLine } from '../../base/printable.ts';
import type { Session } from '../session.ts';
import { Parameters } from './operation-parameters.ts';

/** What an operation works with. */
export type Context = {
  readonly session: Session;
  readonly token: CancellationToken;
  /** The user ran the command and sees nothing but what the server shows: choices may be asked for. */
  readonly asksPerson: boolean;
};

/** One row of the table of operations; the request `insitu/<name>` and the command `insitu.<name>` do the same. */
export type Operation = {
  readonly name: string;
  /** Only a command: a request would ask a person for what it does not say. */
  readonly commandOnly: boolean;
  /** Rejects with a WrongParameters where those that are given make no sense. */
  run(session: Session, given: unknown, door: 'request' | 'command', token: CancellationToken): Promise<unknown>;
};

/** Parameters that no operation can make sense of; the message names the key. */
export class WrongParameters extends Error {
  constructor(message: string) {
    super(printableLine(message));
  }
}

type Definition<P, A> = {
  readonly name: string;
  readonly commandOnly?: true;
  /** Reads every key that the operation knows; the reader keeps the errors. */
  readonly parameters: (given: Parameters) => P;
  readonly answer: (context: Context, parameters: P) => A | Promise<A>;
  /** Shows the answer of a command; nothing is shown when absent. */
  readonly show?: (context: Context, answer: A, parameters: P) => void | Promise<void>;
};

/** A row with the types of its parameters and answer checked here and forgotten in the table. */
export function operation<P, A>(definition: Definition<P, A>): Operation {
  const { name, commandOnly = false, parameters, answer, show } = definition;
  return {
    name,
    commandOnly,
    run: async (session, given, door, token) => {
      const reader = new Parameters(given);
      const isQuiet = reader.quiet();
      const read = parameters(reader);
      const { flaw } = reader;
      if (flaw !== null) throw new WrongParameters(`${door === 'command' ? 'insitu.' : 'insitu/'}${name}: ${flaw}`);
      const context = { session, token, asksPerson: door === 'command' && !isQuiet };
      const answered = await answer(context, read);
      if (context.asksPerson && !token.isCancellationRequested) await show?.(context, answered, read);
      return answered;
    },
  };
}
