// The answers about parts of everything: tasks, groups of methods or threads, and windows of time.

import * as v from 'valibot';
import { AskFailed } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { isoTime } from '../../base/moment-text.ts';
import type { ResponseTimes } from '../../metrics/response-times.ts';
import type { Task } from '../../metrics/task.ts';
import { hasTimes } from '../text/times-text.ts';
import { type GroupRow, topGroups } from '../top-groups.ts';
import { type AnswerContext, defineAnswer } from './answer.ts';
import { namedMethod } from './named-method.ts';
import {
  CHOICE,
  changeOf,
  changeSchema,
  LIMIT,
  limitOf,
  listed,
  listSchema,
  optional,
  originOf,
  originSchema,
  problemsOf,
  problemsSchema,
  shareOf,
  shareSchema,
  timesOf,
  timesSchema,
} from './vocabulary.ts';

const definitionSchema = v.strictObject({
  name: v.string(),
  type: v.picklist(['method', 'prefix', 'regex', 'path', 'query']),
  value: v.string(),
  taskName: optional(
    v.string(),
    'Name of each task of an expression, with the names of its groups in braces behind a dollar sign',
  ),
});

function taskOf({ taskName, ...task }: v.InferOutput<typeof definitionSchema>): Task {
  return { ...task, ...(taskName != null && { taskName }) };
}

