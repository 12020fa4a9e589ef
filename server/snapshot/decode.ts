// Reads a snapshot file: checks every length, index and order, and refuses with the place instead of throwing.
import type { Outcome } from '../base/problem.ts';
import type { Metric, TimeWindow } from '../cct/profile.ts';
import type { Snapshot, SnapshotHeader } from './snapshot.ts';

/** What a snapshot says about itself before its columns are read. */
export type HeaderReading = {
  readonly header: SnapshotHeader;
  readonly windows: readonly TimeWindow[];
  readonly metrics: readonly Metric[];
  /** Number of nodes in the tree. */
  readonly nodes: number;
  /** Per metric: sum over all cells, partial stacks included. */
  readonly totals: readonly { readonly weight: number; readonly count: number }[];
};

/** Reads the header alone; `bytes` may be just the beginning of the file. */
export function decodeHeader(bytes: Uint8Array, file?: string): Outcome<HeaderReading | null> {
  throw new Error(`not yet: ${bytes.length} ${file}`);
}

/** Reads a whole snapshot; null with a problem that names the place when anything in it is not as it must be. */
export function decodeSnapshot(bytes: Uint8Array, file?: string): Outcome<Snapshot | null> {
  throw new Error(`not yet: ${bytes.length} ${file}`);
}
