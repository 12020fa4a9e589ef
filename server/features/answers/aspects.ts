// The answer `aspects`: how samples divide among aspects as exclusive buckets, over time too.

import * as v from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { aspectNameMistake } from '../../analysis/paths/aspect-mistakes.ts';
import { isCounted } from '../../analysis/questions/aspects.ts';
import type { AnswerTo } from '../../analysis/questions/question-table.ts';
import { isoTime } from '../../base/moment-text.ts';
import { firstNames, printableName } from '../../base/printable.ts';
import type { Problem } from '../../base/problem.ts';
import { described, problemsSchema, shareSchema } from '../../model/terms.ts';
import { TIME_TYPES, TYPED } from '../../model/time-types.ts';
import { amountText } from '../hover/amount-text.ts';
import { shareInHint } from '../text/format-share.ts';
import { type AnswerContext, defineDataAnswer } from './answer.ts';
import { exampleAspects } from './example-aspects.ts';
import { listOf, optional, problemsOf, shareOf } from './vocabulary.ts';

/** Spans: as many as a sparkline has parts. */
const USUAL_SPANS = 24;
const MOST_SPANS = 1_440;

const definitionSchema = v.strictObject({ name: v.string(), value: v.string() });

const BUCKET = {
  share: described(shareSchema, 'Each sample counts in one bucket, or in the rest'),
  amount: described(v.string(), 'The weight with its unit'),
  overTime: described(v.array(v.number()), 'Weight in each of "spans", in the unit of the metric'),
  threads: described(
    v.nullable(
      v.object({
        amount: described(v.string(), 'Time of threads, running or not'),
        share: described(v.number(), 'Share of the time of threads in all buckets and the rest'),
        types: v.array(
          v.object({
            type: v.string(),
            words: v.string(),
            text: v.string(),
            share: described(v.number(), 'Share of the bucket'),
          }),
        ),
      }),
    ),
    'Time of threads in the bucket, by type; null where no typed time was recorded',
  ),
  query: described(
    v.nullable(v.string()),
    'The query that its samples satisfy, as "path" takes it; null without methods',
  ),
};

export const aspects = defineDataAnswer({
  name: 'aspects',
  title: 'Aspects over time',
  description:
    'Divides the samples among aspects (named sets of methods, saved or given): each belongs to the first aspect that a frame of its stack belongs to. Also over time.',
  whenEmpty: 'None of the wanted aspects is known, or none is defined: "aspects" in insitu.json names sets of methods.',
  parameters: {
    aspects: optional(
      v.array(definitionSchema),
      'Named sets of methods before the saved ones: name "logging", value "*Logger.* | a.B.c"',
    ),
    names: optional(
      v.array(v.string()),
      'Names of the aspects that are wanted, in the order that decides; default: all, in their order',
    ),
    spans: optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_SPANS)),
      `Spans of time, at most; default ${USUAL_SPANS}`,
    ),
  },
  result: {
    counted: described(
      shareSchema,
      'The buckets and the rest together: all samples, or the samples that satisfy the path filter',
    ),
    several: described(shareSchema, 'Samples that belong to several aspects; each counts for the first of them'),
    ...listOf({
      name: v.string(),
      value: described(v.string(), 'Its definition'),
      ...BUCKET,
      all: described(shareSchema, 'Samples that belong to the aspect, those in earlier buckets too'),
      alsoIn: described(
        v.array(v.object({ name: v.string(), share: shareSchema })),
        'Later aspects that samples of the bucket belong to as well',
      ),
      methods: described(v.number(), 'Methods that ran and belong to it'),
      unmatched: described(v.array(v.string()), 'Parts of the definition that no method that ran fits'),
      note: described(v.nullable(v.string()), 'Why the bucket is empty; null where it is not'),
    }),
    rest: described(v.object(BUCKET), 'Samples that belong to no aspect'),
    spans: v.array(v.object({ from: v.string(), to: v.string(), weight: v.number() })),
    example: described(
      v.array(definitionSchema),
      'Where no aspects are known: some, made of packages or classes of the program, to begin with',
    ),
    problems: described(problemsSchema, 'Aspects with a mistake, and wanted names that no aspect has'),
  },
  async answer(data, given, context) {
    const { aspects: saved } = context.settings;
    const found = await context.reach.ask(data, 'aspects', {
      given: given.aspects ?? [],
      saved,
      names: given.names ?? null,
      spans: given.spans ?? USUAL_SPANS,
    });
    const problems = [...mistakesOf(found, context), ...unknownNames(found)];
    const allThreads = [...found.rows, found.rest].reduce((sum, { threads }) => sum + (threads?.weight ?? 0), 0);
    const bucket = (row: Found['rest']) => ({
      share: shareOf(data, row.amount),
      amount: amountText(row.amount.weight, data.metric),
      overTime: [...row.overTime],
      threads: row.threads && threadsOf(row.threads, allThreads),
      query: row.query,
    });
    return {
      counted: shareOf(data, found.counted),
      several: shareOf(data, found.several),
      ...{ total: found.rows.length, leftOut: 0 },
      rows: found.rows.map(row => ({
        ...{ name: row.name, value: row.value, ...bucket(row), all: shareOf(data, row.total) },
        alsoIn: row.also.map(({ name, amount }) => ({ name, share: shareOf(data, amount) })),
        ...{ methods: row.methods, unmatched: [...row.unmatched], note: noteOf(data, row) },
      })),
      rest: bucket(found.rest),
      spans: found.spans.map(({ from, to, weight }) => ({ from: isoTime(from) ?? '', to: isoTime(to) ?? '', weight })),
      example: found.known.length > 0 ? [] : [...(await exampleAspects(data, context.reach))],
      problems: problemsOf(problems),
    };
  },
});

