// The answer `methods`: the hottest methods, or the methods whose share moved most against a baseline.

import * as v from 'valibot';
import { subjectNamed } from '../facts/subject.ts';
import { topOf } from '../top.ts';
import { defineAnswer } from './answer.ts';
import {
  CHOICE,
  changeOf,
  changeSchema,
  LIMIT,
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

const sharesSchema = { total: shareSchema, self: shareSchema };

export const methods = defineAnswer({
  name: 'methods',
  title: 'Hottest methods',
  description: 'Lists the methods that take most of the time (or of another metric), with their own part.',
  parameters: v.strictObject({
    ...CHOICE,
    ...LIMIT,
    sort: optional(
      v.picklist(['total', 'self', 'change']),
      'Order: total (default), self, or change against the baseline',
    ),
    package: optional(v.string(), 'Only methods of this package and the packages below it'),
    search: optional(v.string(), 'Only methods whose name contains this text, in any case'),
    platform: optional(v.boolean(), 'Also methods of the Java platform (java.*, jdk.*, …)'),
    baseline: optional(v.string(), 'Version to compare with'),
  }),
  result: v.object({
    origin: originSchema,
    ...listSchema,
    rows: v.array(v.object({ method: methodSchema, ...sharesSchema, change: v.nullable(changeSchema) })),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const baseline = given.baseline == null ? null : await context.baseline(data, given.baseline);
    const all = topOf(data, {
      limit: data.profile.methods.length,
      by: given.sort === 'self' ? 'self' : 'total',
      platform: given.platform ?? false,
      sortedByChange: given.sort === 'change' && baseline !== null,
      ...(given.package != null && { within: given.package }),
      ...(baseline && { baseline }),
    });
    const text = given.search?.toLowerCase() ?? '';
    const { rows, ...counts } = listed(
      text === '' ? all : all.filter(row => `${row.className}.${row.method}`.toLowerCase().includes(text)),
      given.limit,
    );
    const found = rows.flatMap(row => {
      const named = { className: row.className, name: row.method, descriptor: row.descriptor };
      const [method] = subjectNamed(data, named)?.entry.methods ?? [];
      return method === undefined ? [] : [{ row, method }];
    });
    const places = await context.places(
      data,
      found.map(({ method }) => method),
    );
    return {
      origin: originOf(data, baseline?.data ?? null),
      ...counts,
      rows: found.map(({ row: { total, self, change }, method }) => ({
        method: methodOf(data, method, places),
        total: shareOf(data, { weight: total.part, count: total.samples }),
        self: shareOf(data, { weight: self.part, count: self.samples }),
        change: change === undefined ? null : changeOf(change),
      })),
    };
  },
});
