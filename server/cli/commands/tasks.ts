// `insitu tasks`: what definitions of tasks yield, with shares and counts.

import { Command } from 'commander';
import { type Output, styled } from '../../base/terminal.ts';
import { tasks } from '../../features/answers/parts.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import type { Task } from '../../metrics/task.ts';
import { answered, printJson, reportOfAnswer } from '../answered.ts';
import { misused } from '../failure.ts';
import { describeData, loadForCommand } from '../load-chosen.ts';
import { formatTable } from '../output.ts';
import { patternOf } from '../pattern.ts';
import { askedBy, collect, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configure, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { weightColumns } from '../weight-columns.ts';

type Options = StoreOptions &
  SelectionOptions & {
    readonly regex?: readonly string[];
    readonly prefix?: readonly string[];
    readonly taskName?: string;
    readonly json?: true;
  };

export function tasksCommand(output: Output): Command {
  const command = new Command('tasks')
    .description('list the tasks that saved or given definitions yield')
    .option(
      '--regex <expression>',
      'a task for each distinct text of its named groups; not the saved ones',
      collectExpressions,
    )
    .option('--prefix <name>', 'what begins with the name; not the saved ones', collect)
    .option('--task-name <template>', `how tasks of --regex are called, with names of groups as \${service}`)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExample:\n  insitu tasks --regex '^com\\.acme\\.service\\.(?<service>[^.]+)' --task-name 'service \${service}'`,
    );
  return withSelectionOptions(withStoreOptions(command)).action((options: Options) => printTasks(output, options));
}

async function printTasks(output: Output, options: Options): Promise<void> {
  const configuration = configure(output, options);
  const { settings } = configuration;
  const given = givenTasks(options);
  const definitions = given.length > 0 ? given : settings.tasks;
  if (definitions.length === 0)
    throw misused('no tasks are defined', 'give --regex or --prefix, or save some as "tasks" in insitu.json');
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings));
  const found = await answered({ output, options, data }, tasks, {
    limit: Number.POSITIVE_INFINITY,
    ...(given.length > 0 && { definitions: given }),
  });
  if (options.json === true) return printJson(output, found);
  reportOfAnswer(output, found.problems);
  output.out(styled('dim', describeData(data)), '\n');
  const weighted = weightColumns(data.metric);
  const head = [data.metric.id, ...weighted.map(({ title }) => title), 'samples', 'task', 'definition'];
  const cells = found.rows.map(({ name, definition, share: { text: share, weight, count } }) => [
    share,
    ...weighted.map(({ text }) => text({ part: weight, samples: count ?? Number.NaN })),
    groupDigits(count ?? Number.NaN),
    name,
    definition,
  ]);
  const numbers = head.map((_, column) => column).slice(0, -2);
  output.out(formatTable(head, cells, numbers, output.columns));
}

function collectExpressions(text: string, before: readonly string[] | undefined): readonly string[] {
  return collect(patternOf(text).source, before);
}

function givenTasks({ regex = [], prefix = [], taskName }: Options): Task[] {
  const naming = taskName === undefined ? {} : { taskName };
  return [
    ...regex.map(value => ({ name: `regex:${value}`, type: 'regex', value, ...naming }) as const),
    ...prefix.map(value => ({ name: `prefix:${value}`, type: 'prefix', value }) as const),
  ];
}
