// Tells clients that asked for it that numbers which they may have drawn are out of date.
import type { Status } from '../protocol.ts';

/** Changes that come together are told once. */
const DEBOUNCE_MILLIS = 50;

type ChangeSender = { sendNotification(method: string, params: { readonly text: string }): Promise<void> };

export class ChangeNotifier {
  readonly #sender: ChangeSender;
  readonly #isWanted: () => boolean;
  readonly #status: () => Status;
  #timer: NodeJS.Timeout | null = null;

  constructor(sender: ChangeSender, isWanted: () => boolean, status: () => Status) {
    this.#sender = sender;
    this.#isWanted = isWanted;
    this.#status = status;
  }

  /** New data, another choice, other settings, or news of the profiled text. */
  changed(): void {
    if (this.#timer !== null || !this.#isWanted()) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // A client that is gone misses nothing.
      this.#sender.sendNotification('insitu/dataChanged', { text: this.#status().text }).catch(() => {});
    }, DEBOUNCE_MILLIS);
    this.#timer.unref();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
