// The questions of the page of pictures and their answers; the same over HTTP (POST /ask) and over the editor's connection (insitu/view).
//
// A question is a JSON object whose key `ask` names it: `question-schemas.ts` has them. Answers are JSON, except for pictures and tracks, which are frames of columns (see `FrameHeader`).
// Shares are never sent: they are `weight / whole.weight`, where the answer says `whole`.

import type { Answers, Look, Verdict } from '../features/answers/answer-types.ts';
import type { AskAnswer } from './question-schemas.ts';
import type { MethodInfo, MethodKey, SCALINGS, ViewAmount, ViewProblem } from './view-terms.ts';

export * from '../analysis/frame-columns.ts';
export type * from '../features/answers/answer-types.ts';
export { TIME_TYPES } from '../model/time-types.ts';
export { VERDICTS } from '../model/verdict.ts';
export type * from './question-schemas.ts';
export type * from './view-terms.ts';
export { SCALINGS } from './view-terms.ts';

/** The state of the data and of the page. Its version is a tag, seven digits of the commit, or a name as it was recorded. */
export type State =
  | { readonly same: true }
  | (Required<Pick<Look, 'program' | 'version' | 'instances'>> & {
      /** Grows with the data and with what the editor shows. */
      readonly revision: string;
      readonly project: string;
      readonly metrics: readonly { readonly id: string; readonly unit: string }[];
      /** Whether it was recorded how many processors the program could use. */
      readonly processors: boolean;
      /** The program's own packages with most call paths, then packages of libraries and of the Java platform, whatever is looked at; 40 at most. */
      readonly packages: readonly string[];
      /** How many of them, the first ones, are the program's own. */
      readonly ownPackages: number;
      /** Ascending. */
      readonly windows: readonly { readonly from: number; readonly to: number }[];
      /** All that the editor has open; one at most where there is nothing to choose. */
      readonly sources: readonly ViewSource[];
      /** Key of the one that is shown; null where there is nothing to choose. */
      readonly source: string | null;
      /** The look of the editor's hints; the page follows it until it is told otherwise. */
      readonly look: Look;
      /** Name of the baseline; null where there is none. */
      readonly baseline: string | null;
      /** Sentences about losses and age that the header shows. */
      readonly notes: readonly string[];
      /** A recorder feeds the store: the page asks again every half second. */
      readonly live: boolean;
      /** Whether an editor is connected, which opens sources and takes a focus. */
      readonly editor: boolean;
    });

/** A program of an open folder or document. The key lasts as long as folder and program are the same. */
export type ViewSource = { readonly key: string; readonly name: string };

/**
 * The answer with a picture: a 32-bit number n, n bytes of JSON (padded with spaces to a multiple of 8 behind the number), then columns,
 * each beginning at a multiple of 8 bytes, all little-endian: the columns of `BOX_COLUMNS` with a row for each box, then the columns of `CUT_COLUMNS`
 * with a row for each run of parts that are too narrow, in this order. With a baseline `BASELINE_COLUMNS` follow.
 */
export type FrameHeader = {
  readonly revision: string;
  /** Id and unit of the metric that is shown: another one where the wanted one was not recorded. */
  readonly metric: string;
  readonly unit: string;
  /** Everything looked at: what shares are taken of. */
  readonly whole: ViewAmount;
  /** The root that was found: as many of the wanted steps as lead to something. */
  readonly root: {
    readonly steps: readonly MethodKey[];
    readonly method: MethodInfo | null;
    readonly total: ViewAmount;
    /** How many of the wanted steps lead to nothing: null when all were found. */
    readonly missing: number | null;
  };
  readonly boxes: number;
  readonly cuts: number;
  readonly methods: readonly MethodInfo[];
  /** The deepest row there is below the root in the window, as far as it was looked at. */
  readonly deepest: number;
  /**
   * Where the root's weight is: in drawn boxes themselves, in parts that are too narrow, below the last row, or outside of the window and
   * the rows. The four add up to `root.total.weight`.
   */
  readonly sums: { readonly self: number; readonly cut: number; readonly below: number; readonly outside: number };
  /** By how much `least` was raised so that the boxes fit. */
  readonly coarser: number;
  readonly baseline: boolean;
  readonly millis: number;
  readonly problems: readonly ViewProblem[];
};

/** The header of an answer with tracks: bytes as of a picture, with the columns of `TRACK_COLUMNS`. */
export type TracksHeader = {
  /** Id and unit of the metric that is shown: `typed` where kinds are time types. */
  readonly metric: string;
  readonly unit: string;
  /** How many rows the columns have. */
  readonly cells: number;
  /** All of the time: milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** The windows in the span; milliseconds since the epoch, in the order of their begins. Windows of several JVMs may overlap. */
  readonly windows: readonly { readonly from: number; readonly to: number }[];
  /** Whether windows that no pixel tells apart were joined: with more pixels there are more of them. */
  readonly isJoined: boolean;
  /** Time types, or packages: of the innermost own code on the stack, without own code of the innermost frame. Most weight first. */
  readonly kinds: readonly { readonly name: string; readonly library: boolean }[];
  readonly weight: number;
  readonly running: number;
  /** All rows with samples, the longest run time first. Threads whose names differ in digits alone are one group. */
  readonly tracks: readonly TrackTotal[];
};

