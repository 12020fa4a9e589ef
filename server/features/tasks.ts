// What definitions of tasks yield: each task with its share of the samples, for lists to choose a focus from.

import type { LoadedData } from '../analysis/loaded-data.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import { resultOf, type Steps } from '../metrics/around-method.ts';
import { taskAmountSteps } from '../metrics/focus.ts';
import { matchTaskSteps, type Task } from '../metrics/task.ts';
import type { Share } from './text/format-share.ts';

export type TaskRow = {
  /** What a focus calls it. */
  readonly name: string;
  /** Name of the definition that yields it. */
  readonly definition: string;
  /** Of all samples of the selection; samples that pass several tasks count in each. */
  readonly total: Share;
};

/**
 * Tasks of all definitions with samples, heaviest first. Problems: expressions that do not work, definitions that no method fits,
 * and those whose methods have no samples in the selection.
 */
export function tasksOf(data: LoadedData, definitions: readonly Task[]): Outcome<readonly TaskRow[]> {
  return resultOf(taskSteps(data, definitions));
}

/** The same, pausing now and then, whatever the definitions are. */
export function* taskSteps(data: LoadedData, definitions: readonly Task[]): Steps<Outcome<readonly TaskRow[]>> {
  const { analysis, profile, metric } = data;
  const rows: TaskRow[] = [];
  const problems: Problem[] = [];
  for (const definition of definitions) {
    const matched = yield* matchTaskSteps(profile.methods, definition);
    problems.push(...matched.problems);
    const amounts = yield* taskAmountSteps(analysis, matched.value);
    for (const { name, amount } of amounts) {
      const total = { part: amount.weight, whole: analysis.whole.weight, samples: amount.count };
      rows.push({ name, definition: definition.name, total });
    }
    if (amounts.length > 0 || matched.problems.length > 0) continue;
    const reason =
      matched.value.names.length === 0 ? 'no method that ran fits' : `no sample of ${metric.id} is in what fits`;
    const remedy = 'insitu top --platform lists what ran';
    problems.push({
      severity: 'info',
      message: `${reason} "${definition.value}"`,
      place: `task ${definition.name}`,
      remedy,
    });
  }
  rows.sort((a, b) => b.total.part - a.total.part || b.total.samples - a.total.samples);
  return { value: rows, problems };
}
