// The target that the chunks of one file are folded into.
import type { ProfileBuilder } from '../../cct/builder.ts';
import type { CompilerLoad } from './compiler-load.ts';
import type { EventRule } from './event-table.ts';
import type { ExactCalls } from './exact-calls.ts';
import type { KnownMetadata } from './known-metadata.ts';
import type { MethodTexts } from './known-texts.ts';
import type { MetricSources } from './metric-sources.ts';
import type { Pools } from './pools.ts';
import type { LoadMachine } from './processor-load.ts';
import type { RecordingFacts } from './recording-facts.ts';
import type { Samples } from './samples.ts';
import type { ScheduledThreads } from './scheduled-time.ts';
import type { LoadTimes } from './time-types.ts';
import type { UnreadEvents } from './unread-events.ts';

/** The state that folding needs besides the chunk; one for a whole file. */
export type FoldTarget = {
  readonly builder: ProfileBuilder;
  readonly rules: readonly EventRule[];
  /** Whether rules were asked for by name: then none gives way to another. */
  readonly chosen: boolean;
  readonly names: 'raw' | 'normalised';
  readonly methodTexts: MethodTexts;
  /** Used for one chunk after the other, like the pools. */
  readonly samples: Samples;
  readonly pools: Pools;
  readonly metadata: KnownMetadata;
  readonly facts: RecordingFacts;
  readonly calls: ExactCalls;
  readonly sources: MetricSources;
  /** Null where events that are not read are not counted. */
  readonly unread: UnreadEvents | null;
  /** Null where typed time was not asked for. */
  readonly loadTimes: LoadTimes | null;
  /** Null where the time of the compiler was not asked for. */
  readonly compiler: CompilerLoad | null;
  /** The machine that loads of the JVM are parts of. */
  readonly loadMachine: LoadMachine;
  /** The threads that times from the operating system are joined with; null where there will be none. */
  readonly scheduled: ScheduledThreads | null;
  /** Takes a flaw, with the offset inside the chunk. */
  readonly report: (message: string, offset: number) => void;
};
