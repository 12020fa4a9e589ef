// The result of every reader of outside profiles, in all formats.
import type { Problem } from '../base/problem.ts';
import type { Metric, Profile } from '../cct/profile.ts';
import type { TraceContext } from './trace-context.ts';

/** An event with a stack trace that a configuration makes a metric of its own; the metric's id is the event's name. */
export type EventMetric = {
  /** Full name of the event type: `com.acme.shop.OrderPlaced`. */
  readonly event: string;
  /** Field with each event's weight, a number or a span of time; without it each event weighs 1. */
  readonly weight?: string;
  /** Unit of the weight. Spans become nanoseconds; with `samples` and `invocations` the weight is how many an event stands for. */
  readonly unit: Metric['unit'];
};

/** A chunk of a recording, and how much of it was read. */
export type ChunkSpan = {
  /** The same for each copy of the chunk, in whatever file it is. */
  readonly identity: string;
  /** Bytes from the chunk's beginning; a copy of an unfinished chunk has fewer than the finished one. */
  readonly bytes: number;
};

/** How a file is to be read. */
export type IngestOptions = {
  /** `raw` keeps the JVM's names for exports; `normalised` makes generated names stable so that runs merge. */
  readonly names: 'raw' | 'normalised';
  /** Event types to read; empty means every event that feeds a metric. */
  readonly events?: readonly string[];
  /** Metrics by configuration, besides the metrics that the reader knows. */
  readonly metrics?: readonly EventMetric[];
  /** Chunks that were read before: only the rest is read, and copies within the file count once. Absent: everything is read. */
  readonly covered?: readonly ChunkSpan[];
  /** For flight recordings: whether to read what threads did with their time, as the metric `typed`. */
  readonly timeTypes?: boolean;
  /** For flight recordings: whether to read how much of its time the JVM gave to its compiler. */
  readonly compilerLoad?: boolean;
  /** Processors that the JVM could use, and, of thread dumps, whether the system obeyed its priorities; absent where not known. */
  readonly processors?: number;
  readonly priorities?: 'obeyed' | 'ignored';
  /** For thread dumps: the first dump was counted in the profile of earlier dumps, and only begins the first interval. */
  readonly continuesDump?: boolean;
  /** For logs of traces: the calls that are read; all when absent. */
  readonly traces?: TraceContext;
  /** Length of windows in milliseconds; without it as many as are useful. */
  readonly windowMillis?: number;
  /** Called now and then with bytes read so far. */
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
  /** Asked between chunks and now and then inside one; reading stops soon after it aborts. */
  readonly signal?: AbortSignal;
};

/** Exact figures of one method over a whole recording (jdk.MethodTiming). Times hold those of the methods that it called. */
export type MethodTiming = {
  /** Row in the profile's method table. */
  readonly method: number;
  readonly invocations: number;
  /** Null where the recorder's clock was too coarse to tell. */
  readonly minimumNanos: number | null;
  readonly averageNanos: number | null;
  readonly maximumNanos: number | null;
  /** From the method's first event to its last: the first event may also tell calls from before the recording. */
  readonly sinceFirst: { readonly invocations: number; readonly millis: number };
};

/** Processor time of the threads of a JVM in a third of a recording, in milliseconds of all processors. */
export type CompilerThird = { readonly compiler: number; readonly all: number };

/** The result of reading a file. Flaws are never thrown: a broken file gives the readable part plus problems. */
export type Ingested = {
  /** null when nothing could be read at all; then at least one problem has severity `error`, or all was read before. */
  readonly profile: Profile | null;
  readonly format: 'jfr' | 'snapshot' | 'collapsed' | 'pprof' | 'thread-dump' | 'kieker' | 'otlp' | 'unknown';
  readonly startMillis: number;
  readonly endMillis: number;
  /** For people: `JDK Flight Recorder, OpenJDK 17.0.15`. */
  readonly recorder: string;
  readonly debugNonSafepoints: boolean | null;
  readonly problems: readonly Problem[];
  /** The chunks that were read, where `covered` was given and the format has chunks; none where all were read before. */
  readonly chunks?: readonly ChunkSpan[];
  /** Sums of each method that the recorder timed as a whole, where the format has them. */
  readonly methodTimings?: readonly MethodTiming[];
  /** The compiler's part of each third of the recording, where it was asked for and the recording tells it. */
  readonly compilerThirds?: readonly CompilerThird[];
};
