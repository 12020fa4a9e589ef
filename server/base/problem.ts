// A problem: what went wrong, where, and the way out: the only form in which readers of outside data report trouble.

import { printableLine, printableName } from './printable.ts';

/** Something a user should know about a piece of outside data. Readers return problems beside whatever they could read; they never throw. */
export type Problem = {
  /** `error`: nothing usable came out; `warning`: part of it is missing; `info`: complete, but worth knowing. */
  readonly severity: 'error' | 'warning' | 'info';
  /** One sentence saying what is wrong, without the place. */
  readonly message: string;
  /** Path or name of the file as the user gave it. */
  readonly file?: string;
  /** Where inside the file: `byte 4711`, `chunk 3`, `column parent, row 7`, `line 12`. */
  readonly place?: string;
  /** The way out for the user. */
  readonly remedy?: string;
  /** The texts of editors in its place: there a command line means nothing, and commands are named `insitu.<name>`. */
  readonly inEditor?: { readonly message: string; readonly remedy: string };
  /** Whether the data do not tell what was asked: commands end with status 3. */
  readonly isUndecided?: true;
  /** Whether a part of a file could not be read: commands that show the rest end with status 1. */
  readonly isPart?: true;
};

/** Whether a problem says that something could not be read, or not as a whole. */
export function isDamage({ severity, isPart }: Problem): boolean {
  return severity === 'error' || isPart === true;
}

/** A value that may be partial, and everything that kept it from being whole. */
export type Outcome<T> = { readonly value: T; readonly problems: readonly Problem[] };

/** One line for terminals and logs: `file: place: message (remedy)`. Its parts come from outside: see `printableName`. */
export function formatProblem(problem: Problem): string {
  const where = [problem.file, problem.place].filter(part => part !== undefined).map(printableName);
  const what = [...where, printableLine(problem.message)].join(': ');
  return problem.remedy === undefined ? what : `${what} (${printableLine(problem.remedy)})`;
}

/** The same for people in an editor. */
export function formatInEditor(problem: Problem): string {
  return formatProblem(asInEditor(problem));
}

/** The problem with the words of editors. */
export function asInEditor({ inEditor, ...problem }: Problem): Problem {
  if (inEditor === undefined) return problem;
  const { file: _file, place: _place, ...others } = problem;
  return { ...others, ...inEditor };
}

/** The texts of editors where nothing was recorded. */
export const NOTHING_RECORDED = {
  message: 'there are no recordings of this project yet',
  remedy: 'insitu.importRecording imports one, insitu.record records a JVM',
} as const;

/** Problems that make the value less than whole: all but notes. */
export function withoutNotes(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ severity }) => severity !== 'info');
}

/** More of one kind do not help. */
const MOST_DISTINCT = 50;

/** Problems of many places, each once and not more than help: a last one says that there are others. */
export class DistinctProblems {
  readonly #known = new Map<string, Problem>();
  #hasMore = false;

  add(problem: Problem): void {
    const key = formatProblem(problem);
    if (this.#known.has(key)) return;
    if (this.#known.size < MOST_DISTINCT) this.#known.set(key, problem);
    else this.#hasMore = true;
  }

  list(): readonly Problem[] {
    const more = {
      severity: 'warning',
      message: `more than ${MOST_DISTINCT} problems: the others are not told`,
    } as const;
    return this.#hasMore ? [...this.#known.values(), more] : [...this.#known.values()];
  }
}
