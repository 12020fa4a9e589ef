// Why a question of the page has no answer.
import { printableLine } from '../base/printable.ts';
import type { Problem } from '../base/problem.ts';
import type { ViewProblem } from './view-messages.ts';

/** Thrown while a question is read or answered; the page is told the problem in place of an answer. */
export class Refusal extends Error {
  readonly problem: ViewProblem;

  constructor(message: string, remedy: string, noData?: ViewProblem['noData']) {
    super(printableLine(message));
    this.name = 'Refusal';
    this.problem = { message: this.message, remedy: printableLine(remedy), ...(noData && { noData }) };
  }
}

/** The value of an outcome, or a refusal that says why there is none. */
export function orRefuse<T>({
  value,
  problems,
}: {
  readonly value: T | null;
  readonly problems: readonly Problem[];
}): T {
  if (value !== null) return value;
  throw refusalOf(problems);
}

export function nothingCompared(): Refusal {
  return new Refusal('nothing is compared with', 'choose a baseline in the editor, or begin with --baseline');
}

export function refusalOf(problems: readonly Problem[], noData?: ViewProblem['noData']): Refusal {
  const first = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  return new Refusal(first?.message ?? 'there are no data', first?.remedy ?? 'ask again', noData);
}
