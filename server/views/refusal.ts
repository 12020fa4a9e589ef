// Why a question of the page has no answer.
import { printableLine } from '../base/printable.ts';
import type { Problem } from '../base/problem.ts';
import type { ViewProblem } from './view-messages.ts';

/** Thrown while a question is read or answered; the page is told the problem in place of an answer. */
export class Refusal extends Error {
  readonly problem: ViewProblem;

  /** @param more whether there are no data, or the part of a query that is meant. */
  constructor(message: string, remedy: string, { noData, range }: Pick<ViewProblem, 'noData' | 'range'> = {}) {
    super(printableLine(message));
    this.name = 'Refusal';
    const place = range && { range: { from: range.from, to: range.to } };
    this.problem = { message: this.message, remedy: printableLine(remedy), ...(noData && { noData }), ...place };
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
  return new Refusal(first?.message ?? 'there are no data', first?.remedy ?? 'ask again', noData && { noData });
}
