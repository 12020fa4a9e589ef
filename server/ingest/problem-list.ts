// Collects what is wrong with one file, without growing with the file: the first problems stand, the rest is counted.
import type { Problem } from '../base/problem.ts';

/** More errors than these do not help, nor do more problems of any other kind. */
const MAX_PROBLEMS = 50;

/** Problems of one file, in the order in which they came. */
export class ProblemList {
  readonly #file: string;
  readonly #problems: Problem[] = [];
  /** Of `add`: errors, which are never hidden by what is not as bad, and others. */
  readonly #added = { errors: 0, others: 0 };
  #unreported = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(severity: Problem['severity'], message: string, place?: string, remedy?: string): void {
    if (this.#added[severity === 'error' ? 'errors' : 'others']++ >= MAX_PROBLEMS) {
      this.#unreported++;
      return;
    }
    this.say(severity, message, place, remedy);
  }

  /** As `add`, however many there are already: for what is said once a file. */
  say(severity: Problem['severity'], message: string, place?: string, remedy?: string): void {
    const where = place === undefined ? {} : { place };
    const what = remedy === undefined ? {} : { remedy };
    this.#problems.push({ severity, message, file: this.#file, ...where, ...what });
  }

  /** All problems; a last one says how many were left out. */
  list(): Problem[] {
    if (this.#unreported === 0) return this.#problems.slice();
    const rest = { severity: 'warning', message: `${this.#unreported} more problems`, file: this.#file } as const;
    return [...this.#problems, rest];
  }
}