export const tasks = defineAnswer({
  name: 'tasks',
  title: 'Saved tasks',
  description: 'Lists the saved tasks and queries with their part of everything; each name is a value of "focus".',
  parameters: v.strictObject({
    definitions: optional(v.array(definitionSchema), 'Definitions of tasks; default: the saved ones'),
    ...CHOICE,
    ...LIMIT,
  }),
  result: v.object({
    origin: originSchema,
    problems: v.pipe(problemsSchema, v.description('Definitions that fit nothing, or are wrong')),
    ...listSchema,
    rows: v.array(
      v.object({
        name: v.string(),
        definition: v.pipe(v.string(), v.description('Name of the definition that yields the task')),
        share: shareSchema,
      }),
    ),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const { tasks: saved, aspects } = context.settings;
    const definitions = given.definitions == null ? saved : given.definitions.map(taskOf);
    const { value, problems } = await context.reach.ask(data, 'tasks', { definitions, aspects });
    const { rows, ...counts } = listed(value.tasks, given.limit);
    return {
      origin: originOf(data),
      problems: problemsOf(problems),
      ...counts,
      rows: rows.map(({ name, definition, amount }) => ({ name, definition, share: shareOf(data, amount) })),
    };
  },
});

const groupSchema = v.object({
  name: v.pipe(v.string(), v.description('Empty for what has none')),
  total: shareSchema,
  self: shareSchema,
  change: v.nullable(changeSchema),
});

export const groups = defineAnswer({
  name: 'groups',
  title: 'Classes, packages, threads or instances',
  description: 'Lists the classes, packages, threads or instances that take most of the time (or of another metric).',
  parameters: v.strictObject({
    by: v.pipe(v.picklist(['class', 'package', 'thread', 'instance']), v.description('What the rows are')),
    sort: optional(
      v.picklist(['total', 'self', 'change']),
      'Order: total (default), self, or change against the baseline',
    ),
    package: optional(v.string(), 'Only methods of this package and the packages below it'),
    platform: optional(v.boolean(), 'Also classes of the Java platform (java.*, jdk.*, …)'),
    baseline: optional(v.string(), 'Version to compare with'),
    ...CHOICE,
    ...LIMIT,
  }),
  result: v.object({
    origin: originSchema,
    ...listSchema,
    rows: v.array(groupSchema),
    vanished: v.pipe(
      v.array(groupSchema),
      v.description('Groups among the largest of the baseline that have no sample now, with their shares then'),
    ),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const baseline = given.baseline == null ? null : await context.baseline(data, given.baseline);
    const wish = {
      kind: given.by,
      by: given.sort === 'self' ? 'self' : 'total',
      platform: given.platform ?? false,
      sortedByChange: given.sort === 'change' && baseline !== null,
      // A group of threads that was chosen unfolds.
      single: data.selection.threads !== undefined,
      ...(given.package != null && { within: given.package }),
      ...(baseline && { baseline }),
    } as const;
    const { rows: all, gone } = await topGroups(data, { ...wish, limit: limitOf(given.limit) }, context.reach);
    const { rows, ...counts } = listed(all, given.limit);
    const rowOf = (of: LoadedData, { name, total, self, change }: GroupRow) => ({
      name,
      total: shareOf(of, { weight: total.part, count: total.samples }),
      self: shareOf(of, { weight: self.part, count: self.samples }),
      change: change === undefined ? null : changeOf(change),
    });
    return {
      origin: originOf(data, baseline?.data ?? null),
      ...counts,
      rows: rows.map(row => rowOf(data, row)),
      vanished: gone.map(row => rowOf(baseline!.data, row)),
    };
  },
});

export const threads = defineAnswer({
  name: 'threads',
  title: 'Classes of threads',
  description:
    'Lists the classes of threads with their samples, or with their part of a method, and the threads of each class.',
  parameters: v.strictObject({ method: optional(v.string(), 'Only samples of this method'), ...CHOICE, ...LIMIT }),
  result: v.object({
    origin: originSchema,
    ...listSchema,
    rows: v.array(
      v.object({
        name: v.pipe(v.string(), v.description('As the parameter "threads" and a path take it')),
        group: v.string(),
        instances: v.pipe(v.number(), v.description('Threads of different names that were seen: at least so many')),
        share: shareSchema,
        threads: v.pipe(
          v.array(v.object({ name: v.string(), share: shareSchema })),
          v.description('Threads of the class, as far as their names are kept; empty where it is one thread'),
        ),
      }),
    ),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const { value, problems } = await context.reach.ask(data, 'threadList', { of: keyOf(data, given.method) });
    if (value === null) throw new AskFailed(problems);
    const { rows, ...counts } = listed(value.rows, given.limit);
    return {
      origin: originOf(data),
      ...counts,
      rows: rows.map(({ name, group, instances, total, threads: single = [] }) => ({
        ...{ name, group, instances, share: shareOf(data, total) },
        threads: single.map(thread => ({ name: thread.name, share: shareOf(data, thread.total) })),
      })),
    };
  },
});

export const timeline = defineAnswer({
  name: 'timeline',
  title: 'Parts over time',
  description: 'Gives the part of each window of time that a method, or what is looked at, has in it.',
  parameters: v.strictObject({
    method: optional(v.string(), 'Method; default: everything in the focus and on the path'),
    ...CHOICE,
    ...LIMIT,
  }),
  result: v.object({
    origin: originSchema,
    ...listSchema,
    rows: v.array(
      v.object({
        from: v.string(),
        to: v.string(),
        share: v.pipe(shareSchema, v.description('Of the window')),
        times: v.pipe(
          v.nullable(timesSchema),
          v.description(
            'How long calls of the method took; null where nothing recorded it, or the metric is not "time"',
          ),
        ),
      }),
    ),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const of = keyOf(data, given.method);
    const { value, problems } = await context.reach.ask(data, 'timeline', { of });
    if (value === null) throw new AskFailed(problems);
    const { rows, ...counts } = listed(value, given.limit);
    const times = await timesByWindow(context, data, of);
    return {
      origin: originOf(data),
      ...counts,
      rows: rows.map(({ from, to, part, whole }) => {
        const timed = times.get(from);
        return {
          ...{ from: isoTime(from) ?? '', to: isoTime(to) ?? '' },
          share: shareOf(data, part, whole),
          times: timed === undefined ? null : timesOf(timed),
        };
      }),
    };
  },
});

/** By the begin of the window. */
async function timesByWindow(
  { reach }: AnswerContext,
  data: LoadedData,
  of: string | null,
): Promise<ReadonlyMap<number, ResponseTimes>> {
  if (of === null || data.metric.id !== 'time' || !hasTimes(data)) return new Map();
  const rows = [data.answers.keysOf(data.profile.methods).rowOf(of)];
  const [found = null] = await reach.ask(data, 'responseTimes', { sets: [rows] });
  return new Map(found?.windows.map(({ startMillis, ...times }) => [startMillis, times]));
}

/** null for no name. */
function keyOf(data: LoadedData, method: string | null | undefined): string | null {
  const [row] = method == null ? [] : namedMethod(data, method).rows;
  return row === undefined ? null : data.answers.keysOf(data.profile.methods).keyOf(row);
}
