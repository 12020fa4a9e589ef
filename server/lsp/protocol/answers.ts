// Answers as editors get them: the answers of the table, with additions for editors.
import type { Answers, Change, Location, Method, SessionAnswers } from '../../features/answers/answer-types.ts';

/** Where a method is declared. */
export type Located = {
  /** In the current text of its file; null without a source in the workspace. */
  readonly location: Location | null;
  /** Whether the location is the method's for sure; shown with a `~` otherwise. */
  readonly certain: boolean;
};

/** A runtime method with its place; `key` and `id` name it in the next request. */
export type EditorMethod = Method &
  Located & {
    /** For people: `Shop.search(String, int)`. */
    readonly label: string;
  };

/** A share's movement against the baseline. To be drawn neutral unless its verdict is `slower` or `faster`. */
export type EditorChange = Change & {
  /** Whole degrees, −90 (share at least doubled) to 90. */
  readonly angle: number;
  /** 0 to 255 each. */
  readonly colour: { readonly red: number; readonly green: number; readonly blue: number };
};

/** A value of an answer with what editors get in addition. */
export type InEditor<T> = T extends Method
  ? EditorMethod
  : T extends Change
    ? EditorChange
    : T extends readonly (infer Entry)[]
      ? number extends T['length']
        ? readonly InEditor<Entry>[]
        : T
      : T extends object
        ? { readonly [Key in keyof T]: InEditor<T[Key]> }
        : T;

/** The results of answers as editors get them, by name. */
export type EditorAnswers = InEditor<Answers & SessionAnswers>;
