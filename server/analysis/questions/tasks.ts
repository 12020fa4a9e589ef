// The question what definitions of tasks yield, to choose a focus from.
import type { Pause } from '../../base/pause.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import { type Amount, type Analysis, amountOfCells } from '../../metrics/analysis.ts';
import { taskAmounts } from '../../metrics/focus.ts';
import { expressionTime } from '../../metrics/match-expression.ts';
import { matchTask, type Task } from '../../metrics/task.ts';
import { filterOfQuery } from '../paths/path-selection.ts';
import type { Aspect } from '../paths/resolve-query.ts';
import type { Question } from './question.ts';

type TaskAmount = {
  /** The name of the task in a focus. */
  readonly name: string;
  /** Name of the definition that yields it. */
  readonly definition: string;
  /** Samples that pass several tasks count in each. */
  readonly amount: Amount;
};

type TaskAmounts = {
  /** Heaviest first; tasks without samples are left out. */
  readonly tasks: readonly TaskAmount[];
  /** All samples that are looked at, and how many equally weighted ones have the same sampling error. */
  readonly whole: Amount;
  readonly effectiveWhole: number;
};

type Wish = {
  readonly definitions: readonly Task[];
  /** Sets of methods that queries may name. */
  readonly aspects: readonly Aspect[];
  /** Processor time that all expressions share, in milliseconds. */
  readonly limitMillis?: number;
};

/**
 * Problems: expressions that do not work or for which no time was left, definitions that no method fits, and definitions whose methods
 * have no samples in the selection.
 */
export const tasks: Question<Wish, Outcome<TaskAmounts>> = (
  { analysis, profile, metric, values },
  { definitions, aspects, limitMillis },
  pause,
) => {
  const found: TaskAmount[] = [];
  const problems: Problem[] = [];
  const time = expressionTime(limitMillis);
  for (const definition of definitions) {
    if (definition.type === 'query') {
      const query = queryAmount(analysis, definition, aspects, pause);
      problems.push(...query.problems);
      if (query.value !== null) found.push({ name: definition.name, definition: definition.name, amount: query.value });
      continue;
    }
    const matched = matchTask(profile.methods, definition, time, pause);
    problems.push(...matched.problems);
    const amounts = taskAmounts(analysis, matched.value, pause);
    found.push(...amounts.map(({ name, amount }) => ({ name, definition: definition.name, amount })));
    if (amounts.length > 0 || matched.problems.length > 0) continue;
    const reason =
      matched.value.names.length === 0 ? 'no method that ran fits' : `no sample of ${metric.id} is in what fits`;
    const remedy = 'insitu top --platform lists what ran';
    const place = `task ${definition.name}`;
    problems.push({ severity: 'info', message: `${reason} "${definition.value}"`, place, remedy });
  }
  found.sort((a, b) => b.amount.weight - a.amount.weight || b.amount.count - a.amount.count);
  const { effectiveWhole } = values;
  return { value: { tasks: found, whole: analysis.whole, effectiveWhole }, problems };
};

/** Samples that satisfy a saved query; null where none do. */
function queryAmount(
  { profile, selection }: Analysis,
  { name, value }: Task,
  aspects: readonly Aspect[],
  pause: Pause,
): Outcome<Amount | null> {
  const { value: filter, problems } = filterOfQuery(profile, selection, value, aspects, pause);
  const amount = filter && amountOfCells(profile.cells[selection.metric]!, filter.satisfied[selection.metric]!);
  return {
    value: amount === null || amount.count === 0 ? null : amount,
    problems: problems.map(problem => ({
      ...problem,
      severity: problem.severity === 'error' ? 'error' : 'info',
      place: `task ${name}, ${problem.place}`,
    })),
  };
}
