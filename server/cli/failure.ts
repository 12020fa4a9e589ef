// How a command gives up: one clear line and an exit status, never a stack trace.
import { formatProblem, type Problem } from '../base/problem.ts';

/** Exit status: 1, the command could not do its work; 2, it was called wrongly; 3, the data do not tell what was asked. */
type ExitStatus = 1 | 2 | 3;

/** Ends a command. The problems say what, where and what to do. */
export class CommandFailure extends Error {
  readonly status: ExitStatus;
  readonly problems: readonly Problem[];

  /** @param cause the refusal of an answer, where there is one. */
  constructor(status: ExitStatus, problems: readonly Problem[], cause?: Error) {
    super(problems.map(formatProblem).join('\n'), { cause });
    this.status = status;
    this.problems = problems;
  }
}

/** The command could not do its work. */
export function failed(message: string, more: Partial<Problem> = {}): CommandFailure {
  return new CommandFailure(1, [{ severity: 'error', message, ...more }]);
}

/** The command was called wrongly. */
export function misused(message: string, remedy: string): CommandFailure {
  return new CommandFailure(2, [{ severity: 'error', message, remedy }]);
}

/** The data do not tell what was asked. */
export function undecided(message: string, remedy: string): CommandFailure {
  return new CommandFailure(3, [{ severity: 'warning', message, remedy }]);
}
