// Reads a recording and puts it into a store as a snapshot, in a thread of its own: for the command line and for editors.
import { basename } from 'node:path';
import type { Problem } from '../../base/problem.ts';
import { doneInThread, workerUrl } from '../../base/workers.ts';
import type { Metric } from '../../cct/profile.ts';
import type { CompilerThird, EventMetric, IngestOptions } from '../../ingest/ingest.ts';
import type { Execution } from '../../model/execution.ts';
import type { SourcesAt } from './collect-sources.ts';

/** A recording to import, and where it is to be stored. */
export type ImportTask = {
  /** Path of the recording. */
  readonly recording: string;
  /** Location of the store. */
  readonly store: string;
  readonly execution: Execution;
  /**
   * Whether the user named the instance: then only what that instance has is left out, not what others have of the same JVM. Else the
   * recording's JVM names it, if the recording tells of one, and the execution's instance stands for what does not tell.
   */
  readonly isInstanceNamed?: boolean;
  /** Metrics by configuration. */
  readonly metrics: readonly EventMetric[];
  /** Length of windows in milliseconds; without it as many as are useful. */
  readonly windowMillis?: number;
  /** Which run of a benchmark it was; absent in production. */
  readonly measurement?: {
    readonly benchmark: string;
    readonly fork: number;
    /** Processor time of its process, as the system tells; 0 where that is not known. */
    readonly processorMillis: number;
  };
  /** Of thread dumps, where the user knows them: processors of the machine, and whether its system obeyed priorities. */
  readonly machine?: Pick<IngestOptions, 'processors' | 'priorities'>;
  /** Of flight recordings: also what threads did with their time. */
  readonly timeTypes?: boolean;
  /** Of logs of traces: the calls that are read. */
  readonly traces?: IngestOptions['traces'];
  /** Where the sources may be found whose fingerprints the snapshot is to keep; none are kept when absent. */
  readonly sources?: SourcesAt;
};

/** A metric of a recording with all that was seen of it, in its own unit. */
export type ImportedMetric = Pick<Metric, 'id' | 'unit'> & { readonly samples: number; readonly weight: number };

/** The result of importing one recording. */
export type Imported = {
  readonly recording: string;
  /** Name of the snapshot in the store; null when there is none, and the problems say why. */
  readonly snapshot: string | null;
  /** Under which instance it is stored; null without a snapshot. */
  readonly instance: string | null;
  readonly bytes: number;
  /** When its first window began, milliseconds since the epoch; 0 without a snapshot. */
  readonly startMillis: number;
  readonly metrics: readonly ImportedMetric[];
  readonly problems: readonly Problem[];
  /** The compiler's part of each third of the recording of a benchmark's fork, where the recording tells it. */
  readonly compilerThirds?: readonly CompilerThird[];
  /** Whether an earlier import has stored everything: the snapshot is of that import. */
  readonly isOld?: true;
  /** Whether there would be a snapshot if the store took it. */
  readonly isRefused?: true;
};

type ImportOptions = {
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
  /** When it aborts, the result is there at once, and the store gets no new snapshot unless it is being written by then. */
  readonly signal?: AbortSignal;
};

/** Never rejects. */
export function importRecording(task: ImportTask, { onProgress, signal }: ImportOptions = {}): Promise<Imported> {
  const failed = (message: string): Imported =>
    notImported(task.recording, [{ severity: 'error', message, file: task.recording }]);
  const url = workerUrl('./import-worker.ts', import.meta.url);
  return doneInThread(url, { task, work: 'importing', failed, onProgress, signal });
}

export function notImported(recording: string, problems: readonly Problem[]): Imported {
  return { recording, snapshot: null, instance: null, bytes: 0, startMillis: 0, metrics: [], problems };
}

const COMPRESSED = /\.(?:gz|zst|zstd|xz|zz|zlib|deflate)$/i;
const KNOWN_ENDING = /\.(?:jfr|pb|pprof|prof|collapsed|folded|stacks|txt|log|dump|json|jsons|dat)$/i;

/** The name of an instance that neither the user nor the recording names: `shop` for `shop.jfr` and `shop.pb.gz`, and `shop-1.2` for `shop-1.2.gz`. */
export function instanceOf(recording: string): string {
  const name = basename(recording);
  const plain = name.replace(COMPRESSED, '');
  return plain.replace(plain === name ? /\.[^.]*$/ : KNOWN_ENDING, '') || name;
}
