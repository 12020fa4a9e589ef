// The answers about parts of everything: tasks, groups of methods or threads, and windows of time.

import * as v from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { isoTime } from '../../base/moment-text.ts';
import type { ResponseTimes } from '../../metrics/response-times.ts';
import type { Task } from '../../metrics/task.ts';
import { changeSchema, described, methodSchema, problemsSchema, shareSchema, timesSchema } from '../../model/terms.ts';
import { hasTimes } from '../text/times-text.ts';
import { type GroupRow, topGroups } from '../top-groups.ts';
import { type AnswerContext, defineDataAnswer } from './answer.ts';
import { askedMethod } from './named-method.ts';
import {
  BASELINE,
  changeOf,
  keyOf,
  LIMIT,
  limitOf,
  listed,
  listOf,
  methodOf,
  OWN_SHARE,
  optional,
  originOf,
  problemsOf,
  shareOf,
  subjectTextSchema,
  timesOf,
} from './vocabulary.ts';

/** Methods that a window of the timeline names. */
const USUAL_HOTTEST = 3;
const MOST_HOTTEST = 10;

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

export const tasks = defineDataAnswer({
  name: 'tasks',
  title: 'Saved tasks',
  description: 'Lists the saved tasks and queries with their part of everything; each name is a value of "focus".',
  parameters: {
    definitions: optional(v.array(definitionSchema), 'Definitions of tasks; default: the saved ones'),
    ...LIMIT,
  },
  result: {
    problems: described(problemsSchema, 'Definitions that fit nothing, or are wrong'),
    ...listOf({
      name: v.string(),
      definition: described(v.string(), 'Name of the definition that yields the task'),
      share: shareSchema,
    }),
  },
  async answer(data, given, context) {
    const { tasks: saved, aspects } = context.settings;
    const definitions = given.definitions == null ? saved : given.definitions.map(taskOf);
    const { value, problems } = await context.reach.ask(data, 'tasks', { definitions, aspects });
    const { rows, ...counts } = listed(value.tasks, given.limit);
    return {
      problems: problemsOf(problems),
      ...counts,
      rows: rows.map(({ name, definition, amount }) => ({ name, definition, share: shareOf(data, amount) })),
    };
  },
});

const GROUP = {
  name: described(v.string(), 'Empty for what has none'),
  total: shareSchema,
  self: shareSchema,
  own: OWN_SHARE,
  change: v.nullable(changeSchema),
};

