// The answer `movedMethods`: the methods whose share changed between two versions, new and vanished methods included.

import * as v from 'valibot';
import type { Problem } from '../../base/problem.ts';
import { movedMethods as moved } from '../moved.ts';
import { baselineOf, defineAnswer } from './answer.ts';
import {
  BASELINE,
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
  problemsOf,
  problemsSchema,
} from './vocabulary.ts';

/** Of editors, which do not wait for git longer than some seconds. */
const NOT_PAIRED: Problem = {
  severity: 'warning',
  message: 'git has not told yet what was renamed or moved, so that methods are compared by their names',
  remedy: 'ask again in some seconds',
};

export const movedMethods = defineAnswer({
  name: 'movedMethods',
  title: 'Methods that moved',
  description:
    'Lists the methods whose share of everything changed against another version, through renames and moves.',
  parameters: v.strictObject({
    ...BASELINE,
    ...CHOICE,
    ...LIMIT,
  }),
  result: v.object({
    origin: originSchema,
    problems: v.pipe(problemsSchema, v.description('Why renames are not known: such a method is new and gone')),
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
    const baseline = await baselineOf(context, data, given.baseline);
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
      problems: problemsOf(baseline.pairing.state === 'done' ? [] : [NOT_PAIRED]),
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
