// The answer `changedMethods`: the methods that commits changed, by their part of production before anything new is measured.

import * as v from 'valibot';
import type { Amount } from '../../metrics/analysis.ts';
import { LOOK } from '../../model/look-schema.ts';
import { described, originSchema, shareSchema } from '../../model/terms.ts';
import { defineAnswer, refused } from './answer.ts';
import { LIMIT, listed, listOf, originOf, shareOf } from './vocabulary.ts';

export const changedMethods = defineAnswer({
  name: 'changedMethods',
  title: 'Methods that commits changed',
  description: 'Lists the methods whose code some commits changed, with the part of everything that each took before.',
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
    }),
  }),
  async answer(context, given) {
    const [, before, now] = /^(.+?)\.\.(.+)$/.exec(given.commits) ?? [];
    if (before === undefined || now === undefined)
      throw refused(`"${given.commits}" names no two commits`, 'write A..B, such as v1..HEAD');
    const data = await context.data(given);
    const changes = await context.changedBy([before, now], data);
    const amountOf = (of: 'total' | 'self', methods: readonly number[]): Amount => {
      const { weight, count } = data.values[of];
      const sum = (column: Float64Array) => methods.reduce((all, row) => all + column[row]!, 0);
      // Overloads that the data do not tell apart may call each other.
      const { whole } = data.analysis;
      return { weight: Math.min(whole.weight, sum(weight)), count: Math.min(whole.count, sum(count)) };
    };
    const all = changes
      .map(({ methods, ...change }) => ({
        ...change,
        total: amountOf('total', methods),
        self: amountOf('self', methods),
      }))
      .sort((a, b) => b.total.weight - a.total.weight || b.self.weight - a.self.weight || (a.name < b.name ? -1 : 1));
    const { rows, ...counts } = listed(all, given.limit);
    return {
      origin: originOf(data),
      ran: all.filter(({ total }) => total.weight > 0).length,
      ...counts,
      rows: rows.map(({ name, change, total, self, path, line }) => ({
        ...{ name, change, total: shareOf(data, total), self: shareOf(data, self), path, line },
      })),
    };
  },
});
