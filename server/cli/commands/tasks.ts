// `insitu tasks`: what definitions of tasks yield, with shares and counts.

import { Command } from '@commander-js/extra-typings';
import type { Output } from '../../base/terminal.ts';
import { tasks } from '../../features/answers/parts.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import type { Task } from '../../metrics/task.ts';
import { configurationFor } from '../../workspace/settings/configuration.ts';
import { chosenData, reportOfAnswer } from '../answered.ts';
import { misused } from '../failure.ts';
import { describeData } from '../load-chosen.ts';
import { collect, type OptionsOf, patternOf } from '../option-values.ts';
import { printDim, printJson, printTable } from '../output.ts';
import { settingsOf } from '../place-options.ts';
import { withAnswerOptions } from '../selection-options.ts';
import { weightColumns } from '../weight-columns.ts';

type Options = OptionsOf<typeof tasksCommand>;

export function tasksCommand(output: Output) {
  const command = new Command('tasks')
    .description('list the tasks that saved or given definitions yield')
    .option(
      '--regex <expression>',
      'a task for each distinct text of its named groups; not the saved ones',
      collectExpressions,
    )
    .option('--prefix <name>', 'what begins with the name; not the saved ones', collect)
    .option('--task-name <template>', `how tasks of --regex are called, with names of groups as \${service}`);
  const example = `insitu tasks --regex '^com\\.acme\\.service\\.(?<service>[^.]+)' --task-name 'service \${service}'`;
  return withAnswerOptions(command, example).action(async options => {
    await printTasks(output, options);
  });
}

async function printTasks(output: Output, options: Options): Promise<void> {
  const given = givenTasks(options);
  if (given.length === 0 && configurationFor(process.cwd(), settingsOf(options)).settings.tasks.length === 0)
    throw misused('no tasks are defined', 'give --regex or --prefix, or save some as "tasks" in insitu.json');
  const { data, answered } = await chosenData(output, options);
  const definitions = given.length > 0 ? given : null;
  const found = await answered(tasks, { limit: Number.POSITIVE_INFINITY, definitions });
  if (options.json === true) return printJson(output, found);
  reportOfAnswer(output, found.problems);
  printDim(output, describeData(data));
  type Row = (typeof found.rows)[number];
  printTable<Row>(output, found.rows, [
    { title: data.metric.id, text: ({ share }) => share.text },
    ...weightColumns(data.metric, ({ share }: Row) => share),
    { title: 'samples', text: ({ share }) => groupDigits(share.count) },
    { title: 'task', text: ({ name }) => name, isWord: true },
    { title: 'definition', text: ({ definition }) => definition },
  ]);
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
