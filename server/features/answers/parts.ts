// The answers about parts of everything: tasks, groups of methods or threads, and windows of time.

import * as v from 'valibot';
import { AskFailed } from '../../analysis/ask.ts';
import { isoTime } from '../../base/moment-text.ts';
import { formatProblem } from '../../base/problem.ts';
import { defineAnswer } from './answer.ts';
import { namedMethod } from './named-method.ts';
import {
  CHOICE,
  LIMIT,
  listed,
  listSchema,
  optional,
  originOf,
  originSchema,
  shareOf,
  shareSchema,
} from './vocabulary.ts';

export const tasks = defineAnswer({
  name: 'tasks',
  title: 'Saved tasks',
  description: 'Lists the saved tasks and queries with their part of everything; each name is a value of "focus".',
  parameters: v.strictObject({ ...CHOICE, ...LIMIT }),
  result: v.object({
    origin: originSchema,
    problems: v.pipe(v.array(v.string()), v.description('Definitions that fit nothing, or are wrong')),
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
    const { tasks: definitions, aspects } = context.settings;
    const { value, problems } = await context.reach.ask(data, 'tasks', { definitions, aspects });
    const { rows, ...counts } = listed(value.tasks, given.limit);
    return {
      origin: originOf(data),
      problems: problems.map(formatProblem),
      ...counts,
      rows: rows.map(({ name, definition, amount }) => ({ name, definition, share: shareOf(data, amount) })),
    };
  },
});

export const groups = defineAnswer({
  name: 'groups',
  title: 'Classes, packages, threads or instances',
  description: 'Lists the classes, packages, threads or instances that take most of the time (or of another metric).',
  parameters: v.strictObject({
    by: v.pipe(v.picklist(['class', 'package', 'thread', 'instance']), v.description('What the rows are')),
    sort: optional(v.picklist(['total', 'self']), 'Order: total (default) or self'),
    package: optional(v.string(), 'Only methods of this package and the packages below it'),
    platform: optional(v.boolean(), 'Also classes of the Java platform (java.*, jdk.*, …)'),
    ...CHOICE,
    ...LIMIT,
  }),
  result: v.object({
    origin: originSchema,
    ...listSchema,
    rows: v.array(v.object({ name: v.string(), total: shareSchema, self: shareSchema })),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const all = await context.reach.ask(data, 'groups', {
      ...{ by: given.by, sort: given.sort ?? 'total', platform: given.platform ?? false },
      limit: Number.MAX_SAFE_INTEGER,
      ...(given.package != null && { within: given.package }),
    });
    const { rows, ...counts } = listed(all, given.limit);
    return {
      origin: originOf(data),
      ...counts,
      rows: rows.map(({ name, total, self }) => ({ name, total: shareOf(data, total), self: shareOf(data, self) })),
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
      v.object({ from: v.string(), to: v.string(), share: v.pipe(shareSchema, v.description('Of the window')) }),
    ),
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const [row] = given.method == null ? [] : namedMethod(data, given.method).rows;
    const of = row === undefined ? null : data.answers.keysOf(data.profile.methods).keyOf(row);
    const { value, problems } = await context.reach.ask(data, 'timeline', { of });
    if (value === null) throw new AskFailed(problems);
    const { rows, ...counts } = listed(value, given.limit);
    return {
      origin: originOf(data),
      ...counts,
      rows: rows.map(({ from, to, part, whole }) => ({
        ...{ from: isoTime(from) ?? '', to: isoTime(to) ?? '' },
        share: shareOf(data, part, whole),
      })),
    };
  },
});
