// `insitu import`: recordings in, snapshots into the store.
import { basename } from 'node:path';
import { Command } from 'commander';
import type { Problem } from '../../base/problem.ts';
import { ingestInWorker } from '../../ingest/in-worker.ts';
import type { EventMetric, Ingested } from '../../ingest/ingest.ts';
import type { Execution, Snapshot } from '../../snapshot/snapshot.ts';
import type { Store } from '../../store/store.ts';
import { CommandFailure, misused } from '../failure.ts';
import { type Output, reportProblems } from '../output.ts';
import { startProgress } from '../progress.ts';
import { configure, openConfiguredStore, type StoreOptions, withTargetOptions } from '../store-options.ts';

type ImportOptions = StoreOptions & { readonly instance?: string; readonly json?: true };

/** What became of one recording. */
type Imported = {
  readonly recording: string;
  readonly snapshot: string | null;
  readonly bytes: number;
  readonly samples: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
};

const TIMES =
  'A format without times, such as collapsed stacks, counts as taken when its\nfile was written last: keep that when copying (cp -p).';

export function importCommand(output: Output): Command {
  const command = new Command('import')
    .description('read recordings and put them into the store as snapshots')
    .argument(
      '<recording...>',
      'JDK Flight Recorder files, collapsed stacks, pprof, thread dumps or Kieker logs, also gzip or zstd',
    )
    .option('--instance <name>', "which of the program's processes it was (default: the file's name)")
    .option('--json', 'print what was imported as JSON')
    .addHelpText('after', `\n${TIMES}\n\nExample:\n  insitu import orders.jfr --program orders --version 1.4.2`);
  return withTargetOptions(command).action((recordings: string[], options: ImportOptions) =>
    importRecordings(output, recordings, options),
  );
}

async function importRecordings(output: Output, recordings: readonly string[], options: ImportOptions): Promise<void> {
  const configuration = configure(output, options);
  const { program, version } = configuration.settings;
  if (program === null || program === '')
    throw misused('which program was recorded?', 'name it: --program <name>, or "program" in insitu.json');
  if (!configuration.projectIsNamed) {
    const message = `neither --project, insitu.json nor a git root names the project; it is "${configuration.project}", after this folder`;
    const remedy = 'an insitu.json in the root of the sources makes the editor mean the same one';
    reportProblems(output, [{ severity: 'info', message, remedy }]);
  }
  const store = openConfiguredStore(configuration);
  const results: Imported[] = [];
  for (const recording of recordings) {
    const instance = options.instance ?? instanceOf(recording);
    const execution = { project: configuration.project, program, version: version ?? 'unknown', instance };
    const result = await importOne(output, store, recording, execution, configuration.settings.metrics);
    reportProblems(output, result.problems);
    if (options.json !== true && result.snapshot !== null) output.out(describe(result, execution));
    results.push(result);
  }
  if (options.json === true) output.out(`${JSON.stringify(results, null, 2)}\n`);
  const failures = results.filter(result => result.snapshot === null);
  if (failures.length > 0) throw new CommandFailure(1, []);
}

const COMPRESSED = /\.(?:gz|zst|zstd)$/i;
const KNOWN_ENDING = /\.(?:jfr|pb|pprof|prof|collapsed|folded|stacks|txt|log|dump|json|jsons|dat)$/i;

/** `shop` for `shop.jfr` and `shop.pb.gz`, and `shop-1.2` for `shop-1.2.gz`. */
function instanceOf(recording: string): string {
  const name = basename(recording);
  const plain = name.replace(COMPRESSED, '');
  return plain.replace(plain === name ? /\.[^.]*$/ : KNOWN_ENDING, '') || name;
}

async function importOne(
  output: Output,
  store: Store,
  recording: string,
  execution: Execution,
  metrics: readonly EventMetric[],
): Promise<Imported> {
  const progress = startProgress(output, basename(recording));
  const ingested = await ingestInWorker(recording, { names: 'normalised', metrics, onProgress: progress.update });
  progress.stop();
  const nothing = { recording, snapshot: null, bytes: 0, samples: {} };
  const snapshot = snapshotOf(ingested, execution);
  if (snapshot === null) return { ...nothing, problems: ingested.problems };
  const { value: entry, problems } = await store.put(snapshot);
  const all = [...ingested.problems, ...problems];
  if (entry === null) return { ...nothing, problems: all };
  return { recording, snapshot: entry.key, bytes: entry.bytes, samples: samplesByMetric(ingested), problems: all };
}

/** null where the recording gave no profile. */
function snapshotOf(ingested: Ingested, execution: Execution): Snapshot | null {
  const { profile, startMillis, endMillis, recorder, debugNonSafepoints } = ingested;
  // A snapshot goes to other people: where the recording lay on this machine is nothing to them.
  const problems = ingested.problems.map(problem =>
    problem.file === undefined ? problem : { ...problem, file: basename(problem.file) },
  );
  if (profile === null) return null;
  const header = { execution, startMillis, endMillis, recorder, debugNonSafepoints, problems, replaces: [] };
  return { header, profile };
}

/** Metrics in the order in which people ask for them; others follow by name. */
const FIRST = 'cpu-time cpu wall native alloc lock wait park sleep socket file exception calls time'.split(' ');

function byRank(a: string, b: string): number {
  const rank = (id: string) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function samplesByMetric({ profile }: Ingested): Record<string, number> {
  const rows = profile?.metrics.map((metric, row) => {
    const counts = profile.cells[row]?.count ?? new Float64Array();
    return [metric.id, counts.reduce((sum, count) => sum + count, 0)] as const;
  });
  return Object.fromEntries((rows ?? []).sort(([a], [b]) => byRank(a, b)));
}

function describe({ recording, bytes, samples }: Imported, { project, program, version, instance }: Execution): string {
  const counts = Object.entries(samples).map(([metric, count]) => `${count.toLocaleString('en')} ${metric}`);
  const size = `${(bytes / 1024).toFixed(0)} KB`;
  return `${basename(recording)} → ${project}/${program} ${version} (${instance}): ${counts.join(', ') || 'no'} samples, ${size}\n`;
}
