// The type of a route: a request's method and the function that answers it.
import type { CancellationToken } from 'vscode-languageserver/node';
import type { Session } from '../session.ts';

export type Route = {
  readonly method: string;
  /** The function gets the parameters as the client sent them, unchecked. */
  readonly answer: (session: Session, params: never, token: CancellationToken) => unknown;
};

/** A row with the types of its parameters checked here and forgotten in the table. */
export function route<P>(
  { method }: { readonly method: string },
  answer: (session: Session, params: P, token: CancellationToken) => unknown,
): Route {
  return { method, answer };
}
