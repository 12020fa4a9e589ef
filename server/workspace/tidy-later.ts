// Frees the memory of columns that were replaced, once a thread has been idle for a while: the engine itself waits until there is much more of it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/** Full collections are asked for rarely and take some 20 ms on a heap of 30 MB; larger heaps are left to the engine. */
const LARGEST_HEAP_BYTES = 48 * 2 ** 20;

function collectNow(): void {
  if (process.memoryUsage().heapUsed > LARGEST_HEAP_BYTES) return;
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

/** Tidies up when it has not been asked to for `millis`. Never keeps the process alive. */
export class TidyLater {
  readonly #millis: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(millis: number) {
    this.#millis = millis;
  }

  /** There is something to free. */
  soon(): void {
    this.cancel();
    this.#timer = setTimeout(collectNow, this.#millis);
    this.#timer.unref();
  }

  /** There is work to do first. */
  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
