// The two doors to the table of operations: custom requests and commands. What they get wrong is an error answer that says what.

import {
  type CancellationToken,
  ErrorCodes,
  type ExecuteCommandParams,
  ExecuteCommandRequest,
  ResponseError,
} from 'vscode-languageserver/node';
import { printableName } from '../../base/printable.ts';
import { WrongParameters } from '../operations/operation.ts';
import { OPERATIONS } from '../operations/operation-table.ts';
import type { Session } from '../session.ts';
import { route } from './route.ts';

const requests = OPERATIONS.filter(({ commandOnly }) => !commandOnly);

export const operationRoutes = [
  ...requests.map(operation =>
    route({ method: `insitu/${operation.name}` }, (session, given: unknown, token) =>
      orError(operation.run(session, given, 'request', token)),
    ),
  ),
  route(ExecuteCommandRequest, runCommand),
];

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
