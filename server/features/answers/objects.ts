// The answer `objects`: classes of what methods allocate and throw, and of the monitors and locks that they wait for.

import * as v from 'valibot';
import type { Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import type { ObjectsOfMetric } from '../../metrics/objects.ts';
import { described } from '../../model/terms.ts';
import { amountText } from '../hover/amount-text.ts';
import { knownCount, partOf, shareInProse } from '../text/format-share.ts';
import { objectRowText, objectsTitle } from '../text/objects-text.ts';
import { defineDataAnswer } from './answer.ts';
import { askedMethod } from './named-method.ts';
import { LIMIT, listed, optional } from './vocabulary.ts';

export const objectsSchema = v.array(
  v.object({
    metric: v.string(),
    title: described(v.string(), 'Kind of the objects: allocated objects, monitors, locks, exceptions'),
    amount: described(v.string(), 'All of them together, for people'),
    weight: described(v.number(), 'All of them in the unit of the metric'),
    count: described(v.nullable(v.number()), 'Samples; null where the recording does not tell'),
    total: described(v.number(), 'Classes that there are'),
    leftOut: v.number(),
    rows: v.array(
      v.object({
        className: v.string(),
        text: described(v.string(), 'The row for people'),
        share: described(v.string(), 'Share of all classes of the metric'),
        amount: v.string(),
        weight: v.number(),
        count: v.nullable(v.number()),
        hadBefore: described(
          v.array(v.object({ thread: v.string(), weight: v.number() })),
          'Classes of threads that had the monitor last before the wait, most first; empty where no event tells',
        ),
      }),
    ),
  }),
);

export const objects = defineDataAnswer({
  name: 'objects',
  title: 'Classes of objects',
  description:
    'Lists the classes that a method allocates and throws, and the classes of the monitors and locks that it waits for, with the threads that had them before.',
  parameters: {
    method: optional(v.string(), 'Method, with all that it calls; default: everything'),
    ...LIMIT,
  },
  result: { metrics: described(objectsSchema, 'Empty where the recording does not tell the classes') },
  async answer(data, given, context) {
    const methods =
      given.method == null ? [ROOT_METHOD] : (await askedMethod(context, data, given.method)).entry.methods;
    return { metrics: await objectsOfMethods(data, methods, context.reach, given.limit) };
  },
});

/** Classes that other answers name. */
const FEW_CLASSES = 5;

/** The objects of methods that are taken as one. */
export async function objectsOfMethods(
  data: LoadedData,
  methods: readonly number[],
  reach: Reach,
  limit: number | null = FEW_CLASSES,
): Promise<v.InferOutput<typeof objectsSchema>> {
  if (methods.length === 0) return [];
  const [found] = await reach.ask(data, 'surroundings', { sets: [methods], facts: ['objects'] });
  return (found?.objects ?? []).map(each => told(each, limit));
}

function told({ metric, total, classes }: ObjectsOfMetric, limit: number | null) {
  const shown = listed(classes, limit);
  return {
    metric: metric.id,
    title: objectsTitle(metric),
    amount: amountText(total.weight, metric),
    weight: total.weight,
    count: knownCount(total.count),
    ...shown,
    rows: shown.rows.map(row => ({
      className: row.className,
      text: objectRowText(row, metric),
      share: shareInProse(partOf(row.amount, total)),
      amount: amountText(row.amount.weight, metric),
      weight: row.amount.weight,
      count: knownCount(row.amount.count),
      hadBefore: row.hadBefore.map(({ thread, amount }) => ({ thread, weight: amount.weight })),
    })),
  };
}
