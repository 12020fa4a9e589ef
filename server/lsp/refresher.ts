// Asks the client to ask for hints again when there is something new, no more often than needed.
import { InlayHintRefreshRequest } from 'vscode-languageserver/node';

/** Changes that come together are told once. */
const DEBOUNCE_MILLIS = 30;
/** Some clients drop hints that reach them while they are still attaching; asked again this long after, they show them. */
const SECOND_MILLIS = 300;

export type RefreshSender = { sendRequest(type: typeof InlayHintRefreshRequest.type): Promise<unknown> };

/** Does nothing for clients that cannot refresh. */
export class HintRefresher {
  readonly #sender: RefreshSender;
  readonly #supported: () => boolean;
  #timer: NodeJS.Timeout | null = null;
  #second: 'wanted' | 'done' = 'done';

  constructor(sender: RefreshSender, supported: () => boolean) {
    this.#sender = sender;
    this.#supported = supported;
  }

  /** New data or settings: hints on screen are out of date. */
  changed(): void {
    this.#second = 'wanted';
    this.#refreshIn(DEBOUNCE_MILLIS);
  }

  /** Hints were asked for and given; the first answer after a change is followed by one more refresh. */
  answered(): void {
    if (this.#second === 'done') return;
    this.#second = 'done';
    this.#refreshIn(SECOND_MILLIS);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #refreshIn(millis: number): void {
    if (!this.#supported()) return;
    this.close();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // A client that refuses or is gone has lost nothing that it could use.
      this.#sender.sendRequest(InlayHintRefreshRequest.type).catch(() => {});
    }, millis);
    this.#timer.unref();
  }
}
