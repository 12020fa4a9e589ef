// Holds hint requests until there are data to answer them with, but not for long: not every client asks again.
import type { CancellationToken } from 'vscode-languageserver/node';

/** Longer than this nobody waits for a hint. */
const LONGEST_HOLD_MILLIS = 2_500;

export class Readiness {
  readonly #needed: (uri: string | null) => boolean;
  readonly #whenIdle: () => Promise<void>;
  readonly #holdMillis: number;

  /**
   * @param needed whether an answer about the document, or about the workspace when null, would be of no use now.
   * @param whenIdle resolves when no load is under way.
   */
  constructor(
    needed: (uri: string | null) => boolean,
    whenIdle: () => Promise<void>,
    holdMillis = LONGEST_HOLD_MILLIS,
  ) {
    this.#needed = needed;
    this.#whenIdle = whenIdle;
    this.#holdMillis = holdMillis;
  }

  /** Returns at once where that is not needed, else when loads have ended, time is up or the request is cancelled. */
  async beforeHints(uri: string | null, token: CancellationToken): Promise<void> {
    if (this.#needed(uri)) await this.untilLoaded(token);
  }

  /** Returns when loads have ended, time is up or the request is cancelled. */
  async untilLoaded(token: CancellationToken): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#holdMillis);
    const listener = token.onCancellationRequested(() => resolve());
    void this.#whenIdle().then(resolve);
    await promise;
    clearTimeout(timer);
    listener.dispose();
  }
}
