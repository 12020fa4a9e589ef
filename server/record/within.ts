// Waits for something no longer than is good.
import { setTimeout as pause } from 'node:timers/promises';

/** The result of the work, undefined when it takes longer; the work goes on by itself then. */
export async function within<T>(millis: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, pause(millis, undefined, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}
