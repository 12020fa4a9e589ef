// Messages about what is shown: what there is to choose, what was chosen, and the state of all of it.
import type { Position } from '../../features/answers/answer-types.ts';
import type { GivenLook } from '../../model/look.ts';
import type { EditorMethod } from './answers.ts';
import type { About } from './terms.ts';

/** The choice of what to look at; an absent key stays as it is, null takes the wish back. The focus has a message of its own. */
export type SelectMessage = About & Omit<GivenLook, 'focus'>;

/** The new 100 %: methods, names of saved tasks or expressions, taken together; none clears it. */
export type FocusMessage = About & {
  readonly focus?: readonly string[] | null;
  /** Or the declaration or call at a position. */
  readonly position?: Position;
};

/** The baseline of shares; exactly one, none clears it. */
export type CompareMessage = About & {
  readonly version?: string;
  readonly window?: { readonly from: number; readonly to: number };
  /** Path of a recording or snapshot. */
  readonly file?: string;
};

/** `insitu/dataChanged`: numbers shown so far are out of date. */
export type DataChanged = { readonly text: string };

/** The assumptions of predictions since `insitu/assume`: times as texts, `5 ms`, by method. */
export type AssumeAnswer = { readonly assumed: { readonly [method: string]: string } };

/** Callers that an edited method is predicted to make slower, or may make slower; by the upper end of the change the slowest first. */
export type SlowerCallers = {
  /** The edited method: `Shop.review`. */
  readonly method: string;
  readonly rows: readonly {
    readonly method: EditorMethod;
    /** `≈ +12 ms of 1.2 s`, with both ends where they alone are known. */
    readonly text: string;
    /** Nanoseconds that one run takes longer: the middle where only ends are known; null where nothing is. */
    readonly change: number | null;
    /** Nanoseconds of one run as it was recorded. */
    readonly measured: number;
  }[];
};

/** The number of runs of a loop that `insitu/iterations` has kept in the insitu.json of the project. */
export type IterationsAnswer = {
  /** Absolute path. */
  readonly file: string;
  /** How `predict.iterations` names it. */
  readonly loop: string;
  readonly times: number;
  /** The next loop around this one whose number of runs is not known either, named the same way; null where there is none. */
  readonly outer: string | null;
};
