// The answer `completePath`: the names that a query by call paths may go on with where the cursor stands.

import * as v from 'valibot';
import { described } from '../../model/terms.ts';
import { defineDataAnswer, refused } from './answer.ts';
import { LONGEST_QUERY } from './paths.ts';
import { LIMIT, limitOf, optional } from './vocabulary.ts';

export const completePath = defineDataAnswer({
  name: 'completePath',
  title: 'Names for a call path',
  description: 'Lists the names that a query by call paths may go on with: sets of methods, threads, then methods.',
  whileTyping: true,
  parameters: {
    query: v.pipe(v.string(), v.maxLength(LONGEST_QUERY), v.description('A query, whole or begun')),
    at: optional(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      'Where the cursor stands: an offset into the query; default: its end',
    ),
    ...LIMIT,
  },
  result: {
    from: described(v.number(), 'Begin of the part of the query that a name takes the place of: an offset'),
    to: described(v.number(), 'Its end, exclusive'),
    names: described(
      v.array(v.object({ text: v.string(), kind: v.picklist(['aspect', 'thread', 'method']) })),
      'Sets of methods, then threads where a path begins, then methods with most time first',
    ),
  },
  async answer(data, given, context) {
    const { query, at, limit } = given;
    if (at != null && at > query.length) throw refused('"at" is not in the query', `it has ${query.length} characters`);
    // The path that is shown would leave the names of other paths without time.
    const whole = data.selection.path === undefined ? data : await context.data({ ...given, path: '' });
    const wish = { query, at: at ?? query.length, aspects: context.settings.aspects, most: limitOf(limit) };
    const { from, to, names } = await context.reach.ask(whole, 'pathNames', wish);
    return { from, to, names: [...names] };
  },
});
