// `insitu import`: recordings in, snapshots into the store.

import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Wish } from '../../analysis/wish.ts';
import { present } from '../../base/present.ts';
import { printableName } from '../../base/printable.ts';
import { isDamage, type Problem } from '../../base/problem.ts';
import type { Output } from '../../base/terminal.ts';
import { NO_FORMAT } from '../../ingest/read-source.ts';
import type { TraceContext } from '../../ingest/trace-context.ts';
import type { Execution } from '../../model/execution.ts';
import type { SourcesAt } from '../../workspace/import/collect-sources.ts';
import { type Imported, importRecording, instanceOf, notImported } from '../../workspace/import/import-recording.ts';
import type { Configuration } from '../../workspace/settings/configuration.ts';
import { CommandFailure, failed, misused } from '../failure.ts';
import { type GivenRecording, GivenRecordings } from '../given-recordings.ts';
import { type OptionsOf, parseDuration } from '../option-values.ts';
import { printJson, reportProblems, tell } from '../output.ts';
import { startProgress } from '../progress.ts';
import { configure, openConfiguredStore, withTargetOptions } from '../store-options.ts';
import { sumText } from '../sum-text.ts';

type ImportOptions = OptionsOf<typeof importCommand>;

const TIMES =
  'A format without times, such as collapsed stacks, counts as taken when its\nfile was written last: keep that when copying (cp -p).';

export function importCommand(output: Output) {
  const command = new Command('import')
    .description('read recordings and put them into the store as snapshots')
    .argument(
      '<recording...>',
      'JDK Flight Recorder files, collapsed stacks, pprof, thread dumps, Kieker logs or spans of OpenTelemetry, also gzip, zstd, xz, deflate or zip; - for standard input',
    )
    .option('--instance <name>', "which of the program's processes it was (default: its JVM, else the file's name)")
    .option('--sources <folder>', 'what the program was built from; in a git checkout its version says it')
    .option(
      '--window <length>',
      'length of the windows of time, such as 1s (default: up to 60, of 10 s or more)',
      parseWindow,
    )
    .option('--time-types', 'of flight recordings: also what threads did with their time, as the metric typed')
    .option(
      '--processors <number>',
      'of thread dumps and --time-types: processors that the JVM could use',
      processorsOf,
    )
    .addOption(
      new Option(
        '--priorities <obeyed>',
        'of thread dumps: whether the system obeyed the priorities of threads',
      ).choices(['obeyed', 'ignored']),
    )
    .option('--only-host <pattern...>', 'of Kieker logs and spans: calls on these hosts alone, such as shop-*')
    .option('--only-thread <pattern...>', 'of spans and Kieker events: calls in these threads alone')
    .option('--only-session <pattern...>', 'of Kieker logs and spans: calls for these sessions alone; no id is stored')
    .option('--json', 'print what was imported as JSON')
    .addHelpText(
      'after',
      `\n${TIMES}\n\nExamples:\n  insitu import orders.jfr --program orders --version 1.4.2\n  ssh prod cat orders.jfr | insitu import - --program orders --instance prod-1`,
    );
  return withTargetOptions(command).action(async (recordings, options) => {
    await importRecordings(output, recordings, options);
  });
}

async function importRecordings(output: Output, recordings: readonly string[], options: ImportOptions): Promise<void> {
  const configuration = configure(output, options);
  const { program, version } = configuration.settings;
  if (program === null || program === '') {
    const missing = recordings.find(each => each !== '-' && !existsSync(each));
    if (missing !== undefined) throw failed('there is no such file', { file: missing });
    throw misused('which program was recorded?', 'name it: --program <name>, or "program" in insitu.json');
  }
  if (!configuration.projectIsNamed) {
    const message = `neither --project, insitu.json nor a git root names the project; it is "${configuration.project}", after this folder`;
    const remedy = 'an insitu.json in the root of the sources makes the editor mean the same one';
    tell(output, message, { remedy });
  }
  openConfiguredStore(configuration);
  const results: Result[] = [];
  const given = new GivenRecordings();
  try {
    for (const argument of recordings) {
      const found = await given.of(argument);
      if (found.recordings.length === 0) results.push(notImported(argument, found.problems));
      reportProblems(output, found.problems);
      for (const recording of found.recordings)
        results.push(await importOne(output, { ...configuration, program, version }, recording, options));
    }
  } finally {
    given.remove();
  }
  if (options.json === true) printJson(output, results);
  const isImported = results.some(({ snapshot }) => snapshot !== null);
  const failures = results.filter(({ snapshot, isLeftOut = false }) => snapshot === null && !isLeftOut);
  if (!isImported && failures.length === 0) throw failed('no file here is a recording');
  // A recording that was read in part is stored, and its problems are told.
  if (failures.length > 0 || results.some(({ problems }) => problems.some(isDamage))) throw new CommandFailure(1, []);
}

