// The answer `moved`: the methods whose share changed between two versions, new and vanished methods included.

import * as v from 'valibot';
import { AskFailed } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Problem } from '../../base/problem.ts';
import { NO_AMOUNT } from '../../metrics/analysis.ts';
import { amountAt } from '../../metrics/method-times.ts';
import { changeSchema, described, methodSchema, problemsSchema, shareSchema } from '../../model/terms.ts';
import { type AnswerContext, baselineOf, defineDataAnswer, placesFor } from '../answers/answer.ts';
import {
  BASELINE,
  changeOf,
  LIMIT,
  LISTED,
  listed,
  listOf,
  methodOf,
  OFFSET,
  originOf,
  problemsOf,
  shareOf,
} from '../answers/vocabulary.ts';
import { movedMethods } from './moved-methods.ts';

/** Editors wait for git some seconds only. */
const NOT_PAIRED: Problem = {
  severity: 'warning',
  message: 'git has not told the renames yet, so that methods are compared by their names',
  remedy: 'ask again in some seconds',
};

/** Whether a method with samples is found by a search. Rejects with `AskFailed` for an expression that means nothing. */
async function fitting(
  { reach }: AnswerContext,
  data: LoadedData,
  search: string | null | undefined,
): Promise<(row: number) => boolean> {
  if (search == null || search === '') return () => true;
  const wish = { kind: 'methods', of: null, sort: 'total', from: 0, most: Number.POSITIVE_INFINITY } as const;
  const { value, problems } = await reach.ask(data, 'methodList', { ...wish, search });
  if (value === null) throw new AskFailed(problems);
  const found = new Set(value.rows.map(({ method }) => method));
  return row => found.has(row);
}

export const moved = defineDataAnswer({
  name: 'moved',
  title: 'Methods that moved',
  description:
    'Lists the methods whose share of everything changed against another version, through renames and moves.',
  whenEmpty: 'No method moved by 0.1 points or more.',
  parameters: {
    ...BASELINE,
    ...LIMIT,
    ...OFFSET,
    ...LISTED,
  },
  result: {
    problems: described(problemsSchema, 'Why renames are not known: such a method is new and gone'),
    unmoved: described(v.number(), 'Methods with samples whose share moved by less than 0.1 points; not listed'),
    ...listOf({
      method: methodSchema,
      vanished: described(v.boolean(), 'True if only the baseline has samples of it'),
      total: described(shareSchema, 'Now'),
      self: described(shareSchema, 'Now'),
      change: changeSchema,
    }),
  },
  async answer(data, given, context) {
    const baseline = await baselineOf(context, data, given.baseline);
    const [now, then] = [
      await fitting(context, data, given.search),
      await fitting(context, baseline.data, given.search),
    ];
    const wish = {
      limit: Number.POSITIVE_INFINITY,
      fits: (method: number, isGone: boolean) => (isGone ? then : now)(method),
    };
    const { rows: all, unmoved } = await movedMethods(data, baseline, wish, context.reach);
    const size = ({ change }: (typeof all)[number]) => Math.abs(change.current - change.baseline);
    const { rows, ...counts } = listed(
      all.toSorted((a, b) => size(b) - size(a)),
      given.limit,
      given.offset,
    );
    const rowsOf = (isGone: boolean) => rows.filter(row => row.isGone === isGone).map(({ method }) => method);
    const places = await placesFor(context, data, rowsOf(false), given.places);
    return {
      origin: originOf(data, baseline.data),
      problems: problemsOf(baseline.pairing.state === 'done' ? [] : [NOT_PAIRED]),
      ...counts,
      unmoved,
      rows: rows.map(({ method, isGone, change }) => ({
        method: isGone ? methodOf(baseline.data, method, new Map()) : methodOf(data, method, places),
        vanished: isGone,
        total: shareOf(data, isGone ? NO_AMOUNT : amountAt(data.values.total, method)),
        self: shareOf(data, isGone ? NO_AMOUNT : amountAt(data.values.self, method)),
        change: changeOf(change),
      })),
    };
  },
});
