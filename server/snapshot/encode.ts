// Writes a snapshot as the bytes of one `.cct` file.
import type { Snapshot } from './snapshot.ts';

/** The file's bytes; the same snapshot always gives the same bytes. */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  throw new Error(`not yet: ${snapshot.header.startMillis}`);
}
