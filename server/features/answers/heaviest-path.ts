// The answer `heaviestPath`: always on to the heaviest call, from everything or from a method.

import * as v from 'valibot';
import { described, methodSchema, shareSchema } from '../../model/terms.ts';
import { defineDataAnswer } from './answer.ts';
import { askedMethod } from './named-method.ts';
import { LIMIT_OF_ALL, listed, listOf, methodOf, optional, shareOf } from './vocabulary.ts';

export const heaviestPath = defineDataAnswer({
  name: 'heaviestPath',
  title: 'Heaviest path',
  description:
    'Follows the heaviest calls, from everything or from a method, to the method that spends the time itself.',
  parameters: {
    method: optional(v.string(), 'Method that the path starts with; default: everything'),
    ...LIMIT_OF_ALL,
  },
  result: listOf({
    method: methodSchema,
    ofAll: shareSchema,
    self: shareSchema,
    line: described(
      v.number(),
      'Recorded line of the method at which it calls the next one; 0 is unknown, and of the last',
    ),
  }),
  async answer(data, given, context) {
    const start = given.method == null ? null : (await askedMethod(context, data, given.method)).entry.methods;
    const steps = await context.reach.ask(data, 'heaviestPath', { start });
    const { rows, ...counts } = listed(steps, given.limit ?? steps.length);
    const places = await context.places(
      data,
      rows.map(({ method }) => method),
    );
    return {
      ...counts,
      rows: rows.map(({ method, total, self }, at) => ({
        method: methodOf(data, method, places),
        ofAll: shareOf(data, total),
        self: shareOf(data, self),
        line: steps[at + 1]?.line ?? 0,
      })),
    };
  },
});
