// The one wrapper round every request: lets cancellations in, measures, and turns failures into a log line and an empty answer.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { messageOf } from '../base/message-of.ts';
import { Cancelled, inTurns } from '../base/pause.ts';

export type RequestLog = {
  /** Shown only while the client traces the server. */
  trace(line: string): void;
  /** A failure of our own, which must not happen. */
  error(line: string): void;
};

/** Longer than this on the main thread is worth a line in the trace of its own. */
const SLOW_MILLIS = 50;

/** Requests begin one a turn of the event loop, in their order, so that cancellations sent after a burst of them are read before it is worked on. */
let lastTurn: Promise<void> = Promise.resolve();

function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

/**
 * A handler that can be registered for `method`. A turn of the event loop passes before the work begins, so that a
 * cancellation that is already on its way saves the work. A handler that throws answers null: an editor asks again, a user
 * can do nothing with a stack trace.
 */
export function wrapRequest<P, R>(
  method: string,
  handler: (params: P, token: CancellationToken) => R | Promise<R>,
  log: RequestLog,
): (params: P, token: CancellationToken) => Promise<R | null | ResponseError<void>> {
  return async (params, token) => {
    await ownTurn();
    if (token.isCancellationRequested) return cancelled();
    const started = performance.now();
    try {
      const result = await handler(params, token);
      if (token.isCancellationRequested) return cancelled();
      const millis = performance.now() - started;
      log.trace(`${method} took ${millis.toFixed(1)} ms${millis > SLOW_MILLIS ? ' (slow)' : ''}`);
      return result;
    } catch (error) {
      if (error instanceof Cancelled) return cancelled();
      log.error(`${method} failed: ${messageOf(error)}`);
      return null;
    }
  };
}

/** A request that names no parameters comes with its token alone, and is one with none set. */
export function withParameters<R>(
  answer: (given: never, token: CancellationToken) => R,
): (given: unknown, token?: CancellationToken) => R {
  return (given, token) => {
    if (token !== undefined) return answer(given as never, token);
    return answer({} as never, CancellationToken.is(given) ? given : CancellationToken.None);
  };
}

function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
}

/** Runs steps until they are done, letting other messages in between. Rejects with `Cancelled`. */
export function inSlices(
  steps: Iterable<void>,
  token: Pick<CancellationToken, 'isCancellationRequested'> = NEVER,
): Promise<void> {
  return inTurns(steps, () => token.isCancellationRequested);
}

/** For work that no request waits for. */
const NEVER = { isCancellationRequested: false };
