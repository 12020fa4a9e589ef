// Frees the memory of columns that were replaced, once a thread has been idle for a while: the engine itself waits until there is much more of it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Now, and not when it is first needed: flags belong to the whole process, and other threads would be reading them.
if (isMainThread) setFlagsFromString('--expose-gc');

let collect: (() => void) | null = null;

/** Full collections are asked for rarely and take some 20 ms on a heap of 30 MB; larger heaps are left to the engine. */
const LARGEST_HEAP_BYTES = 48 * 2 ** 20;

function collectNow(): void {
  if (process.memoryUsage().heapUsed > LARGEST_HEAP_BYTES) return;
  collect ??= runInNewContext('gc') as () => void;
  collect();
}

/** So often it is put off; then it comes soon: shared memory that is let go of makes the engine tidy up no earlier. */
const MOST_PUT_OFF = 4;
const SOON_MILLIS = 150;

/** Tidies up when it has not been asked to for `millis`. Never keeps the process alive. */
export class TidyLater {
  readonly #millis: number;
  #timer: NodeJS.Timeout | null = null;
  #putOff = 0;

  constructor(millis: number) {
    this.#millis = millis;
  }

  /** There is something to free. */
  soon(): void {
    this.cancel();
    const isLate = ++this.#putOff > MOST_PUT_OFF;
    this.#timer = setTimeout(() => this.#tidy(), isLate ? Math.min(SOON_MILLIS, this.#millis) : this.#millis);
    this.#timer.unref();
  }

  #tidy(): void {
    this.#putOff = 0;
    collectNow();
  }

  /** There is work to do first. */
  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