export const groups = defineDataAnswer({
  name: 'groups',
  title: 'Classes, packages, threads or instances',
  description: 'Lists the classes, packages, threads or instances that take most of the time (or of another metric).',
  parameters: {
    by: described(v.picklist(['class', 'package', 'thread', 'instance']), 'Kind of rows'),
    sort: optional(
      v.picklist(['own', 'total', 'self', 'change']),
      'Order: own (default; self with platform), total, self, or change against the baseline',
    ),
    package: optional(v.string(), 'Only methods of this package and the packages below it'),
    platform: optional(v.boolean(), 'Also classes of the Java platform (java.*, jdk.*, …)'),
    ...BASELINE,
    ...LIMIT,
  },
  result: {
    ...listOf(GROUP),
    vanished: described(
      v.array(v.object(GROUP)),
      'Groups among the largest of the baseline that have no sample now, with their shares then',
    ),
  },
  async answer(data, given, context) {
    const baseline = await context.baseline(data, given.baseline ?? null);
    const wish = {
      kind: given.by,
      by: given.sort === 'change' ? 'total' : (given.sort ?? (given.platform === true ? 'self' : 'own')),
      platform: given.platform ?? false,
      sortedByChange: given.sort === 'change' && baseline !== null,
      // A group of threads that was chosen unfolds.
      single: data.selection.threads !== undefined,
      ...(given.package != null && { within: given.package }),
      ...(baseline && { baseline }),
    } as const;
    const { rows: all, gone } = await topGroups(data, { ...wish, limit: limitOf(given.limit) }, context.reach);
    const { rows, ...counts } = listed(all, given.limit);
    const rowOf = (of: LoadedData, { name, total, self, own, change }: GroupRow) => ({
      name,
      ...{ total: shareOf(of, total), self: shareOf(of, self), own: shareOf(of, own) },
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

export const threads = defineDataAnswer({
  name: 'threads',
  title: 'Classes of threads',
  description:
    'Lists the classes of threads with their samples, or with their part of a method, and the threads of each class.',
  parameters: { method: optional(v.string(), 'Only samples of this method'), ...LIMIT },
  result: {
    subject: v.nullable(methodSchema),
    subjectText: subjectTextSchema,
    ofAll: described(v.nullable(shareSchema), 'The time of the method; null without one'),
    ...listOf({
      name: described(v.string(), 'As the parameter "threads" and a path take it'),
      group: v.string(),
      names: described(v.number(), 'Threads of different names that were seen: at least so many'),
      share: shareSchema,
      ofItsTime: described(v.nullable(shareSchema), 'Share of the time of the method; null without one'),
      threads: described(
        v.array(v.object({ name: v.string(), share: shareSchema })),
        'Threads of the class, as far as their names are kept; empty where it is one thread',
      ),
    }),
  },
  async answer(data, given, context) {
    const subject = given.method == null ? null : await askedMethod(context, data, given.method);
    const methods = subject === null ? null : subject.entry.methods;
    const found = await context.reach.ask(data, 'threadList', { methods });
    const { rows, ...counts } = listed(found.rows, given.limit);
    const [facts = null] = methods === null ? [] : await context.reach.ask(data, 'numbers', { sets: [{ methods }] });
    return {
      subject: methods === null ? null : methodOf(data, methods[0]!, await context.places(data, methods.slice(0, 1))),
      subjectText: subject?.label ?? 'everything',
      ofAll: facts && shareOf(data, facts.total),
      ...counts,
      rows: rows.map(({ name, group, names, total, threads: single = [] }) => ({
        ...{ name, group, names, share: shareOf(data, total) },
        ofItsTime: facts && shareOf(data, total, facts.total),
        threads: single.map(thread => ({ name: thread.name, share: shareOf(data, thread.total) })),
      })),
    };
  },
});

export const timeline = defineDataAnswer({
  name: 'timeline',
  title: 'Parts over time',
  description:
    'Gives the part of each window of time that a method has in it; without a method the hottest methods of each.',
  parameters: {
    method: optional(v.string(), 'Method; default: everything in the focus and on the path'),
    hottest: optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_HOTTEST)),
      `Methods that each window names without "method"; default ${USUAL_HOTTEST}`,
    ),
    ...LIMIT,
  },
  result: {
    ...listOf({
      from: v.string(),
      to: v.string(),
      share: described(shareSchema, 'Share of the window'),
      times: described(
        v.nullable(timesSchema),
        'How long calls of the method took; null where nothing recorded it, or the metric is not "time"',
      ),
      hottest: described(
        v.array(v.object({ method: v.string(), own: shareSchema })),
        'Methods that cost most in the window with the libraries that they call, as shares of it; empty with a method',
      ),
    }),
  },
  async answer(data, given, context) {
    const subject = given.method == null ? null : await askedMethod(context, data, given.method);
    const methods = subject === null ? null : subject.entry.methods;
    const hottest = methods === null ? (given.hottest ?? USUAL_HOTTEST) : 0;
    const windows = await context.reach.ask(data, 'timeline', { methods, hottest });
    const { rows, ...counts } = listed(windows, given.limit);
    const times = await timesByWindow(context, data, methods);
    return {
      ...counts,
      rows: rows.map(({ from, to, part, whole, hottest: named }) => {
        const timed = times.get(from);
        return {
          ...{ from: isoTime(from) ?? '', to: isoTime(to) ?? '' },
          share: shareOf(data, part, whole),
          times: timed === undefined ? null : timesOf(timed),
          hottest: named.map(({ method, own }) => ({ method: keyOf(data, method), own: shareOf(data, own, whole) })),
        };
      }),
    };
  },
});

/** By the begin of the window. */
async function timesByWindow(
  { reach }: AnswerContext,
  data: LoadedData,
  methods: readonly number[] | null,
): Promise<ReadonlyMap<number, ResponseTimes>> {
  if (methods === null || data.metric.id !== 'time' || !hasTimes(data)) return new Map();
  const [found = null] = await reach.ask(data, 'responseTimes', { sets: [methods] });
  return new Map(found?.windows.map(({ startMillis, ...times }) => [startMillis, times]));
}
