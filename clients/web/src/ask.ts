// The questions of the page and the arrival of answers, on both ways: over HTTP or through the editor that shows the page.
import type {
  Answers,
  AskBlueprint,
  AskExport,
  AskHits,
  AskNamed,
  AskOpen,
  AskPicture,
  AskState,
  AskStates,
  AskTracks,
  AskUse,
  AskVanished,
  Blueprint,
  Exported,
  Hits,
  Opened,
  Question,
  State,
  States,
  Used,
  Vanished,
  ViewProblem,
} from 'insitu/views';

export type AnswerTo<Asked extends Question> = Asked extends AskState
  ? State
  : Asked extends AskPicture | AskTracks
    ? ArrayBuffer
    : Asked extends AskNamed<infer Name>
      ? Answers[Name]
      : Asked extends AskStates
        ? States
        : Asked extends AskVanished
          ? Vanished
          : Asked extends AskBlueprint
            ? Blueprint
            : Asked extends AskHits
              ? Hits
              : Asked extends AskExport
                ? Exported
                : Asked extends AskOpen
                  ? Opened
                  : Asked extends AskUse
                    ? Used
                    : never;

/** Whether a question is answered by the bytes of a frame, and not by JSON. */
export function isAnsweredByBytes({ ask }: Question): boolean {
  return ask === 'picture' || ask === 'tracks';
}

/** Sends a question; an aborted one rejects with `AbortError`, a refused one with `Refusal`. */
export type Ask = <Asked extends Question>(question: Asked, signal?: AbortSignal) => Promise<AnswerTo<Asked>>;

/** The question was not answered; says what can be done. */
export class Refusal extends Error {
  readonly remedy: string;
  /** The server does not know this page any more: it has to be opened anew. */
  readonly isStranger: boolean;
  readonly problem: ViewProblem;

  constructor(problem: ViewProblem, isStranger = false) {
    super(problem.message);
    this.problem = problem;
    this.remedy = problem.remedy;
    this.isStranger = isStranger;
  }
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** The message about a failure. */
export function problemOf(error: unknown): ViewProblem {
  if (error instanceof Refusal) return error.problem;
  return { message: error instanceof Error ? error.message : String(error), remedy: 'Try again, or reload the page.' };
}
