// The routing table: every request that is answered, and the function that answers it.
import { withParameters, wrapRequest } from '../request.ts';
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
  for (const { method, answer } of ROUTES)
    session.connection.onRequest(method, withParameters(wrapRequest(method, answer.bind(null, session), session.log)));
}
