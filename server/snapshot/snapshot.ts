// The type of a snapshot: one profile of one execution, with where it came from; immutable once written.
import type { Problem } from '../base/problem.ts';
import { jvmsOf } from '../cct/jvms.ts';
import type { Profile } from '../cct/profile.ts';
import type { ChunkSpan } from '../ingest/ingest.ts';
import type { Execution } from '../model/execution.ts';
import type { Circumstances } from './circumstances.ts';
import type { SourceFile } from './source-section.ts';

/** The execution with the JVM as its instance, where the profile tells of one JVM alone. */
export function withInstance(execution: Execution, profile: Profile | null): Execution {
  const [jvm, ...others] = jvmsOf(profile?.windows ?? []);
  return jvm === undefined || others.length > 0 ? execution : { ...execution, instance: jvm };
}

/** Everything about a snapshot except the profile itself; cheap to read without the columns. */
export type SnapshotHeader = Circumstances & {
  readonly execution: Execution;
  readonly startMillis: number;
  readonly endMillis: number;
  /** The program that made the recording, for people: `JDK Flight Recorder, OpenJDK 17.0.15`. */
  readonly recorder: string;
  /** Whether the JVM ran with DebugNonSafepoints (else lines are approximate); null where the recording does not tell. */
  readonly debugNonSafepoints: boolean | null;
  readonly problems: readonly Problem[];
  /** Content hashes of the originals that this one says it holds (compaction); empty for an original. */
  readonly replaces: readonly string[];
  /** Content hashes of the snapshots that it was made of, where some of these were compacted themselves; else those are the originals. */
  readonly madeOf?: readonly string[];
  /** Chunks of recordings whose samples it holds, sorted by identity; absent where they are not known. */
  readonly chunks?: readonly ChunkSpan[];
  /** Of a window that is still open: the file is written again until a final snapshot takes its place. */
  readonly provisional?: true;
};

export type Snapshot = {
  readonly header: SnapshotHeader;
  readonly profile: Profile;
  /** Fingerprints of the sources of its classes; absent where they were not at hand, and where a reader does not ask for them. */
  readonly sources?: readonly SourceFile[];
};
