// The answer `executions`: the programs, versions and instances that have data.

import * as v from 'valibot';
import { isoTime } from '../../base/moment-text.ts';
import { EXECUTION, EXECUTION_FILTER } from '../../model/execution.ts';
import { described, problemsSchema } from '../../model/terms.ts';
import type { ExecutionRow } from '../executions.ts';
import { defineAnswer } from './answer.ts';
import { LIMIT, listed, listOf, optional, problemsOf } from './vocabulary.ts';

/** The fields of an execution in every list of executions. */
export const EXECUTION_ROW = {
  ...EXECUTION,
  from: v.string(),
  to: v.string(),
  snapshots: v.number(),
  bytes: v.number(),
};

export function executionOf({ project, program, version, instance, from, to, snapshots, bytes }: ExecutionRow) {
  return {
    ...{ program, version, instance },
    ...{ from: isoTime(from) ?? '', to: isoTime(to) ?? '' },
    ...{ snapshots, bytes, project },
  };
}

export const executions = defineAnswer({
  name: 'executions',
  title: 'Recorded executions',
  description: 'Lists the programs, versions and instances that the store has data of, the latest first.',
  parameters: v.strictObject({
    ...EXECUTION_FILTER,
    all: optional(v.boolean(), 'Of all projects; default: of the configured one'),
    ...LIMIT,
  }),
  result: v.object({
    store: v.string(),
    project: v.string(),
    problems: described(problemsSchema, 'Snapshots that cannot be read'),
    ...listOf(EXECUTION_ROW),
  }),
  async answer(context, { program, version, instances, all, limit }) {
    const found = await context.executions({
      all: all ?? false,
      ...(program != null && { program }),
      ...(version != null && { version }),
      ...(instances != null && { instances }),
    });
    const { rows, ...counts } = listed(found.rows, limit);
    return {
      ...{ store: found.store, project: found.project },
      problems: problemsOf(found.problems),
      ...counts,
      rows: rows.map(executionOf),
    };
  },
});
