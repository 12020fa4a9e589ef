// What a store of snapshots can do, wherever it keeps them.
import type { Outcome } from '../base/problem.ts';
import type { MethodTable } from '../cct/profile.ts';
import type { HeaderReading } from '../snapshot/decode.ts';
import type { Execution, Snapshot } from '../snapshot/snapshot.ts';

/** Which executions are wanted; an absent field takes all. */
export type StoreFilter = Partial<Execution>;

/** One snapshot in a store, known without reading it. */
export type StoreEntry = {
  readonly execution: Execution;
  /** Start of its first window, milliseconds since the epoch. The end stands in the header. */
  readonly startMillis: number;
  /** Hash of its bytes, hexadecimal; part of its name. */
  readonly hash: string;
  /** Its name in the store, with slashes, percent-encoded. */
  readonly key: string;
  /** Size in bytes. */
  readonly bytes: number;
};

/** All functions report trouble as problems and go on with the rest; none throws or rejects for what stands in the store. */
export type Store = {
  /** For messages: the folder or address, as the user gave it. */
  readonly location: string;
  /** Entries sorted by execution, start and hash. Foreign files are reported and left alone. */
  list(filter: StoreFilter): Promise<Outcome<readonly StoreEntry[]>>;
  /** The snapshot, or null with problems. */
  read(entry: StoreEntry): Promise<Outcome<Snapshot | null>>;
  /** Header and tables that are readable without the columns, or null with problems. */
  readHeader(entry: StoreEntry): Promise<Outcome<HeaderReading | null>>;
  /** The method table alone, or null with problems; far quicker than the whole. */
  readMethods(entry: StoreEntry): Promise<Outcome<MethodTable | null>>;
  /** Writes a snapshot; the same snapshot twice is one entry. null with problems when it could not be written. */
  put(snapshot: Snapshot): Promise<Outcome<StoreEntry | null>>;
  /** Removes an entry; true when it is gone, also when it was not there. */
  remove(entry: StoreEntry): Promise<Outcome<boolean>>;
};
