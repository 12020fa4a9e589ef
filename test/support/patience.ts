// How long a test waits for an event: a limit is the time on a free machine, and grows with the number of processes that share a processor.
import { crowd } from '../run/crowd.ts';

/** Milliseconds that a wait may take here and now, where it takes at most `millis` on a machine that nobody else uses. */
export function patient(millis: number): number {
  return Math.round(millis * Math.max(1, crowd()));
}

/** Says whether a wait that begins now has taken too long, for the machine as it is when the wait asks. */
export function deadline(millis: number): () => boolean {
  const began = performance.now();
  return () => performance.now() - began > patient(millis);
}
