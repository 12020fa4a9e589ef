// The answer `prediction`: what an edit of a Java file will cost, from the response times of production.

import * as v from 'valibot';
import type { PredictedMethod } from '../../analysis/prediction/prediction.ts';
import { described, methodSchema } from '../../model/terms.ts';
import { predictFile } from '../prediction/predict-file.ts';
import { predictionText } from '../prediction/prediction-text.ts';
import { methodLabel } from '../text/runtime-names.ts';
import { defineDataAnswer, refused } from './answer.ts';
import { LIMIT, listed, listOf, methodOf, optional } from './vocabulary.ts';

const nanos = (description: string) => described(v.nullable(v.number()), description);

export const prediction = defineDataAnswer({
  name: 'prediction',
  title: 'Cost of an edit',
  description:
    'Predicts how much longer the changed methods of a Java file and their callers will take, from the response times of production; what is not known stays unknown.',
  parameters: {
    file: described(v.string(), 'Path of the Java file, absolute or relative to the root'),
    text: optional(v.string(), 'The edited text, in place of what the file holds'),
    costs: optional(
      v.record(v.string(), v.string()),
      'Assumed costs of calls, by method, such as {"Shop.search": "5 ms"}',
    ),
    ...LIMIT,
  },
  result: {
    obstacle: described(
      v.nullable(v.picklist(['notTimed', 'textUnknown'])),
      'Why nothing is predicted: samples alone tell no milliseconds, or git does not have the recorded text',
    ),
    ...listOf({
      name: v.string(),
      line: v.number(),
      text: v.string(),
      measured: nanos('Nanoseconds of one run as it was recorded; null where it was not timed'),
      change: nanos(
        'Nanoseconds that one run takes longer, without the unknown terms: the middle where only ends are known; null where a main term is unknown',
      ),
      least: nanos(
        'The least that the terms say of it: another number than "most" where it is not known how often calls run',
      ),
      most: v.nullable(v.number()),
      direction: described(v.number(), '1 slower, -1 faster, 0 not known; also of what is unknown'),
      low: nanos('Begin of the 80 % interval of the change, of the same run under the same conditions'),
      high: v.nullable(v.number()),
      meanLow: nanos('Begin of the 80 % interval of the mean of its runs'),
      meanHigh: v.nullable(v.number()),
      reliability: v.picklist(['measured', 'likely', 'rough', 'unknown']),
      unknown: described(v.number(), 'Terms that are not in the change'),
      terms: v.array(
        v.object({
          line: v.number(),
          callee: v.string(),
          change: v.picklist(['added', 'removed', 'more or less often', 'with other values']),
          direction: described(v.number(), '1 more, -1 less, 0 not known'),
          least: nanos('Times more in one run of the method; null where it is not known'),
          most: v.nullable(v.number()),
          around: described(v.array(v.string()), 'Loops and branches that decide how often it runs, outermost first'),
          mean: nanos('Nanoseconds of one call'),
          rule: described(
            v.nullable(v.picklist(['load', 'caller', 'all', 'sums', 'body', 'assumed'])),
            'Calls that the mean is of; sums: calls whose callers are not known, body: the sum of the calls in its code, assumed: told by the settings or costs',
          ),
          calls: v.nullable(v.number()),
          windows: v.nullable(v.number()),
          reason: described(v.string(), 'Why the term is unknown; empty where it is known'),
          query: described(
            v.nullable(v.string()),
            'The method of a database or a client of HTTP that it leads to, where the edit puts it into a loop; else null',
          ),
        }),
      ),
    }),
    unpredicted: described(
      v.array(v.object({ name: v.string(), line: v.number(), reason: v.string() })),
      'Changed methods that are too large to be predicted, or whose text is unfinished',
    ),
    callers: v.array(
      v.object({
        method: methodSchema,
        measured: v.number(),
        change: nanos(
          'Nanoseconds that one run takes longer: the middle where only ends are known; null where its calls overlap in time, or nothing is known of a method below it',
        ),
        least: nanos(
          'The least end of the change: another number than "most" where only ends of a method below it are known',
        ),
        most: v.nullable(v.number()),
        through: described(v.array(v.string()), 'The changed methods and callers that it calls'),
      }),
    ),
  },
  async answer(data, given, context) {
    if (context.reader === 'editor' && !context.settings['predict.enabled'])
      throw refused('predictions are switched off', 'set "predict.enabled" to true');
    const { document } = await context.document(given.file, data, given.text ?? undefined);
    const assumptions = {
      costs: { ...context.settings['predict.costs'], ...given.costs },
      iterations: context.settings['predict.iterations'],
    };
    const found = await predictFile(document, data, assumptions, context.reach.ask);
    const { rows, ...counts } = listed(
      // An unknown change may be the largest of all.
      found.methods.toSorted((a, b) => sizeOf(b) - sizeOf(a)),
      given.limit,
    );
    const callers = found.callers.slice(0, counts.total === 0 ? 0 : (given.limit ?? 20));
    const places = await context.places(
      data,
      callers.map(({ row }) => row),
    );
    return {
      obstacle: found.obstacle,
      ...counts,
      rows: rows.map(({ terms, ...method }) => ({
        ...sumOf(method),
        text: predictionText(method),
        terms: terms.map(({ cost, times, around, span: _span, loops: _loops, outside: _outside, ...term }) => ({
          ...term,
          least: times?.least ?? null,
          most: times?.most ?? null,
          around: [...around],
          mean: cost?.mean ?? null,
          rule: cost?.rule ?? null,
          calls: cost?.calls ?? null,
          windows: cost?.windows ?? null,
        })),
      })),
      unpredicted: found.unpredicted.map(({ name, line, reason }) => ({ name, line, reason })),
      callers: callers.map(({ row, measured, change, ends, through }) => ({
        method: methodOf(data, row, places),
        ...{ measured, change, least: ends?.[0] ?? null, most: ends?.[1] ?? null },
        through: through.map(each => methodLabel(data.profile.methods, each)),
      })),
    };
  },
});

function sizeOf({ change }: PredictedMethod): number {
  return change === null ? Number.POSITIVE_INFINITY : Math.abs(change);
}

function sumOf(method: Omit<PredictedMethod, 'terms'>) {
  const { name, line, measured, change, ends, interval, mean, reliability, direction, unknown } = method;
  return {
    ...{ name, line, measured, change, reliability, direction, unknown },
    ...{ least: ends?.[0] ?? null, most: ends?.[1] ?? null },
    ...{ low: interval?.[0] ?? null, high: interval?.[1] ?? null },
    ...{ meanLow: mean?.[0] ?? null, meanHigh: mean?.[1] ?? null },
  };
}
