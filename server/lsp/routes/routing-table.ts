// The routing table: every request that is answered, and the function that answers it.
import { CancellationToken } from 'vscode-languageserver/node';
import { wrapRequest } from '../request.ts';
import type { Session } from '../session.ts';
import { codeActionRoutes } from './code-action.ts';
import { hintRoutes } from './hints-and-hover.ts';
import { lensRoutes } from './lens.ts';
import { navigationRoutes } from './navigation.ts';
import { operationRoutes } from './operations.ts';
import type { Route } from './route.ts';

const ROUTES: readonly Route[] = [
  ...hintRoutes,
  ...lensRoutes,
  ...codeActionRoutes,
  ...navigationRoutes,
  ...operationRoutes,
];

/** Each request lets cancellations in, is measured, and a failure is an empty answer and a line in the log. */
export function registerRoutes(session: Session): void {
  for (const { method, answer } of ROUTES) {
    const handler = wrapRequest(
      method,
      (params: never, token: CancellationToken) => answer(session, params, token),
      session.log,
    );
    session.connection.onRequest(method, withParameters(handler));
  }
}

/** A request that names no parameters comes with its token alone, and is one with none set. */
function withParameters<R>(
  answer: (given: never, token: CancellationToken) => R,
): (given: unknown, token?: CancellationToken) => R {
  return (given, token) => {
    if (token !== undefined) return answer(given as never, token);
    return answer({} as never, CancellationToken.is(given) ? given : CancellationToken.None);
  };
}
