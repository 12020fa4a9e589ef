// Messages about what is shown: what there is to choose, what was chosen, and the state of all of it.
import type { Execution } from '../../model/execution.ts';
import type { GivenLook, Look } from '../../model/look.ts';
import type { RecordingMessage } from './recordings.ts';
import type { About, Position } from './terms.ts';

/** Tags that point at the commits of versions, for people, by the versions that are hashes of these commits. */
export type TagsOfVersions = { readonly [version: string]: string };

/** What the store holds of one project, and what is selected of it. */
export type ChoicesMessage = {
  readonly project: string;
  readonly executions: readonly (Omit<Execution, 'project'> & {
    readonly from: number;
    readonly to: number;
    readonly snapshots: number;
    /** Whether its data are among those that are shown. */
    readonly shown: boolean;
  })[];
  /** Metrics, threads and windows of what is loaded, to choose from. */
  readonly metrics: readonly { readonly id: string; readonly unit: string; readonly shown: boolean }[];
  readonly threads: readonly {
    readonly group: string;
    /** Threads whose names differ in digits alone are one entry, `reader-#`. */
    readonly name: string;
    readonly share: number;
    /** The threads of the entry by name, as far as their names are kept; absent where it is one thread. */
    readonly threads?: readonly { readonly name: string; readonly share: number }[];
  }[];
  readonly windows: readonly { readonly from: number; readonly to: number }[];
  readonly tags: TagsOfVersions;
};

/** The choice of what to look at; an absent key stays as it is, null takes the wish back. The focus has a message of its own. */
export type SelectMessage = About & Omit<GivenLook, 'focus'>;

/** The new 100 %: methods, names of saved tasks or expressions, taken together; none clears it. */
export type FocusMessage = About & {
  readonly focus?: readonly string[] | null;
  /** Or what stands at a position. */
  readonly position?: Position;
};

/** What shares are compared with; exactly one, none clears it. */
export type CompareMessage = About & {
  readonly version?: string;
  readonly window?: { readonly from: number; readonly to: number };
  /** Path of a recording or snapshot. */
  readonly file?: string;
};

/** `insitu/dataChanged`: numbers shown so far are out of date. */
export type DataChanged = { readonly text: string };

export type SourceStatus = {
  readonly state: 'loading' | 'ready' | 'none';
  readonly store: string;
  readonly project: string;
  /** null until it is known which one is shown. */
  readonly program: string | null;
  readonly versions: readonly string[];
  readonly tags: TagsOfVersions;
  /** Why these versions: chosen, what the settings say, or how they lie to the commit checked out; empty without data. */
  readonly because: string;
  /** Of the version that is shown; null where it is none, or not known. */
  readonly commit: string | null;
  readonly metric: string | null;
  readonly samples: number;
  /** What shares are compared with, for people; null for nothing. */
  readonly baseline: string | null;
  /** The new 100 %; empty for everything. */
  readonly focus: readonly string[];
  /** Focus, threads, instances and time that were chosen, for people; empty for everything. */
  readonly part: string;
  /** The same for programs, without the focus: what `insitu/select` was told; absent where the settings decide. */
  readonly chosen: Omit<Look, 'focus'>;
  /** What was recorded later than what is shown by choice, for people; null for nothing. */
  readonly newer: string | null;
  /** The known facts about the code that was recorded, for people; empty where there is nothing to say. */
  readonly codeState: string;
  /** In samples: what the recorder lost; of the metric what it cut off, and what of that is in no share. */
  readonly losses: { readonly lost: number; readonly truncated: number; readonly incomplete: number };
  /** Each one line: what, where, what to do. */
  readonly problems: readonly string[];
  /** One line for people. */
  readonly text: string;
};

export type Status = {
  readonly sources: readonly SourceStatus[];
  /** Those that were started from this editor and run. */
  readonly recordings: readonly RecordingMessage[];
  /** Mistakes in insitu.json. */
  readonly configurationProblems: readonly string[];
  /** Why nothing is shown of open documents; each one line: which one, its size and the limit, what is missing. */
  readonly documentProblems: readonly string[];
  /** Why not all sources of the open folders are searched; each one sentence. */
  readonly searchLimits: readonly string[];
  /** Everything for people, line by line. */
  readonly text: string;
};

/** What predictions assume since `insitu/assume` was told: times as texts, `5 ms`, by method. */
export type AssumeAnswer = { readonly assumed: { readonly [method: string]: string } };

/** What `insitu/iterations` has kept: how often a loop runs, in the insitu.json of the project. */
export type IterationsAnswer = {
  /** Absolute path. */
  readonly file: string;
  /** How `predict.iterations` names it. */
  readonly loop: string;
  readonly times: number;
};