/** A group of threads, or a single thread, which stands behind its unfolded group. */
export type TrackTotal = {
  readonly name: string;
  readonly group: string;
  readonly level: 1 | 2;
  /** Number of threads that a group unfolds to; 0 for single threads, and for groups of one. */
  readonly threads: number;
  readonly weight: number;
  /** The part of `weight` in which threads ran; all of it where kinds are packages. */
  readonly running: number;
  /** How many cells of the columns this row has, behind the cells of the row before; 0 for a row that was not asked for. */
  readonly cells: number;
};

/** The question for an answer of the table. */
export type AskNamed<Name extends keyof Answers> = AskAnswer & { readonly answer: Name };

/** `missing`: no source of the workspace has it. `unknown`: its recorded text is not known, or not yet. */
export type MethodState = 'changed' | 'unchanged' | 'missing' | 'unknown';

/** The states that were found within a second, one at least; the others are to be asked for again. */
export type States = { readonly states: readonly (readonly [MethodKey, MethodState])[] };

/** The outermost of them, each below a part that is still there: no sample is in two. All amounts are the baseline's. */
export type Vanished = {
  readonly whole: ViewAmount;
  readonly unit: string;
  /** Of all of them. */
  readonly total: ViewAmount;
  readonly length: number;
  /** Parts with a smaller share of the root were not looked at. */
  readonly least: number;
  /** Heaviest first, 500 at most. */
  readonly rows: readonly {
    readonly method: MethodInfo;
    /** The part above; null for everything. */
    readonly above: MethodInfo | null;
    /** To the part above, as `AskPicture.root`. */
    readonly steps: readonly MethodKey[];
    readonly total: ViewAmount;
    /** The verdict of a test on its having gone. */
    readonly verdict: Verdict;
  }[];
};

export type Blueprint =
  /** Data, look or baseline are others than those of `tree`: its rows mean nothing now. */
  | { readonly outdated: true }
  | {
      readonly tree: string;
      readonly unit: string;
      /** The one that was used: shares where the wished one is not possible. */
      readonly scaling: (typeof SCALINGS)[number];
      /** Everything now, as a part of everything before. */
      readonly whole: number;
      /** Whether executions are counted in both versions. */
      readonly counted: boolean;
      readonly versions: readonly [before: string, now: string];
      /** Where `finding` was asked for: the findings in one sentence, or why there is none; `row` of the first one's context, null without one; `all`: each with its row. */
      readonly finding: {
        readonly text: string;
        readonly row: number | null;
        readonly all: readonly { readonly text: string; readonly row: number }[];
      } | null;
      /** A box comes after the one above, siblings one after the other, the one with the largest |H| first. */
      readonly boxes: readonly BlueprintBox[];
    };

/** A context of two compared trees. Pairs are of the baseline, then of the data. */
export type BlueprintBox = {
  /** Its name within the tree. */
  readonly row: number;
  /** −1 of the root. */
  readonly parent: number;
  /** null of the root, which stands for everything. */
  readonly method: MethodInfo | null;
  readonly state: 'kept' | 'added' | 'removed';
  /** At or below the context, in the metric's unit; 0 where it is not there. */
  readonly total: readonly [before: number, now: number];
  /** Of the context itself. */
  readonly self: readonly [before: number, now: number];
  /** E: `total` scaled, as a part of everything before. */
  readonly scaled: readonly [before: number, now: number];
  /**
   * H, as a part of everything before. Kept: how much E grew. Added: E less what its children had before. Removed: E less what its
   * children have now, positive where cost is gone.
   */
  readonly height: number;
  /** null where they are not counted. `difference`: of an added context less its parent's before, of a removed one less its parent's now. */
  readonly executions: { readonly counts: readonly [before: number, now: number]; readonly difference: number } | null;
  readonly verdict: Verdict;
  /** Of the test behind the verdict; null where nothing was tested. */
  readonly p: number | null;
  /** How many boxes are below it. */
  readonly below: number;
};

export type Hits = {
  /** Samples with at least one of them on the stack, each once. */
  readonly total: ViewAmount;
  readonly whole: ViewAmount;
  /** How many methods fit. */
  readonly length: number;
  /** Heaviest first, 500 at most. */
  readonly rows: readonly {
    readonly method: MethodInfo;
    readonly total: ViewAmount;
    readonly self: ViewAmount;
    /** The heaviest call path that leads there, itself last, with nothing folded. */
    readonly steps: readonly MethodKey[];
  }[];
};

/** A file: JSON with its bytes as base64. */
export type Exported = { readonly name: string; readonly type: string; readonly base64: string };

export type Opened = { readonly opened: boolean; readonly reason: string | null };

export type Used = { readonly used: boolean; readonly reason: string | null };

/** Instead of an answer, with a status of 400 or above over HTTP. */
export type Refused = { readonly error: ViewProblem };
