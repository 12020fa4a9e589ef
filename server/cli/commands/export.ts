// `insitu export`: a recording or a snapshot in a format that other tools read.

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { answer } from '../../analysis/ask.ts';
import { beginsLikeSnapshot, readSnapshot } from '../../analysis/load-file.ts';
import { notRecorded } from '../../answering/chosen-data.ts';
import { present } from '../../base/present.ts';
import { isDamage, type Outcome, type Problem } from '../../base/problem.ts';
import type { Output } from '../../base/terminal.ts';
import { collapse } from '../../cct/collapse.ts';
import { listedMetrics, listedRows } from '../../cct/listed-metrics.ts';
import type { Profile } from '../../cct/profile.ts';
import { samplesText } from '../../features/text/format-share.ts';
import { withRemark } from '../../ingest/collapsed/dialect.ts';
import { ingestInWorker } from '../../ingest/in-worker.ts';
import { transparentMethods } from '../../mapping/generated-hops.ts';
import { toCollapsed } from '../../snapshot/export/collapsed.ts';
import { toJson } from '../../snapshot/export/json.ts';
import { toPprof } from '../../snapshot/export/pprof.ts';
import { toSpeedscope } from '../../snapshot/export/speedscope.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { CommandFailure, failed, misused } from '../failure.ts';
import { describeData, loadForCommand } from '../load-chosen.ts';
import { collect, type OptionsOf } from '../option-values.ts';
import { reportProblems, tell } from '../output.ts';
import { startProgress } from '../progress.ts';
import { askedBy, refuseStoreOptions, withPartOptions } from '../selection-options.ts';
import { configure, withStoreOptions } from '../store-options.ts';

const FORMATS = ['collapsed', 'pprof', 'speedscope', 'json'] as const;

type Options = OptionsOf<typeof exportCommand>;

/** The profile to write, under the title that a file of it has. */
type Source = {
  readonly profile: Profile;
  readonly title: string;
  /** As the user named it, where the stacks are those of a file as it is. */
  readonly file?: string;
  readonly threadNames: boolean;
};

export function exportCommand(output: Output) {
  const command = new Command('export')
    .description('write the stacks of a recording, or of data in the store, to standard output')
    .argument('[recording|snapshot]', 'the file (default: what the store has, as top sees it)')
    .addOption(new Option('--format <format>', 'output format').choices(FORMATS).default('collapsed'))
    .addOption(
      new Option('--frames <detail>', 'what a frame shows: its method, with the line, with descriptor and line')
        .choices(['method', 'line', 'full'])
        .default('method'),
    )
    .option('--thread-names', "begin each stack with the thread's name; also --threads without a pattern")
    .option(
      '--threads [pattern]',
      'only threads like http-*, or group/name; may be given several times',
      collectThreads,
    )
    .option('--metric <id>', 'only this metric (default: all; for collapsed cpu-time where recorded, else cpu)')
    .option('--event <type>', 'only this event of a recording, such as jdk.ExecutionSample')
    .option('--weights', "sums of the metric's weights instead of counts")
    .option('--normalise', 'make generated names stable and fold generated hops')
    .addHelpText('after', HELP);
  return withPartOptions(withStoreOptions(command)).action(async (file, options) => {
    await exportStacks(output, file, options);
  });
}

const HELP = `
A file alone is written as it was recorded. With --focus, --from, --to, --instance or a pattern of threads, and without a file, the
stacks are written as top counts them: generated hops are folded, cut-off stacks rejoined where their place is certain, else left out.

Examples:
  insitu export app.jfr --frames line --thread-names > app.collapsed
  insitu export app.jfr --format pprof > app.pb.gz
  insitu export --program orders --focus com.acme.Shop.search --format speedscope > search.speedscope.json`;

/** A pattern after `--threads` alone, or the other way round: the names and the choice are both wanted. */
function collectThreads(text: string, before: true | readonly string[] | undefined): readonly string[] {
  return collect(text, before === true ? undefined : before);
}

