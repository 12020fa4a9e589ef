// What definitions of tasks yield: each task with its share of the samples, for lists to choose a focus from.

import type { AnswerTo } from '../analysis/questions/question-table.ts';
import type { Share } from './text/format-share.ts';

type TaskRow = {
  /** What a focus calls it. */
  readonly name: string;
  /** Name of the definition that yields it. */
  readonly definition: string;
  /** Of all samples of the selection; samples that pass several tasks count in each. */
  readonly total: Share;
};

/** Heaviest first. */
export function taskRows({ value: { tasks, whole } }: AnswerTo<'tasks'>): TaskRow[] {
  return tasks.map(({ name, definition, amount }) => ({
    name,
    definition,
    total: { part: amount.weight, whole: whole.weight, samples: amount.count },
  }));
}
