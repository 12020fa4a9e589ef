// `insitu compact`: makes few large snapshots of many small ones.

import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { present } from '../../base/present.ts';
import type { Output } from '../../base/terminal.ts';
import type { Compacted } from '../../store/compact.ts';
import type { CompactionLevel } from '../../store/levels.ts';
import { failed, misused } from '../failure.ts';
import { durationText, type OptionsOf, optionWithDefault, parseDuration } from '../option-values.ts';
import { printJson, reportProblems } from '../output.ts';
import { startProgress } from '../progress.ts';
import { configure, openConfiguredStore, withFilterOptions } from '../store-options.ts';
import { untilTold } from '../until-told.ts';

type CompactOptions = OptionsOf<typeof compactCommand>;

/** The least that lets every request end and every reader look twice. */
const LEAST_GRACE_MILLIS = 2 * 60_000;

const EXPLANATION = `
A level is <age>=<span>[/<finest>]: data older than the age become one snapshot for each span of the clock, and windows finer
than the finest are joined. Compaction can be run at any time, by several at once, and be ended at any point: nobody sees a
sample twice or not at all. What was replaced is removed by a later run, once the grace time has passed and its samples were found
in what replaces it.

Example:
  insitu compact --project shop --level 1h=1h --level 1d=1d/10m --level 30d=1w/1h`;

export function compactCommand(output: Output) {
  const command = new Command('compact')
    .description('make few large snapshots of many small ones')
    .option('--all', 'of all projects')
    .option(
      '--level <level>',
      'what becomes of data from an age on; repeatable (default: 1h=1h and 1d=1d/10m)',
      addLevel,
    )
    .addOption(optionWithDefault('--grace <duration>', 'how long what was replaced stays', parseDuration, '15m'))
    .option('--dry-run', 'only say what would be done')
    .option('--json', 'print JSON')
    .addHelpText('after', EXPLANATION);
  return withFilterOptions(command).action(async options => {
    await compactStore(output, options);
  });
}

function addLevel(text: string, before: readonly CompactionLevel[] = []): CompactionLevel[] {
  const parts = /^(\w+)=(\w+)(?:\/(\w+))?$/.exec(text);
  if (parts === null) throw new InvalidArgumentError('Write <age>=<span> or <age>=<span>/<finest>, such as 1d=1d/10m.');
  const [age, span, finest] = parts.slice(1).map(part => (part === undefined ? 0 : parseDuration(part)));
  if (span === 0) throw new InvalidArgumentError('Write a span that is longer than nothing.');
  return [...before, { olderThanMillis: age!, spanMillis: span!, finestMillis: finest! }];
}

async function compactStore(output: Output, options: CompactOptions): Promise<void> {
  if (options.grace < LEAST_GRACE_MILLIS)
    throw misused(`a grace time of ${durationText(options.grace)} is too short`, 'give two minutes or more');
  const configuration = configure(output, options);
  const store = openConfiguredStore(configuration);
  const { compact } = await import('../../store/compact.ts');
  const progress = startProgress(output, 'compacting');
  const { program, version, all, level, grace, dryRun } = options;
  const project = all === true ? undefined : configuration.project;
  const wish = {
    filter: present({ project, program, version }),
    ...present({ levels: level }),
    graceMillis: grace,
    dryRun: dryRun === true,
    onProgress: progress.update,
  };
  const { value, problems } = await untilTold(signal => compact(store, { ...wish, signal })).finally(progress.stop);
  reportProblems(output, problems);
  if (options.json === true) printJson(output, value);
  else output.out(`${sentence(value, dryRun === true)}\n`);
  if (problems.some(({ severity }) => severity === 'error'))
    throw failed('not everything could be compacted', {
      file: store.location,
      remedy: 'run it again: nothing is lost',
    });
}

function sentence(
  { executions, merged, written, removed, writtenBytes, removedBytes }: Compacted,
  isDry: boolean,
): string {
  const of = `${executions} execution${executions === 1 ? '' : 's'}`;
  const kibibytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`;
  const [became, were] = isDry ? ['would become', 'would be'] : ['became', 'were'];
  const wrote = isDry ? '' : ` (${kibibytes(writtenBytes)})`;
  return `${of}: ${merged} snapshots ${became} ${written}${wrote}; ${removed} that had been replaced (${kibibytes(removedBytes)}) ${were} removed`;
}
