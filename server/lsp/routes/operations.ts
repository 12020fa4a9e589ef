// The two doors to the table of operations: custom requests and commands. What they get wrong is an error answer that says what.

import {
  CancellationToken,
  ErrorCodes,
  type ExecuteCommandParams,
  ExecuteCommandRequest,
  ResponseError,
} from 'vscode-languageserver/node';
import { printableName } from '../../base/printable.ts';
import { WrongParameters } from '../operations/operation.ts';
import { OPERATIONS } from '../operations/table.ts';
import { wrapRequest } from '../request.ts';
import type { Session } from '../session.ts';

export function registerOperationRoutes(session: Session): void {
  const { connection, log } = session;
  for (const operation of OPERATIONS) {
    if (operation.commandOnly) continue;
    const method = `insitu/${operation.name}`;
    connection.onRequest(
      method,
      withParameters(
        wrapRequest(
          method,
          (given: unknown, token: CancellationToken) => orError(operation.run(session, given, 'request', token)),
          log,
        ),
      ),
    );
  }
  connection.onRequest(
    ExecuteCommandRequest.type,
    wrapRequest(
      'workspace/executeCommand',
      (given: ExecuteCommandParams, token: CancellationToken) => runCommand(session, given, token),
      log,
    ),
  );
}

/** A request that names no parameters comes with its token alone, and is one with none set. */
function withParameters<R>(
  answer: (given: unknown, token: CancellationToken) => R,
): (given: unknown, token?: CancellationToken) => R {
  return (given, token) => {
    if (token !== undefined) return answer(given, token);
    return answer({}, CancellationToken.is(given) ? given : CancellationToken.None);
  };
}

function runCommand(
  session: Session,
  { command, arguments: given }: ExecuteCommandParams,
  token: CancellationToken,
): Promise<unknown> {
  const operation = OPERATIONS.find(({ name }) => `insitu.${name}` === command);
  if (operation === undefined) {
    const known = OPERATIONS.map(({ name }) => `insitu.${name}`).join(', ');
    return Promise.resolve(
      new ResponseError(
        ErrorCodes.InvalidParams,
        `unknown command ${printableName(String(command))}; known are ${known}`,
      ),
    );
  }
  const [parameters] = Array.isArray(given) ? given : [];
  return orError(operation.run(session, parameters, 'command', token));
}

/** Parameters that make no sense are an answer, not a failure of ours. */
async function orError(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WrongParameters) return new ResponseError(ErrorCodes.InvalidParams, error.message);
    throw error;
  }
}
