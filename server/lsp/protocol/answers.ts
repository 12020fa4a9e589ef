// Answers of the table of answers as editors get them, as far as clients show them; docs/lsp-extensions.md has all of them.
import type { ChangeMessage, MethodMessage, ShareMessage } from './terms.ts';

/** The data that an answer is about. */
export type AnswerOrigin = {
  readonly project: string;
  readonly program: string;
  readonly versions: readonly string[];
  readonly metric: string;
  /** Samples that are 100 %. */
  readonly samples: number;
  /** The data that are compared with, for people; null where there are none. */
  readonly baseline: string | null;
};

/** A method of an answer; `key` and `id` name it in the next request. */
export type AnsweredMethod = MethodMessage & { readonly key: string; readonly id: string };

/** A list whose limit may leave rows out. */
type Listed<Row> = {
  readonly origin: AnswerOrigin;
  readonly total: number;
  readonly leftOut: number;
  readonly rows: readonly Row[];
};

export type MethodsAnswer = Listed<{
  readonly method: AnsweredMethod;
  /** To be drawn dim. */
  readonly isPlatform: boolean;
  readonly total: ShareMessage;
  /** Of everything, as `total`. */
  readonly self: ShareMessage;
  readonly change: ChangeMessage | null;
}>;

export type MovedMethodsAnswer = Listed<{
  readonly method: AnsweredMethod;
  /** Only the baseline has samples of it. */
  readonly vanished: boolean;
  readonly change: ChangeMessage;
}> & {
  /** Why renames are not known: a renamed method is listed as new and as gone. */
  readonly problems: readonly { readonly severity: string; readonly text: string }[];
};

export type HeaviestPathAnswer = Listed<{
  readonly method: AnsweredMethod;
  /** In the contexts of the path, of everything. */
  readonly ofAll: ShareMessage;
  /** Spent in the method itself there, of everything. */
  readonly self: ShareMessage;
  /** Recorded line of the heaviest call of it in the row before; 0 when unknown. */
  readonly line: number;
}>;

/** Callers or callees of a method. */
export type CallsAnswer = Listed<{
  readonly method: AnsweredMethod;
  readonly ofItsTime: ShareMessage;
  readonly ofAll: ShareMessage;
  /** Recorded lines of the calls; 0 is unknown. */
  readonly lines: readonly number[];
}> & {
  readonly subject: AnsweredMethod;
  /** For people: several methods may be taken as one. */
  readonly subjectText: string;
  readonly ofAll: ShareMessage;
  readonly self: ShareMessage;
};

export type ThreadsAnswer = Listed<{
  readonly name: string;
  readonly group: string;
  /** Threads of different names that were seen: at least so many. */
  readonly instances: number;
  readonly share: ShareMessage;
  readonly ofItsTime: ShareMessage | null;
  /** The threads of the class, as far as their names are kept; empty where it is one thread. */
  readonly threads: readonly { readonly name: string; readonly share: ShareMessage }[];
}> & {
  /** Null for everything. */
  readonly subject: AnsweredMethod | null;
  readonly subjectText: string;
  readonly ofAll: ShareMessage | null;
};

/** The saved tasks, heaviest first; a focus takes their names. */
export type TasksAnswer = Listed<{
  readonly name: string;
  readonly definition: string;
  readonly share: ShareMessage;
}> & {
  /** Definitions that fit nothing, or are wrong. */
  readonly problems: readonly { readonly severity: string; readonly text: string }[];
};

/** A step of a way, with its part of the samples that the way begins with. */
export type WayRow = { readonly method: AnsweredMethod; readonly ofItsTime: ShareMessage };

export type WhyAnswer = {
  readonly origin: AnswerOrigin;
  readonly verdict: string;
  readonly subject: string;
  /** Null if it was not seen. */
  readonly ofAll: ShareMessage | null;
  readonly self: ShareMessage | null;
  readonly explanation: string;
  readonly remedy: string;
  readonly nearest: readonly string[];
  /** Its heaviest caller, the heaviest caller of that one on this way, and so on. */
  readonly calledBy: readonly WayRow[];
  /** Its heaviest callee and so on, to the method that mostly runs itself. */
  readonly spentIn: readonly WayRow[];
};
