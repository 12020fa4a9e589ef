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
  #isPart = false;

  constructor(file: string) {
    this.#file = file;
  }

  add(severity: Problem['severity'], message: string, place?: string, remedy?: string): void {
    if (this.#hasRoom(severity)) this.say(severity, message, place, remedy);
  }

  /** A part of the file could not be read. */
  addPart(message: string, place?: string, remedy?: string): void {
    this.#isPart = true;
    if (!this.#hasRoom('warning')) return;
    this.#problems.push({
      severity: 'warning',
      message,
      file: this.#file,
      ...(place !== undefined && { place }),
      ...(remedy && { remedy }),
      isPart: true,
    });
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
    const isPart = this.#isPart ? ({ isPart: true } as const) : {};
    const message = `${this.#unreported} more problems`;
    return [...this.#problems, { severity: 'warning', message, file: this.#file, ...isPart }];
  }

  /** Whether one more is told; it is counted where not. */
  #hasRoom(severity: Problem['severity']): boolean {
    const hasRoom = this.#added[severity === 'error' ? 'errors' : 'others']++ < MAX_PROBLEMS;
    if (!hasRoom) this.#unreported++;
    return hasRoom;
  }
}
