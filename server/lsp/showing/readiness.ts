// Holds hint requests until there are data to answer them with, but not for long: not every client asks again.
import type { CancellationToken } from 'vscode-languageserver/node';

/** A hint waits no longer than this. */
const LONGEST_HOLD_MILLIS = 2_500;

export class Readiness {
  readonly #needed: (uri: string | null) => boolean;
  readonly #whenReady: (uri: string | null) => Promise<void>;
  readonly #holdMillis: number;
  /** Until when requests about a document are held, by performance.now(): a second request does not wait again. */
  readonly #heldUntil = new Map<string | null, number>();

  /**
   * @param needed whether an answer about the document, or about the workspace when null, would be of no use now.
   * @param whenReady resolves when what the document needs is there, or everything when null.
   */
  constructor(
    needed: (uri: string | null) => boolean,
    whenReady: (uri: string | null) => Promise<void>,
    holdMillis = LONGEST_HOLD_MILLIS,
  ) {
    this.#needed = needed;
    this.#whenReady = whenReady;
    this.#holdMillis = holdMillis;
  }

  /** Other data are wanted: they are waited for anew. */
  changed(): void {
    this.#heldUntil.clear();
  }

  /**
   * Returns at once where that is not needed, else when what the document needs is there, time is up or the request is cancelled. All
   * requests about a document share one time, until what it needs is there or other data are wanted.
   */
  async beforeHints(uri: string | null, token: CancellationToken): Promise<void> {
    if (!this.#needed(uri)) return;
    const now = performance.now();
    const until = this.#heldUntil.get(uri) ?? now + this.#holdMillis;
    if (until <= now) return;
    if (!this.#heldUntil.has(uri)) {
      this.#heldUntil.set(uri, until);
      void this.#whenReady(uri).then(() => {
        if (this.#heldUntil.get(uri) === until) this.#heldUntil.delete(uri);
      });
    }
    await this.#hold(uri, until - now, token);
  }

  /** Returns when what the document needs is there, or everything when `uri` is null; or time is up or the request is cancelled. */
  untilLoaded(token: CancellationToken, uri: string | null = null): Promise<void> {
    return this.#hold(uri, this.#holdMillis, token);
  }

  async #hold(uri: string | null, millis: number, token: CancellationToken): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, millis);
    const listener = token.onCancellationRequested(() => resolve());
    void this.#whenReady(uri).then(resolve);
    await promise;
    clearTimeout(timer);
    listener.dispose();
  }
}
