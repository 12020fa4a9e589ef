// `insitu export`: a recording or a snapshot in a format that other tools read.

import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { beginsLikeSnapshot, readSnapshot } from '../../analysis/load-file.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import type { Output } from '../../base/terminal.ts';
import { collapse } from '../../cct/collapse.ts';
import type { Profile } from '../../cct/profile.ts';
import { samplesText } from '../../features/text/format-share.ts';
import { ingestInWorker } from '../../ingest/in-worker.ts';
import { transparentMethods } from '../../mapping/fold.ts';
import { type FrameDetail, toCollapsed } from '../../snapshot/export/collapsed.ts';
import { toJson } from '../../snapshot/export/json.ts';
import { toPprof } from '../../snapshot/export/pprof.ts';
import { toSpeedscope } from '../../snapshot/export/speedscope.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { CommandFailure, misused } from '../failure.ts';
import { reportProblems } from '../output.ts';
import { startProgress } from '../progress.ts';

const FORMATS = ['collapsed', 'pprof', 'speedscope', 'json'] as const;

type Options = {
  readonly format: (typeof FORMATS)[number];
  readonly frames: FrameDetail;
  readonly threads?: true;
  readonly metric?: string;
  readonly event?: string;
  readonly weights?: true;
  readonly normalise?: true;
};

export function exportCommand(output: Output): Command {
  return new Command('export')
    .description('write the stacks of a recording or a snapshot to standard output')
    .argument('<recording|snapshot>', 'the file')
    .addOption(new Option('--format <format>', 'output format').choices(FORMATS).default('collapsed'))
    .addOption(
      new Option('--frames <detail>', 'what a frame shows: its method, with the line, with descriptor and line')
        .choices(['method', 'line', 'full'])
        .default('method'),
    )
    .option('--threads', "begin each stack with the thread's name")
    .option('--metric <id>', 'only this metric (default: all; for collapsed cpu-time where recorded, else cpu)')
    .option('--event <type>', 'only this event, such as jdk.ExecutionSample')
    .option('--weights', "sums of the metric's weights instead of counts")
    .option('--normalise', 'make generated names stable and fold generated hops')
    .addHelpText(
      'after',
      '\nExample:\n  insitu export app.jfr --frames line --threads > app.collapsed\n  insitu export app.jfr --format pprof > app.pb.gz',
    )
    .action((file: string, options: Options) => exportFile(output, file, options));
}

async function exportFile(output: Output, file: string, options: Options): Promise<void> {
  const raw = beginsLikeSnapshot(file) ? profileOf(readSnapshot(file)) : await readRecording(output, file, options);
  reportProblems(output, raw.problems);
  if (raw.profile === null) throw new CommandFailure(1, []);
  const folds = options.normalise === true;
  const profile = folds ? collapse(raw.profile, transparentMethods(raw.profile.methods)) : raw.profile;
  if (options.format === 'collapsed') {
    const metric = chooseMetric(profile, file, options);
    if (options.event !== undefined && options.metric === undefined) reportLeftOut(output, profile, file, metric);
    const { frames, threads, weights } = options;
    const wanted = {
      frames,
      metric,
      threads: threads === true,
      ...(weights === true && { weights: 'alone' as const }),
    };
    output.data(toCollapsed(profile, wanted));
    return;
  }
  // These hold every metric side by side; naming one that is absent is a mistake.
  const only = options.metric === undefined ? undefined : chooseMetric(profile, file, options);
  if (options.format === 'pprof') await writeBytes(output, toPprof(profile, only));
  else for (const part of textParts(profile, file, options, only)) output.out(part);
}

/** An event can feed several metrics, as the state of a thread decides, and collapsed stacks hold one. */
function reportLeftOut(output: Output, { metrics, cells }: Profile, file: string, written: string): void {
  const problems = metrics.flatMap(({ id }, row): Problem[] => {
    const samples = cells[row]?.count.reduce((sum, count) => sum + count, 0) ?? 0;
    if (id === written || samples === 0) return [];
    const message = `${samplesText(samples)} of ${id} ${samples === 1 ? 'is' : 'are'} left out`;
    return [{ severity: 'info', message, file, remedy: `--metric ${id} writes them` }];
  });
  reportProblems(output, problems);
}

function textParts(profile: Profile, file: string, options: Options, only: string | undefined): Iterable<string> {
  if (options.format === 'json') return toJson(profile, only);
  const metric = only === undefined ? {} : { metric: only };
  const { frames, threads } = options;
  return toSpeedscope(profile, { frames, threads: threads === true, name: basename(file), ...metric });
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
function chooseMetric({ metrics }: Profile, file: string, { metric, event }: Options): string {
  const present = metrics.map(({ id }) => id);
  const wanted = metric === undefined ? ['cpu-time', 'cpu', present[0]] : [metric];
  const chosen = wanted.find(id => id !== undefined && present.includes(id));
  if (chosen !== undefined) return chosen;
  const what = metric === undefined ? `no ${event ?? 'samples'}` : `no metric "${metric}"`;
  throw misused(`${file} holds ${what}`, `it has: ${present.join(', ') || 'nothing'}`);
}
