// Holds the first hint requests of clients that never ask again until the data are there, but not for long.
import type { CancellationToken } from 'vscode-languageserver/node';

/** Longer than this nobody waits for a hint. */
const LONGEST_HOLD_MILLIS = 2_500;

export class Readiness {
  readonly #needed: () => boolean;
  readonly #whenIdle: () => Promise<void>;
  readonly #holdMillis: number;

  /**
   * @param needed whether the client cannot be told later that hints have changed.
   * @param whenIdle resolves when no load is under way.
   */
  constructor(needed: () => boolean, whenIdle: () => Promise<void>, holdMillis = LONGEST_HOLD_MILLIS) {
    this.#needed = needed;
    this.#whenIdle = whenIdle;
    this.#holdMillis = holdMillis;
  }

  /** Returns at once for clients that refresh, else when loads have ended, time is up or the request is cancelled. */
  async beforeHints(token: CancellationToken): Promise<void> {
    if (!this.#needed()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#holdMillis);
    const listener = token.onCancellationRequested(() => resolve());
    void this.#whenIdle().then(resolve);
    await promise;
    clearTimeout(timer);
    listener.dispose();
  }
}
