// The answers by call paths: what a query costs and how it is refined, and the classes of threads that paths run on.

import * as v from 'valibot';
import { AskFailed } from '../../analysis/ask.ts';
import { defineAnswer } from './answer.ts';
import {
  CHOICE,
  LIMIT,
  limitOf,
  listed,
  listSchema,
  optional,
  originOf,
  originSchema,
  shareOf,
  shareSchema,
} from './vocabulary.ts';

/** A query has at most 2,000 words. */
const LONGEST_QUERY = 20_000;
const USUAL_LEAST = 10;

const placeOfText = {
  message: v.string(),
  remedy: v.string(),
  column: v.pipe(v.number(), v.description('Column in the query, from 1')),
};

export const paths = defineAnswer({
  name: 'paths',
  title: 'Cost of a call path',
  description:
    'Says what a query by call paths costs, such as "* ..Logger.*" or "RequestHandler.handle ..JsonWriter.*", and refines it by callees or callers.',
  parameters: v.strictObject({
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
    aspects: optional(
      v.array(v.strictObject({ name: v.string(), value: v.string() })),
      'Named sets of methods beside the saved ones: name "logging", value "*Logger.* | a.B.c"',
    ),
    ...CHOICE,
    ...LIMIT,
  }),
  result: v.object({
    origin: originSchema,
    cost: v.pipe(shareSchema, v.description('Samples that satisfy the query, of the samples that "where" keeps')),
    splits: v.pipe(
      v.array(v.object({ at: v.number(), element: v.string() })),
      v.description('Elements at which "up" can split the path'),
    ),
    missing: v.pipe(
      v.nullable(v.object(placeOfText)),
      v.description('The first element that no stack satisfies, of a query without samples'),
    ),
    ...listSchema,
    rows: v.array(
      v.object({
        name: v.pipe(v.string(), v.description('The method or aspect that refines the path')),
        aspect: v.boolean(),
        query: v.pipe(v.string(), v.description('The refined query')),
        ofAll: shareSchema,
        ofPath: shareSchema,
      }),
    ),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const found = await context.reach.ask(data, 'paths', {
      query: given.query,
      aspects: [...(given.aspects ?? []), ...context.settings.aspects],
      view: null,
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
    if (found.kind === 'mistake') {
      const { from, message, remedy } = found.mistake;
      throw new AskFailed([{ severity: 'error', message, place: `query, column ${from + 1}`, remedy }]);
    }
    const { whole, effectiveWhole, amount, rows, hidden, splits, missing } = found.answer;
    const shown = rows ?? [];
    return {
      origin: originOf(data),
      cost: shareOf(data, amount, whole, effectiveWhole),
      splits: [...splits],
      missing: missing && { message: missing.message, remedy: missing.remedy, column: missing.from + 1 },
      total: shown.length + hidden,
      leftOut: hidden,
      rows: shown.map(({ name, isAspect, query, amount: own }) => ({
        ...{ name, aspect: isAspect, query },
        ofAll: shareOf(data, own, whole, effectiveWhole),
        ofPath: shareOf(data, own, amount),
      })),
    };
  },
});

export const threads = defineAnswer({
  name: 'threads',
  title: 'Classes of threads',
  description: 'Lists the classes of threads with their samples, and how many threads of each were seen.',
  parameters: v.strictObject({ ...CHOICE, ...LIMIT }),
  result: v.object({
    origin: originSchema,
    ...listSchema,
    rows: v.array(
      v.object({
        name: v.pipe(v.string(), v.description('As the parameter "threads" and a path take it')),
        group: v.string(),
        instances: v.pipe(v.number(), v.description('Threads of different names that were seen: at least so many')),
        share: shareSchema,
      }),
    ),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const { whole, classes } = await context.reach.ask(data, 'threadClasses', null);
    const { rows, ...counts } = listed(classes, given.limit);
    return {
      origin: originOf(data),
      ...counts,
      rows: rows.map(({ name, group, instances, amount }) => ({
        ...{ name, group, instances },
        share: shareOf(data, amount, whole, data.values.effectiveWhole),
      })),
    };
  },
});
