// The question what definitions of tasks yield, to choose a focus from.
import type { Outcome, Problem } from '../../base/problem.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { taskAmountSteps } from '../../metrics/focus.ts';
import { matchTaskSteps, type Task } from '../../metrics/task.ts';
import { type Question, resultWith } from './question.ts';

export type TaskAmount = {
  /** What a focus calls it. */
  readonly name: string;
  /** Name of the definition that yields it. */
  readonly definition: string;
  /** Samples that pass several tasks count in each. */
  readonly amount: Amount;
};

/**
 * Tasks of all definitions with samples, heaviest first. Problems: expressions that do not work, definitions that no method fits,
 * and those whose methods have no samples in the selection.
 */
export const tasks: Question<{ readonly definitions: readonly Task[] }, Outcome<readonly TaskAmount[]>> = (
  { analysis, profile, metric },
  { definitions },
  pause,
) => {
  const rows: TaskAmount[] = [];
  const problems: Problem[] = [];
  for (const definition of definitions) {
    const matched = resultWith(matchTaskSteps(profile.methods, definition), pause);
    problems.push(...matched.problems);
    const amounts = resultWith(taskAmountSteps(analysis, matched.value), pause);
    rows.push(...amounts.map(({ name, amount }) => ({ name, definition: definition.name, amount })));
    if (amounts.length > 0 || matched.problems.length > 0) continue;
    const reason =
      matched.value.names.length === 0 ? 'no method that ran fits' : `no sample of ${metric.id} is in what fits`;
    const remedy = 'insitu top --platform lists what ran';
    const place = `task ${definition.name}`;
    problems.push({ severity: 'info', message: `${reason} "${definition.value}"`, place, remedy });
  }
  rows.sort((a, b) => b.amount.weight - a.amount.weight || b.amount.count - a.amount.count);
  return { value: rows, problems };
};
