// The answer `movedMethods`: the methods whose share changed between two versions, new and vanished methods included.

import * as v from 'valibot';
import { movedMethods as moved } from '../moved.ts';
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
  originOf,
  originSchema,
} from './vocabulary.ts';

export const movedMethods = defineAnswer({
  name: 'movedMethods',
  title: 'Methods that moved',
  description:
    'Lists the methods whose share of everything changed against another version, through renames and moves.',
  parameters: v.strictObject({
    baseline: v.pipe(v.string(), v.description('Version to compare with')),
    ...CHOICE,
    ...LIMIT,
  }),
  result: v.object({
    origin: originSchema,
    ...listSchema,
    unmoved: v.pipe(
      v.number(),
      v.description('Methods with samples whose share moved by less than 0.1 points; not listed'),
    ),
    rows: v.array(
      v.object({
        method: methodSchema,
        vanished: v.pipe(v.boolean(), v.description('True if only the baseline has samples of it')),
        change: changeSchema,
      }),
    ),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const baseline = await context.baseline(data, given.baseline);
    const wish = { limit: Number.POSITIVE_INFINITY };
    const { rows: all, unmoved } = await moved(data, baseline, wish, context.reach);
    const size = ({ change }: (typeof all)[number]) => Math.abs(change.current - change.baseline);
    const { rows, ...counts } = listed(
      all.toSorted((a, b) => size(b) - size(a)),
      given.limit,
    );
    const rowsOf = (isGone: boolean) => rows.filter(row => row.isGone === isGone).map(({ method }) => method);
    const places = await context.places(data, rowsOf(false));
    return {
      origin: originOf(data, baseline.data),
      ...counts,
      unmoved,
      rows: rows.map(({ method, isGone, change }) => ({
        method: isGone ? methodOf(baseline.data, method, new Map()) : methodOf(data, method, places),
        vanished: isGone,
        change: changeOf(change),
      })),
    };
  },
});
