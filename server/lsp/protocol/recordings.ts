// Messages that put data into the store: recordings that are imported, and JVMs that are recorded.

import type { RecordingMessage } from '../../features/answers/answer-types.ts';
import type { Execution } from '../../model/execution.ts';
import type { About } from './terms.ts';

/** Recordings and what they are of; an absent program is that of the settings or the shown one, an absent version the commit checked out. */
export type ImportMessage = About & {
  /** Paths of recordings. */
  readonly files: readonly string[];
} & Partial<Omit<Execution, 'project'>>;

/** How many recordings were imported, and the program and version that they were taken for. */
export type ImportAnswer = Pick<Execution, 'program' | 'version'> & {
  readonly imported: number;
  /** Each one line. */
  readonly problems: readonly string[];
};

/** A JVM of this machine. */
export type JvmMessage = {
  readonly pid: number;
  /** Main class, module or jar, without its folder. */
  readonly name: string;
  /** The arguments of the program; they may hold secrets. */
  readonly arguments: string;
  /** Milliseconds since 1970. */
  readonly sinceMillis: number;
  /** `17.0.15`; empty where it does not tell. */
  readonly javaVersion: string;
  /** Why it cannot be recorded; null where nothing speaks against it. */
  readonly refusal: string | null;
  /** Whether a recording that was started here runs. */
  readonly recorded: boolean;
};

export type JvmsMessage = readonly JvmMessage[];

/** The JVM to record, and as what; an absent key is decided as `insitu record` does, and else is that of the data on screen. */
export type RecordMessage = About & {
  readonly pid: number;
  /** `standard` when absent. */
  readonly tier?: 'base' | 'standard' | 'full';
} & Partial<Pick<Execution, 'program' | 'version'>>;

export type RecordAnswer = {
  /** null where it could not begin. */
  readonly recording: RecordingMessage | null;
  /** Each one line. */
  readonly problems: readonly string[];
};

/** Which recordings are to end: all where no `pid` is given. */
export type StopRecordingMessage = {
  readonly pid?: number;
  /** Shows again what was shown before. */
  readonly back?: boolean;
};

export type StopRecordingAnswer = { readonly stopped: number; readonly problems: readonly string[] };

/** The answer to the wish to count calls; the counts are shown when counting is over. */
export type CountCallsAnswer = {
  /** One line for people when it has begun; null where it could not. */
  readonly text: string | null;
  /** Each one line. */
  readonly problems: readonly string[];
};
