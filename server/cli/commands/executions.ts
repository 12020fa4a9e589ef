// `insitu executions`: what the store holds, one line an execution.
import { Command } from 'commander';
import { formatProblem } from '../../base/problem.ts';
import { utcText } from '../../base/utc-text.ts';
import type { StoreEntry, StoreFilter } from '../../store/store.ts';
import { failed } from '../failure.ts';
import { formatTable, type Output, reportProblems } from '../output.ts';
import { configure, openConfiguredStore, type StoreOptions, withStoreOptions } from '../store-options.ts';

type ExecutionsOptions = StoreOptions & { readonly all?: true; readonly json?: true };

/** Snapshots of one execution taken together. */
type Row = StoreEntry['execution'] & { snapshots: number; startMillis: number; bytes: number };

export function executionsCommand(output: Output): Command {
  const command = new Command('executions')
    .description('list the executions in the store')
    .option('--all', 'of all projects')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  insitu executions --project shop');
  return withStoreOptions(command).action((options: ExecutionsOptions) => listExecutions(output, options));
}

async function listExecutions(output: Output, options: ExecutionsOptions): Promise<void> {
  const configuration = configure(output, options);
  const store = openConfiguredStore(configuration);
  const { value: entries, problems } = await store.list(filterOf(options, configuration.project));
  reportProblems(output, problems);
  const rows = groupByExecution(entries);
  if (options.json === true) return output.out(`${JSON.stringify(rows, null, 2)}\n`);
  if (rows.length === 0) {
    const where = options.all === true ? '' : ` of project ${configuration.project}`;
    if (problems.some(problem => problem.severity === 'error'))
      throw failed('the store cannot be read', { file: store.location });
    const remedy = 'insitu import puts recordings into it; --all lists every project';
    output.err(
      `${formatProblem({ severity: 'info', message: `no executions${where}`, file: store.location, remedy })}\n`,
    );
    return;
  }
  const head = ['project', 'program', 'version', 'instance', 'first sample', 'snapshots', 'KB'];
  const cells = rows.map(row => [
    row.project,
    row.program,
    row.version,
    row.instance,
    utcText(row.startMillis),
    String(row.snapshots),
    (row.bytes / 1024).toFixed(0),
  ]);
  output.out(formatTable(head, cells, [5, 6]));
}

function filterOf({ all, program, version }: ExecutionsOptions, project: string): StoreFilter {
  return {
    ...(all === true ? {} : { project }),
    ...(program === undefined ? {} : { program }),
    ...(version === undefined ? {} : { version }),
  };
}

function groupByExecution(entries: readonly StoreEntry[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { execution, startMillis, bytes } of entries) {
    const key = JSON.stringify([execution.project, execution.program, execution.version, execution.instance]);
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
