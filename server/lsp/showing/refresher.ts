// Asks the client to ask for hints and lenses again when there is something new, no more often than needed.
import { CodeLensRefreshRequest, InlayHintRefreshRequest } from 'vscode-languageserver/node';

/** Changes that come together are told once. */
const DEBOUNCE_MILLIS = 30;
/** The user waits for new data; nothing but further data comes together with them. */
const DATA_MILLIS = 3;
/** Some clients drop hints that reach them while they are still attaching; asked again this long after, they show them. */
const SECOND_MILLIS = 300;

type RefreshSender = { sendRequest(method: string): Promise<unknown> };

/** The requests that the client can be told to repeat. */
type Refreshable = { readonly hints: boolean; readonly lenses: boolean };

/** Does nothing for clients that cannot refresh. */
export class HintRefresher {
  readonly #sender: RefreshSender;
  readonly #supported: () => Refreshable;
  #timer: NodeJS.Timeout | null = null;
  #lensTimer: NodeJS.Timeout | null = null;
  /** When a refresh for new data is due, by performance.now(). */
  #dataDue = 0;
  #second: 'wanted' | 'done' = 'done';

  constructor(sender: RefreshSender, supported: () => Refreshable) {
    this.#sender = sender;
    this.#supported = supported;
  }

  /** New data or settings: hints on screen are out of date. */
  changed(millis = DEBOUNCE_MILLIS): void {
    this.#second = 'wanted';
    this.#refreshIn(millis);
    this.lensesChanged();
  }

  /** New data are there. */
  dataChanged(): void {
    this.changed(DATA_MILLIS);
  }

  /** There is more to show in lenses; their turn comes after that of hints. */
  lensesChanged(): void {
    if (!this.#supported().lenses) return;
    if (this.#lensTimer !== null) clearTimeout(this.#lensTimer);
    this.#lensTimer = this.#send(CodeLensRefreshRequest.method, 2 * DEBOUNCE_MILLIS);
  }

  /** Hints were asked for and given; the first answer after a change is followed by one more refresh. */
  answered(): void {
    if (this.#second === 'done') return;
    this.#second = 'done';
    this.#refreshIn(SECOND_MILLIS);
  }

  close(): void {
    for (const timer of [this.#timer, this.#lensTimer]) if (timer !== null) clearTimeout(timer);
    this.#timer = null;
    this.#lensTimer = null;
  }

  #refreshIn(millis: number): void {
    if (!this.#supported().hints) return;
    const due = performance.now() + millis;
    // A request that is sent again for new data has the other changes, too.
    if (this.#timer !== null && this.#dataDue > performance.now() && this.#dataDue <= due) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#dataDue = millis === DATA_MILLIS ? due : 0;
    this.#timer = this.#send(InlayHintRefreshRequest.method, millis);
  }

  /** A client that refuses or is gone has lost nothing that it could use. */
  #send(method: string, millis: number): NodeJS.Timeout {
    return setTimeout(() => void this.#sender.sendRequest(method).catch(() => {}), millis).unref();
  }
}
