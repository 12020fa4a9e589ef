// Work that ends early when the process is told to end: results so far are kept.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborts the work at the first signal; the second one ends the process at once.
 * @param isUntilEof aborts it when standard input ends, too
 */
export async function untilTold<T>(work: (signal: AbortSignal) => Promise<T>, isUntilEof = false): Promise<T> {
  const told = new AbortController();
  const end = (): void => told.abort();
  for (const signal of SIGNALS) process.once(signal, end);
  // A file ends and is never closed.
  if (isUntilEof) process.stdin.resume().once('end', end).once('close', end);
  try {
    return await work(told.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    // A listener of standard input would keep the process alive.
    if (isUntilEof) process.stdin.off('end', end).off('close', end).pause();
  }
}