async function exportStacks(output: Output, given: string | undefined, options: Options): Promise<void> {
  // A file behind `--threads` is no pattern: `insitu export --threads app.jfr`.
  const [first, ...others] = Array.isArray(options.threads) ? options.threads : [];
  const isFile = given === undefined && first !== undefined && existsSync(first);
  const file = isFile ? first : given;
  const patterns = isFile ? others : options.threads === true ? [] : options.threads;
  const threads = patterns?.length === 0 ? undefined : patterns;
  const threadNames = isFile || options.threads === true || options.threadNames === true;
  const { metric, focus, from, to, last, instance } = options;
  const isPart = [threads, focus, from, to, last, instance].some(each => each !== undefined);
  if (file !== undefined) refuseStoreOptions(options);
  if (file !== undefined && !isPart)
    return write(output, { ...(await fileAsItIs(output, file, options)), file, threadNames }, options);
  if (options.event !== undefined)
    throw misused('--event needs a recording as it is', 'name the file alone, or choose with --metric');
  const configuration = configure(output, options);
  const { threads: _threads, ...rest } = options;
  const part = { ...rest, ...present({ threads, recording: file }) };
  const data = await loadForCommand(output, configuration, askedBy(part, configuration.settings));
  tell(output, describeData(data));
  const { project, program, executions } = data.provenance;
  const versions = new Set(executions.map(({ version }) => version));
  const title = file === undefined ? `${project}/${program} ${[...versions].join(', ')}` : basename(file);
  const chosen = metric ?? (options.format === 'collapsed' ? data.metric.id : undefined);
  if (chosen === data.metric.id && data.analysis.whole.count === 0)
    throw failed(`no sample of ${chosen} is in it`, { remedy: 'choose more of the data, or another --metric' });
  const profile = answer(data, 'stacks', null);
  await write(output, { profile, title, threadNames }, { ...options, ...present({ metric: chosen }) });
}

async function fileAsItIs(
  output: Output,
  file: string,
  options: Options,
): Promise<{ readonly profile: Profile; readonly title: string }> {
  const { profile, problems } = beginsLikeSnapshot(file)
    ? profileOf(readSnapshot(file))
    : await readRecording(output, file, options);
  reportProblems(output, problems);
  if (profile === null) throw new CommandFailure(1, []);
  if (problems.some(isDamage)) output.failed?.();
  const folds = options.normalise === true;
  return { profile: folds ? collapse(profile, transparentMethods(profile.methods)) : profile, title: basename(file) };
}

async function write(output: Output, source: Source, options: Options): Promise<void> {
  const { profile, threadNames } = source;
  if (options.format === 'collapsed') {
    const metric = chooseMetric(source, options);
    if (options.event !== undefined && options.metric === undefined) reportLeftOut(output, source, metric);
    const { frames, weights } = options;
    const alone = weights === true && ({ weights: 'alone' } as const);
    const stacks = toCollapsed(profile, { frames, metric, threads: threadNames, unnamed: '-', ...alone });
    output.data(threadNames ? withRemark(stacks) : stacks);
    return;
  }
  // These hold every metric side by side; naming one that is absent is a mistake.
  const only = options.metric === undefined ? undefined : chooseMetric(source, options);
  if (options.format === 'pprof') await writeBytes(output, toPprof(profile, only));
  else for (const part of textParts(source, options, only)) output.out(part);
}

/** An event can feed several metrics, as the state of a thread decides, and collapsed stacks hold one. */
function reportLeftOut(output: Output, { profile, file }: Source, written: string): void {
  const problems = listedRows(profile).flatMap((row): Problem[] => {
    const { id } = profile.metrics[row]!;
    const samples = profile.cells[row]?.count.reduce((sum, count) => sum + count, 0) ?? 0;
    if (id === written || samples === 0) return [];
    const message = `${samplesText(samples)} of ${id} ${samples === 1 ? 'is' : 'are'} left out`;
    return [{ severity: 'info', message, ...(file && { file }), remedy: `--metric ${id} writes them` }];
  });
  reportProblems(output, problems);
}

function textParts(
  { profile, title, threadNames }: Source,
  options: Options,
  only: string | undefined,
): Iterable<string> {
  if (options.format === 'json') return toJson(profile, only);
  const { frames } = options;
  return toSpeedscope(profile, { frames, threads: threadNames, name: title, ...present({ metric: only }) });
}

async function writeBytes(output: Output, parts: AsyncIterable<Uint8Array>): Promise<void> {
  if (output.bytes === undefined) throw misused('this output takes text only', 'send it to a file');
  for await (const part of parts) output.bytes(part);
}

type Read = { readonly profile: Profile | null; readonly problems: readonly Problem[] };

function profileOf({ value, problems }: Outcome<Snapshot | null>): Read {
  return { profile: value?.profile ?? null, problems };
}

async function readRecording(output: Output, file: string, { event, normalise }: Options): Promise<Read> {
  const progress = startProgress(output, 'reading');
  const names = normalise === true ? 'normalised' : 'raw';
  const events = event === undefined ? [] : [event];
  const ingested = await ingestInWorker(file, { names, events, onProgress: progress.update });
  progress.stop();
  return ingested;
}

/** The named metric, the only one that a named event feeds, else the default one of hints. */
function chooseMetric({ profile, title }: Source, { metric, event }: Options): string {
  const present = listedMetrics(profile).map(({ id }) => id);
  const wanted = metric === undefined ? ['cpu-time', 'cpu', present[0]] : [metric];
  const chosen = wanted.find(id => id !== undefined && present.includes(id));
  if (chosen !== undefined) return chosen;
  if (metric !== undefined) throw new CommandFailure(1, notRecorded(metric, { profile }).problems);
  throw failed(`${title} holds no ${event === undefined ? 'samples' : `${event} events`}`);
}
