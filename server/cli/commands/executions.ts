// `insitu executions`: what the store holds, one line an execution; removes what is too old.

import { Command } from 'commander';
import { momentText } from '../../base/moment-text.ts';
import type { Output } from '../../base/terminal.ts';
import { executions } from '../../features/answers/executions.ts';
import type { StoreEntry, StoreFilter } from '../../store/store.ts';
import { answered, printJson, reportOfAnswer } from '../answered.ts';
import { failed, misused } from '../failure.ts';
import { parseDuration } from '../option-values.ts';
import { formatTable, reportProblems } from '../output.ts';
import { configure, openConfiguredStore, type StoreOptions, withFilterOptions } from '../store-options.ts';

type ExecutionsOptions = StoreOptions & {
  readonly all?: true;
  readonly json?: true;
  readonly instance?: string;
  readonly delete?: true;
  readonly olderThan?: number;
  readonly dryRun?: true;
};

/** Snapshots of one execution taken together. */
type Row = StoreEntry['execution'] & { snapshots: number; startMillis: number; bytes: number };

export function executionsCommand(output: Output): Command {
  const command = new Command('executions')
    .description('list the executions in the store')
    .option('--all', 'of all projects')
    .option('--json', 'print JSON')
    .option('--instance <name>', 'of one instance')
    .option('--delete', 'remove snapshots; needs --older-than')
    .option('--older-than <duration>', 'of which samples are older than this: 12h, 90d, 8w', parseDuration)
    .option('--dry-run', 'with --delete: only say what would be removed')
    .addHelpText('after', '\nExample:\n  insitu executions --project shop --delete --older-than 90d --dry-run');
  return withFilterOptions(command).action((options: ExecutionsOptions) => {
    if (options.delete === true) return deleteOld(output, options);
    for (const name of ['olderThan', 'dryRun'] as const)
      if (options[name] !== undefined)
        throw misused(`${name === 'dryRun' ? '--dry-run' : '--older-than'} is about removal`, 'add --delete');
    return listExecutions(output, options);
  });
}

/** Removes snapshots that ended before the given age, and says of which executions. */
async function deleteOld(output: Output, options: ExecutionsOptions): Promise<void> {
  const { olderThan, dryRun, json } = options;
  if (olderThan === undefined) throw misused('--delete needs an age', 'add --older-than, such as --older-than 90d');
  const configuration = configure(output, options);
  const store = openConfiguredStore(configuration);
  const listed = await store.list(filterOf(options, configuration.project));
  reportProblems(output, listed.problems);
  const limit = Date.now() - olderThan;
  const { describeEntries } = await import('../../store/select-snapshots.ts');
  // A snapshot that began later ended later.
  const described = await describeEntries(
    store,
    listed.value.filter(({ startMillis }) => startMillis < limit),
  );
  reportProblems(output, described.problems);
  const old = described.value.filter(({ reading: { header } }) => header.endMillis <= limit).map(({ entry }) => entry);
  const removed: StoreEntry[] = [];
  for (const entry of old) {
    const { value, problems } = dryRun === true ? { value: true, problems: [] } : await store.remove(entry);
    reportProblems(output, problems);
    if (value) removed.push(entry);
  }
  const rows = groupByExecution(removed);
  if (json === true) output.out(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    if (rows.length > 0) output.out(tableOf(rows));
    const what = `${removed.length} snapshot${removed.length === 1 ? '' : 's'} of ${rows.length} execution${rows.length === 1 ? '' : 's'}`;
    output.out(`${what} ${dryRun === true ? 'would be' : 'were'} removed\n`);
  }
  const isWhole = !listed.problems.some(({ severity }) => severity === 'error') && removed.length === old.length;
  if (!isWhole) throw failed('not everything could be removed', { file: store.location });
}

async function listExecutions(output: Output, options: ExecutionsOptions): Promise<void> {
  const { program, version, instance, all, json } = options;
  const { project, store } = configure(output, options);
  const given = { program, version, instance, all, limit: Number.POSITIVE_INFINITY };
  const found = await answered({ output, options }, executions, given);
  if (reportOfAnswer(output, found.problems)) output.failed?.();
  if (json === true) return printJson(output, found);
  if (found.rows.length > 0) {
    output.out(tableOf(found.rows.map(row => ({ ...row, startMillis: Date.parse(row.from) }))));
    return;
  }
  const message = `no executions${all === true ? '' : ` of project ${project}`}`;
  const remedy = 'insitu import puts recordings into it; --all lists every project';
  reportProblems(output, [{ severity: 'info', message, file: store, remedy }]);
}

function tableOf(rows: readonly Row[]): string {
  const head = ['project', 'program', 'version', 'instance', 'first sample', 'snapshots', 'KiB'];
  const cells = rows.map(row => [
    row.project,
    row.program,
    row.version,
    row.instance,
    momentText(row.startMillis),
    String(row.snapshots),
    (row.bytes / 1024).toFixed(0),
  ]);
  return formatTable(head, cells, [5, 6]);
}

function filterOf({ all, program, version, instance }: ExecutionsOptions, project: string): StoreFilter {
  return {
    ...(all === true ? {} : { project }),
    ...(program === undefined ? {} : { program }),
    ...(version === undefined ? {} : { version }),
    ...(instance === undefined ? {} : { instance }),
  };
}

function keyOf({ project, program, version, instance }: StoreEntry['execution']): string {
  return JSON.stringify([project, program, version, instance]);
}

function groupByExecution(entries: readonly StoreEntry[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { execution, startMillis, bytes } of entries) {
    const key = keyOf(execution);
    const row = rows.get(key) ?? { ...execution, snapshots: 0, startMillis, bytes: 0 };
    rows.set(key, {
      ...row,
      snapshots: row.snapshots + 1,
      startMillis: Math.min(row.startMillis, startMillis),
      bytes: row.bytes + bytes,
    });
  }
  return [...rows.values()];
}