type Result = Imported & {
  /** Whether the file stood beside others and is no recording. */
  readonly isLeftOut?: true;
};

/** Which calls of traces are wanted. */
function tracesOf({ onlyHost, onlyThread, onlySession }: ImportOptions): { readonly traces?: TraceContext } {
  const traces = present({ hosts: onlyHost, threads: onlyThread, sessions: onlySession });
  return Object.keys(traces).length === 0 ? {} : { traces };
}

async function importOne(
  output: Output,
  configuration: Configuration & Pick<Execution, 'program'> & Pick<Wish, 'version'>,
  { path, name, isBesideOthers }: GivenRecording,
  options: ImportOptions,
): Promise<Result> {
  const { project, program, version, store, settings } = configuration;
  const execution = { project, program, version: version ?? 'unknown', instance: options.instance ?? instanceOf(name) };
  const sources = sourcesOf(configuration, options);
  const progress = startProgress(output, basename(name));
  const { processors, priorities, timeTypes, window } = options;
  const task = {
    recording: path,
    store,
    execution,
    isInstanceNamed: options.instance !== undefined,
    metrics: settings.metrics,
    sources,
    machine: present({ processors, priorities }),
    ...present({ timeTypes, windowMillis: window }),
    ...tracesOf(options),
  };
  const imported = await importRecording(task, { onProgress: progress.update });
  progress.stop();
  // A file that was made for a while is called as what it was made of.
  const named = imported.problems.map(each => (each.file === path ? { ...each, file: name } : each));
  const isLeftOut = isBesideOthers && imported.problems.some(({ message }) => message === NO_FORMAT);
  const leftOut: Problem = { severity: 'info', message: `left out, as ${NO_FORMAT}`, file: name };
  const problems = isLeftOut ? [leftOut] : named;
  reportProblems(output, problems);
  const result: Result = { ...imported, recording: name, problems, ...(isLeftOut && { isLeftOut: true }) };
  const { instance } = result;
  if (options.json !== true && instance !== null) output.out(describe(result, { ...execution, instance }));
  return result;
}

/** A container may have a part of a processor. */
function processorsOf(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 100_000)) throw new InvalidArgumentError('Write a number above 0, such as 8 or 0.5.');
  return number;
}

/** A window that has a length. */
function parseWindow(text: string): number {
  const millis = parseDuration(text);
  if (millis < 1) throw new InvalidArgumentError('Write a millisecond or more.');
  return millis;
}

/** Fingerprints of the sources are kept with the data, for checkouts in which git does not have their text. */
function sourcesOf({ repository, settings }: Configuration, { sources }: ImportOptions): SourcesAt {
  const folder = sources === undefined ? null : resolve(sources);
  if (folder !== null && !existsSync(folder)) throw failed('there is no such folder of sources', { file: folder });
  return { repository, tagPattern: settings.tagPattern, folder };
}

function describe(
  { recording, bytes, metrics, isOld }: Imported,
  { project, program, version, instance }: Execution,
): string {
  // The snapshot is an earlier one where the recording has nothing that is not in the store.
  const sums = isOld ? 'nothing new' : metrics.map(sumText).join(', ') || 'no samples';
  const size = `${(bytes / 1024).toFixed(0)} KiB`;
  const [file, ...names] = [basename(recording), project, program, version, instance].map(printableName);
  const [inProject, ofProgram, inVersion, asInstance] = names;
  return `${file} as ${inProject}/${ofProgram} ${inVersion} (${asInstance}): ${sums}, ${size}\n`;
}
