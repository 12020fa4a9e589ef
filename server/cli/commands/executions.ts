// `insitu executions`: what the store holds, one line an execution; removes what is too old.

import { Command } from '@commander-js/extra-typings';
import { momentText } from '../../base/moment-text.ts';
import { present } from '../../base/present.ts';
import type { Output } from '../../base/terminal.ts';
import { executionOf, executions } from '../../features/answers/executions.ts';
import { executionRows } from '../../features/executions.ts';
import type { DescribedEntry } from '../../store/select-snapshots.ts';
import { answered, reportOfAnswer } from '../answered.ts';
import { failed, misused } from '../failure.ts';
import { type OptionsOf, parseDuration } from '../option-values.ts';
import { formatTable, printJson, reportProblems, tell } from '../output.ts';
import { configure, openConfiguredStore, withFilterOptions } from '../store-options.ts';

type ExecutionsOptions = OptionsOf<typeof executionsCommand>;

type Row = ReturnType<typeof executionOf>;

export function executionsCommand(output: Output) {
  const command = new Command('executions')
    .description('list the executions in the store')
    .option('--all', 'of all projects')
    .option('--json', 'print JSON')
    .option('--instance <name>', 'of one instance')
    .option('--delete', 'remove snapshots; needs --older-than')
    .option('--older-than <duration>', 'of which samples are older than this: 12h, 90d, 8w', parseDuration)
    .option('--dry-run', 'with --delete: only say what would be removed')
    .addHelpText('after', '\nExample:\n  insitu executions --project shop --delete --older-than 90d --dry-run');
  return withFilterOptions(command).action(async options => {
    if (options.delete === true) await deleteOld(output, options);
    else await listExecutions(output, options);
  });
}

/** Removes snapshots that ended before the given age, and says of which executions. */
async function deleteOld(output: Output, options: ExecutionsOptions): Promise<void> {
  const { olderThan, dryRun, json, program, version, instance } = options;
  if (olderThan === undefined) throw misused('--delete needs an age', 'add --older-than, such as --older-than 90d');
  const configuration = configure(output, options);
  const store = openConfiguredStore(configuration);
  const project = options.all === true ? undefined : configuration.project;
  const listed = await store.list(present({ project, program, version, instance }));
  reportProblems(output, listed.problems);
  const limit = Date.now() - olderThan;
  const { describeEntries } = await import('../../store/select-snapshots.ts');
  // A snapshot that began later ended later.
  const described = await describeEntries(
    store,
    listed.value.filter(({ startMillis }) => startMillis < limit),
  );
  reportProblems(output, described.problems);
  const old = described.value.filter(({ reading: { header } }) => header.endMillis <= limit);
  const removed: DescribedEntry[] = [];
  for (const each of old) {
    const { value, problems } = dryRun === true ? { value: true, problems: [] } : await store.remove(each.entry);
    reportProblems(output, problems);
    if (value) removed.push(each);
  }
  const rows = executionRows(removed, null).map(executionOf);
  if (json === true) printJson(output, rows);
  else {
    if (rows.length > 0) output.out(tableOf(rows));
    const what = `${removed.length} snapshot${removed.length === 1 ? '' : 's'} of ${rows.length} execution${rows.length === 1 ? '' : 's'}`;
    output.out(`${what} ${dryRun === true ? 'would be' : 'were'} removed\n`);
  }
  const isWhole = !listed.problems.some(({ severity }) => severity === 'error') && removed.length === old.length;
  if (!isWhole) throw failed('not everything could be removed', { file: store.location });
}

async function listExecutions(output: Output, options: ExecutionsOptions): Promise<void> {
  for (const name of ['olderThan', 'dryRun'] as const)
    if (options[name] !== undefined)
      throw misused(`${name === 'dryRun' ? '--dry-run' : '--older-than'} is about removal`, 'add --delete');
  const { program, version, instance, all, json } = options;
  const { project, store } = configure(output, options);
  const instances = instance === undefined ? undefined : [instance];
  const given = { program, version, instances, all, limit: Number.POSITIVE_INFINITY };
  const found = await answered({ output, options }, executions, given);
  if (reportOfAnswer(output, found.problems)) output.failed?.();
  if (json === true) return printJson(output, found);
  if (found.rows.length > 0) return output.out(tableOf(found.rows));
  const message = `no executions${all === true ? '' : ` of project ${project}`}`;
  tell(output, message, { file: store, remedy: 'insitu import puts recordings into it; --all lists every project' });
}

function tableOf(rows: readonly Row[]): string {
  const head = ['project', 'program', 'version', 'instance', 'first sample', 'snapshots', 'KiB'];
  const cells = rows.map(row => [
    row.project,
    row.program,
    row.version,
    row.instance,
    momentText(Date.parse(row.from)),
    String(row.snapshots),
    (row.bytes / 1024).toFixed(0),
  ]);
  return formatTable(head, cells, [5, 6]);
}
