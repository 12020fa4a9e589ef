// The answer `changedMethods`: the methods that commits changed, by their part of production before anything new is measured.

import * as v from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { LOOK } from '../../model/look-schema.ts';
import { commitSchema, described, originSchema, shareSchema } from '../../model/terms.ts';
import { defineAnswer, refused } from './answer.ts';
import { LIMIT, listed, listOf, originOf, shareOf } from './vocabulary.ts';

export const changedMethods = defineAnswer({
  name: 'changedMethods',
  title: 'Methods that commits changed',
  description:
    'Lists the methods whose code some commits changed, followed through moves, with the part of everything that each took before.',
  parameters: v.strictObject({
    commits: described(v.string(), 'Two commits, tags or branches: v1..HEAD'),
    ...LOOK,
    ...LIMIT,
  }),
  result: v.object({
    origin: originSchema,
    ran: described(v.number(), 'How many of all of them ran'),
    ...listOf({
      name: described(v.string(), 'Class with its outer classes, and method'),
      change: v.picklist(['changed', 'new', 'gone']),
      total: shareSchema,
      self: shareSchema,
      path: described(v.string(), 'From the root of the repository; before the commits if it is gone'),
      line: v.number(),
      commit: described(
        v.nullable(commitSchema),
        'The latest of the commits that changed it; null where git cannot tell',
      ),
    }),
  }),
  async answer(context, given) {
    const [, before, now] = /^(.+?)\.\.(.+)$/.exec(given.commits) ?? [];
    if (before === undefined || now === undefined)
      throw refused(`"${given.commits}" names no two commits`, 'write A..B, such as v1..HEAD');
    const data = await context.data(given);
    return context.withChangesOf([before, now], data, async ({ methods, commitOf }) => {
      const all = methods
        .map(change => ({
          change,
          total: amountOf(data, 'total', change.methods),
          self: amountOf(data, 'self', change.methods),
        }))
        .sort(
          (a, b) =>
            b.total.weight - a.total.weight ||
            b.self.weight - a.self.weight ||
            (a.change.name < b.change.name ? -1 : 1),
        );
      const { rows: shown, ...counts } = listed(all, given.limit);
      const rows = [];
      for (const { change: each, total, self } of shown) {
        const { name, change, path, line } = each;
        const commit = await commitOf(each);
        rows.push({ name, change, total: shareOf(data, total), self: shareOf(data, self), path, line, commit });
      }
      return { origin: originOf(data), ran: all.filter(({ total }) => total.weight > 0).length, ...counts, rows };
    });
  },
});

function amountOf({ values, analysis: { whole } }: LoadedData, of: 'total' | 'self', rows: readonly number[]): Amount {
  const { weight, count } = values[of];
  const sum = (column: Float64Array) => rows.reduce((all, row) => all + column[row]!, 0);
  // Overloads that the data do not tell apart may call each other.
  return { weight: Math.min(whole.weight, sum(weight)), count: Math.min(whole.count, sum(count)) };
}
