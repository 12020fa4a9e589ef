// The answer `heaviestPath`: always on to the heaviest call, from everything or from a method.

import * as v from 'valibot';
import { defineAnswer } from './answer.ts';
import { askedMethod } from './named-method.ts';
import {
  CHOICE,
  LIMIT_OF_ALL,
  listed,
  listSchema,
  methodOf,
  methodSchema,
  optional,
  originOf,
  originSchema,
  shareOf,
  shareSchema,
} from './vocabulary.ts';

export const heaviestPath = defineAnswer({
  name: 'heaviestPath',
  title: 'Heaviest path',
  description:
    'Follows the heaviest calls, from everything or from a method, to the method that spends the time itself.',
  parameters: v.strictObject({
    method: optional(v.string(), 'Method that the path starts with; default: everything'),
    ...CHOICE,
    ...LIMIT_OF_ALL,
  }),
  result: v.object({
    origin: originSchema,
    ...listSchema,
    rows: v.array(v.object({ method: methodSchema, ofAll: shareSchema, self: shareSchema, line: v.number() })),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const start = given.method == null ? null : (await askedMethod(context, data, given.method)).entry.methods;
    const steps = await context.reach.ask(data, 'heaviestPath', { start });
    const { rows, ...counts } = listed(steps, given.limit ?? steps.length);
    const places = await context.places(
      data,
      rows.map(({ method }) => method),
    );
    return {
      origin: originOf(data),
      ...counts,
      rows: rows.map(({ method, line, total, self }) => ({
        method: methodOf(data, method, places),
        ofAll: shareOf(data, total),
        self: shareOf(data, self),
        line,
      })),
    };
  },
});
