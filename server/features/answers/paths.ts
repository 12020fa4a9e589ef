// The answer `paths`: what a query by call paths costs, and how it is refined.

import * as v from 'valibot';
import { AskFailed } from '../../analysis/ask.ts';
import type { AnswerTo } from '../../analysis/questions/question-table.ts';
import { type Certainty, namesTimeType } from '../../capabilities/typed/door.ts';
import { described, shareSchema } from '../../model/terms.ts';
import { TYPED } from '../../model/time-types.ts';
import { defineDataAnswer } from './answer.ts';
import { LIMIT, limitOf, listOf, optional, shareOf } from './vocabulary.ts';

/** A query has at most 2,000 words. */
export const LONGEST_QUERY = 20_000;
const USUAL_LEAST = 10;

/** A query that cannot be read; `from` and `to` are its characters. */
export class QueryRefused extends AskFailed {
  readonly mistake: Mistake;

  constructor(mistake: Mistake) {
    const { from, message, remedy } = mistake;
    super([{ severity: 'error', message, place: `query, column ${from + 1}`, remedy }]);
    this.mistake = mistake;
  }
}

type Mistake = Extract<AnswerTo<'paths'>, { kind: 'mistake' }>['mistake'];

/** A share without the interval of sampling, where more than sampling makes it uncertain. */
function asKnown(share: ReturnType<typeof shareOf>, { lowerBound, estimated, ofRecorded }: Certainty): typeof share {
  return lowerBound || estimated || ofRecorded ? { ...share, interval: null } : share;
}

export const paths = defineDataAnswer({
  name: 'paths',
  title: 'Cost of a call path',
  whileTyping: true,
  description:
    'Says what a query by call paths costs, such as "* ..Logger.*" or "RequestHandler.handle ..JsonWriter.*", and refines it by callees or callers.',
  parameters: {
    query: v.pipe(
      v.string(),
      v.maxLength(LONGEST_QUERY),
      v.description(
        'Calls in order: "A B ..C" (".." is one or more calls, "*" any thread); patterns, "and", "or", "not", "where"',
      ),
    ),
    refine: optional(
      v.picklist(['down', 'extended', 'up']),
      'Rows: what the path calls, everything below it, or who calls what follows a ".."',
    ),
    at: optional(
      v.pipe(v.number(), v.integer(), v.minValue(1)),
      'For "up": the element of the path after whose ".." it is split, from 1; default: the last one. See "splits"',
    ),
    least: optional(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      `Refined paths with fewer samples are counted only; default ${USUAL_LEAST}`,
    ),
    view: optional(
      v.union([v.literal('server'), v.array(v.string())]),
      'A list: only threads of these classes are 100 %, as the answer "threads" names them. "server" (of the metric "typed"): time with a processor, of the time of all processors. Default: all threads',
    ),
    aspects: optional(
      v.array(v.strictObject({ name: v.string(), value: v.string() })),
      'Named sets of methods beside the saved ones: name "logging", value "*Logger.* | a.B.c"',
    ),
    ...LIMIT,
  },
  result: {
    query: described(v.string(), 'As it was given'),
    cost: described(shareSchema, 'Samples that satisfy the query, of the samples that "where" keeps'),
    whole: described(v.number(), 'The weight that is 100 %, in the unit of the metric'),
    lowerBound: described(
      v.boolean(),
      'True if the cost is at least so much, as a share of "whole": events below a threshold, and waits that have not ended, are missing. The shares "ofPath" are of what was recorded',
    ),
    estimated: described(
      v.boolean(),
      'True if how long threads ran, or on which call paths, follows in part from samples or the number of processors',
    ),
    ofRecorded: described(
      v.boolean(),
      'True if the share is of what was recorded, behind "where" and "not" and below a focus: how much of the time that no event tells belongs there is not known',
    ),
    idle: described(
      v.nullable(v.number()),
      'Of the view "server": part of the time of all processors in which no recorded thread had them; null in other views',
    ),
    leftOutWindows: described(
      v.number(),
      'Of the view "server": windows that are left out, as it was not recorded how many processors the JVM could use',
    ),
    elements: described(
      v.array(v.object({ from: v.number(), to: v.number() })),
      'Where the elements of the path that refinements add to stand in the query: offsets, the end exclusive',
    ),
    splits: described(
      v.array(v.object({ at: v.number(), element: v.string() })),
      'Elements at which "up" can split the path',
    ),
    missing: described(
      v.nullable(
        v.object({
          message: v.string(),
          remedy: v.string(),
          column: described(v.number(), 'Column in the query, from 1'),
          length: described(v.number(), 'Characters from there on'),
        }),
      ),
      'The first element that no stack satisfies, of a query without samples',
    ),
    ...listOf({
      name: described(v.string(), 'The method or aspect that refines the path'),
      aspect: v.boolean(),
      query: described(v.string(), 'The refined query'),
      lowerBound: v.boolean(),
      estimated: v.boolean(),
      ofRecorded: v.boolean(),
      ofAll: shareSchema,
      ofPath: shareSchema,
    }),
  },
  // No other metric has time types, or the time of all processors.
  lookOf: given =>
    namesTimeType(given.query) || (given.view === 'server' && given.metric == null)
      ? { ...given, metric: TYPED.id }
      : given,
  async answer(data, given, context) {
    const found = await context.reach.ask(data, 'paths', {
      query: given.query,
      aspects: [...(given.aspects ?? []), ...context.settings.aspects],
      view: given.view ?? null,
      refine:
        given.refine == null
          ? null
          : given.refine === 'up'
            ? { kind: 'up', at: given.at ?? null }
            : { kind: given.refine },
      least: given.least ?? USUAL_LEAST,
      most: limitOf(given.limit),
    });
    if (found.kind === 'failed') throw new AskFailed(found.problems);
    if (found.kind === 'mistake') throw new QueryRefused(found.mistake);
    const { whole, effectiveWhole, amount, certainty, rows, hidden, elements, splits, missing } = found.answer;
    const shown = rows ?? [];
    return {
      query: given.query,
      cost: asKnown(shareOf(data, amount, whole, effectiveWhole), certainty),
      whole: whole.weight,
      ...certainty,
      idle: found.answer.idle,
      leftOutWindows: found.answer.leftOutWindows,
      elements: [...elements],
      splits: [...splits],
      missing: missing && {
        ...{ message: missing.message, remedy: missing.remedy },
        ...{ column: missing.from + 1, length: missing.to - missing.from },
      },
      total: shown.length + hidden,
      leftOut: hidden,
      rows: shown.map(({ name, isAspect, query, amount: own, certainty: known }) => ({
        ...{ name, aspect: isAspect, query, ...known },
        ofAll: asKnown(shareOf(data, own, whole, effectiveWhole), known),
        ofPath: asKnown(shareOf(data, own, amount), known),
      })),
    };
  },
});
