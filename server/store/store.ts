// The interface of a store of snapshots, for folders and buckets alike.
import type { Outcome, Problem } from '../base/problem.ts';
import type { MethodTable } from '../cct/profile.ts';
import type { Execution } from '../model/execution.ts';
import type { HeaderReading, SnapshotReader } from '../snapshot/decode.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Which executions are wanted; an absent field takes all. */
export type StoreFilter = Partial<Execution>;

/** One snapshot in a store, known without reading it. */
export type StoreEntry = {
  readonly execution: Execution;
  /** Start of its first window, milliseconds since the epoch. The end stands in the header. */
  readonly startMillis: number;
  /** Hash of its bytes, hexadecimal; part of its name. Of a provisional one: `live-` and what changes whenever it is written. */
  readonly hash: string;
  /** Its name in the store, with slashes, percent-encoded. */
  readonly key: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Of the provisional snapshot of a window that is still open: when it was last written, milliseconds since the epoch. */
  readonly liveMillis?: number;
};

/** A snapshot to be stored: as it is, or the bytes that encodeSnapshot made of it. */
export type Storable = Snapshot | Uint8Array;

/** All functions report trouble as problems and go on with the rest; none throws or rejects for the content of the store. */
export type Store = {
  /** For messages: the folder or address, as the user gave it. */
  readonly location: string;
  /** Entries sorted by execution, start and hash. Foreign files are reported and left alone. */
  list(filter: StoreFilter): Promise<Outcome<readonly StoreEntry[]>>;
  /**
   * The snapshot, or null with problems.
   * @param reader what other snapshots were read with
   */
  read(entry: StoreEntry, reader?: SnapshotReader): Promise<Outcome<Snapshot | null>>;
  /** Header and tables that are readable without the columns, or null with problems. */
  readHeader(entry: StoreEntry): Promise<Outcome<HeaderReading | null>>;
  /** The method table alone, or null with problems; far quicker than the whole. */
  readMethods(entry: StoreEntry): Promise<Outcome<MethodTable | null>>;
  /**
   * The bytes of the snapshot as they were put, checked against the entry's hash; or null with problems.
   * @param fresh as they are in the store now, not from what this machine has kept of it
   */
  readBytes(entry: StoreEntry, fresh?: boolean): Promise<Outcome<Uint8Array | null>>;
  /**
   * Writes a snapshot where there is none of its name; the same snapshot twice is one entry. When this resolves with an entry, the
   * snapshot outlives the end of this process and machine. null with problems when it could not be written: putting again is safe.
   */
  put(snapshot: Storable): Promise<Outcome<StoreEntry | null>>;
  /** The obstacles to putting, as far as they can be told without a snapshot; empty without obstacles. */
  tryPut(): Promise<readonly Problem[]>;
  /** The functions for windows that are still open; absent in stores where writing often costs too much. */
  readonly live?: LiveStore;
  /** A snapshot of more bytes is put as several, of which put gives the first, and says so. */
  readonly mostBytes: number;
  /** When an entry was stored, milliseconds since the epoch; null where that is not known or it is gone. */
  storedMillis(entry: StoreEntry): Promise<number | null>;
  /** Asks anew; absent where a folder can be watched instead. */
  stamp?(filter: StoreFilter): Promise<StoreStamp>;
  /** Removes an entry; true when it is gone, also when it was not there. */
  remove(entry: StoreEntry): Promise<Outcome<boolean>>;
};

/** The state of a store, as far as repeated questions need to know it. */
export type StoreStamp = {
  /** Changes whenever such entries come or go. */
  readonly text: string;
  /** When the next of them is expected to be put; milliseconds since the epoch, by the clock of the writer. null where nothing tells. */
  readonly nextMillis: number | null;
};

/** Provisional snapshots: one an execution and open window. */
export type LiveStore = {
  /**
   * Writes the provisional snapshot of the window that begins at the snapshot's start, in place of the one before; its header must
   * say `provisional`. It is not made to outlast a crash of the machine. Readers leave it aside as soon as a final snapshot of the
   * same execution covers its start, so that the final one is put first and this removed afterwards.
   */
  put(snapshot: Storable): Promise<Outcome<StoreEntry | null>>;
  /** Removes the provisional snapshot of an execution's window that began then; true when it is gone, also when there was none. */
  remove(execution: Execution, startMillis: number): Promise<Outcome<boolean>>;
};
