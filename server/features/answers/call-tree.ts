// The answer `callTree`: the calling context tree from its root or from one method, downwards to callees or upwards to callers.

import * as v from 'valibot';
import type { CallTreeRow } from '../../metrics/call-tree.ts';
import { described, methodSchema, shareSchema } from '../../model/terms.ts';
import { defineDataAnswer } from './answer.ts';
import { askedMethod } from './named-method.ts';
import { LIMIT, limitOf, listed, listSchema, methodOf, optional, shareOf } from './vocabulary.ts';

const USUAL_LEAST = 0.01;

export const callTree = defineDataAnswer({
  name: 'callTree',
  title: 'Tree of calls',
  description:
    'Gives the heaviest part of the tree of calls: of everything, or of one method, downwards to what it calls or upwards to its callers.',
  parameters: {
    method: optional(v.string(), 'Method to begin with; default: everything'),
    direction: optional(
      v.picklist(['callees', 'callers']),
      'Downwards to callees (default), or upwards to the callers of the method',
    ),
    depth: optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 'Levels below the first row; default: all'),
    least: optional(
      v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
      `Calls below this fraction of the first row are left out; default ${USUAL_LEAST}`,
    ),
    ...LIMIT,
  },
  result: {
    cut: described(v.boolean(), 'True if calls are left out: they are lighter, deeper or beyond the limit'),
    ...listSchema,
    rows: described(
      v.array(
        v.object({
          method: described(v.nullable(methodSchema), 'Null for everything'),
          parent: described(v.number(), 'Index of the row above; −1 for the first row'),
          depth: v.number(),
          total: shareSchema,
          self: described(
            shareSchema,
            'The part that is in no row below: upwards, the stacks that begin with the method',
          ),
        }),
      ),
      'Depth first, the heaviest of siblings first',
    ),
  },
  async answer(data, given, context) {
    const subject = given.method == null ? null : (await askedMethod(context, data, given.method)).entry.methods;
    const { rows } = await context.reach.ask(data, 'tree', {
      // Without a method there is nothing that could be called.
      direction: subject === null ? 'callees' : (given.direction ?? 'callees'),
      methods: subject,
      depth: given.depth ?? Number.POSITIVE_INFINITY,
      least: given.least ?? USUAL_LEAST,
      rows: limitOf(given.limit),
    });
    const isAll = (depth: number) => depth === 0 && subject === null;
    const places = await context.places(data, [
      ...new Set(rows.flatMap(({ method, depth }) => (isAll(depth) ? [] : [method]))),
    ]);
    return {
      cut: isCut(rows),
      ...listed(rows, rows.length),
      rows: rows.map(({ method, parent, depth, total, self }) => ({
        method: isAll(depth) ? null : methodOf(data, method, places),
        ...{ parent, depth },
        total: shareOf(data, total),
        self: shareOf(data, self),
      })),
    };
  },
});

/** Whether some of a row's time is neither its own nor in a row below it. */
function isCut(rows: readonly CallTreeRow[]): boolean {
  const missing = rows.map(({ total, self }) => total.count - self.count);
  for (const { parent, total } of rows) if (parent >= 0) missing[parent]! -= total.count;
  return missing.some(count => count > 0);
}
