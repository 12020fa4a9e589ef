// Lets worker threads end by themselves: stopped in the middle of native work, a thread can take the whole process with it.
import type { Worker } from 'node:worker_threads';

/** A thread that has not ended by itself after so long is stopped. */
const LONGEST_END_MILLIS = 5_000;

/** @param order tells the thread that it is not needed any more. */
export function letEnd(worker: Worker, order: unknown): void {
  worker.postMessage(order);
  const timer = setTimeout(() => void worker.terminate(), LONGEST_END_MILLIS);
  timer.unref();
  worker.once('exit', () => clearTimeout(timer));
}
