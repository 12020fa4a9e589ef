// The answer `executions`: the programs, versions and instances that have data.

import * as v from 'valibot';
import { defineAnswer } from './answer.ts';
import { LIMIT, listed, listSchema } from './vocabulary.ts';

export const executions = defineAnswer({
  name: 'executions',
  title: 'Recorded executions',
  description: 'Lists the programs, versions and instances that the store has data of, the latest first.',
  parameters: v.strictObject({ ...LIMIT }),
  result: v.object({
    store: v.string(),
    project: v.string(),
    ...listSchema,
    rows: v.array(
      v.object({
        program: v.string(),
        version: v.string(),
        instance: v.string(),
        from: v.string(),
        to: v.string(),
        snapshots: v.number(),
      }),
    ),
  }),
  async answer(context, given) {
    const { rows: all, ...place } = await context.executions();
    return { ...place, ...listed(all, given.limit) };
  },
});
