// Waits for work, but not for ever.
import { setTimeout } from 'node:timers/promises';

/** Resolves with the work or when time is up, whichever comes first. The timer keeps no process alive. */
export async function inTime(work: Promise<unknown>, limitMillis: number): Promise<void> {
  const done = new AbortController();
  const timeUp = setTimeout(limitMillis, undefined, { ref: false, signal: done.signal }).catch(() => {});
  await Promise.race([work, timeUp]);
  done.abort();
}
