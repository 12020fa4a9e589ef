// Waits for work, but not for ever.
import { setTimeout } from 'node:timers/promises';

/** The result of the work, or undefined when time is up before; the work goes on by itself then. */
export async function inTime<T>(work: Promise<T>, limitMillis: number): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, setTimeout(limitMillis, undefined, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}