type Found = AnswerTo<'aspects'>;
type Row = Found['rows'][number];

function threadsOf({ weight, types }: NonNullable<Row['threads']>, all: number) {
  return {
    amount: amountText(weight, TYPED),
    share: all > 0 ? weight / all : 0,
    types: types.map(({ type, weight: own }) => ({
      type,
      words: Object.entries(TIME_TYPES).find(([name]) => name === type)?.[1].words ?? 'of no known type',
      text: shareInHint({ part: own, whole: weight, samples: Number.POSITIVE_INFINITY }),
      share: weight > 0 ? own / weight : 0,
    })),
  };
}

function noteOf({ metric }: LoadedData, row: Row): string | null {
  const { amount, methods, total } = row;
  if (!isCounted(row)) return 'its definition has a mistake: its samples count for other aspects, or for none';
  if (methods === 0) return 'no method that ran belongs to it';
  if (total.count === 0) return `no sample of ${metric.id} belongs to it`;
  return amount.count === 0 ? 'all of its samples belong to earlier aspects' : null;
}

/** The mistakes in definitions, with the file and the place in it. */
function mistakesOf({ rows }: Found, context: AnswerContext): Problem[] {
  const { aspects: saved } = context.settings;
  return rows.flatMap(({ name, value, mistake, origin }): Problem[] => {
    const at = saved.findIndex(each => each.name === name && each.value === value);
    const file = at < 0 ? null : context.fileOfSetting('aspects');
    const field = (part: string) => (at < 0 ? `aspect "${printableName(name)}"` : `aspects[${at}].${part}`);
    const inFile = file === null ? {} : { file };
    const ofName = origin === 'listed' ? aspectNameMistake(name) : null;
    if (ofName !== null) return [{ severity: 'error', ...inFile, place: field('name'), ...ofName }];
    if (mistake === null) return [];
    const { message, remedy, from } = mistake;
    return [{ severity: 'error', ...inFile, place: `${field('value')}, column ${from + 1}`, message, remedy }];
  });
}

function unknownNames({ unknown, known }: Found): Problem[] {
  return unknown.map(name => ({
    severity: 'error',
    message: `no aspect is called "${printableName(name)}"`,
    remedy:
      known.length === 0
        ? 'define it as "aspects" in insitu.json'
        : `there are ${firstNames(known.map(printableName), 8)}`,
  }));
}
