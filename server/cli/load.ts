// Loads what the store options name, with progress, or ends the command saying what is missing.
import { completeData, type LoadedData } from '../analysis/loaded-data.ts';
import { loadData } from '../analysis/select-data.ts';
import type { Selection } from '../analysis/selection.ts';
import { printableLine, printableName } from '../base/printable.ts';
import type { Output } from '../base/terminal.ts';
import { Baseline } from '../features/facts/compare.ts';
import { shortDataText } from '../features/text/data-text.ts';
import { OpenRepositories } from '../mapping/recorded/open-repositories.ts';
import { followFileToBaseline, followToBaseline } from '../workspace/code/follow-elsewhere.ts';
import { Pairing, type Renames } from '../workspace/code/pairing.ts';
import { baselineSource, type Source, sourceOf } from '../workspace/data/source.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { CommandFailure, failed } from './failure.ts';
import { reportProblems } from './output.ts';
import { startProgress } from './progress.ts';

/** What of the data a command looks at. */
export type Asked = {
  /** Absolute path of the file that the data are wanted for, null for the whole workspace. */
  readonly path: string | null;
  readonly instances?: readonly string[];
  readonly selection: Selection;
};

/** A file by its absolute path, and its path in the recorded commit where that is another. */
type RecordedFile = { readonly path: string; readonly recorded: string | null };

/** Data of the configured source, or the end of the command. */
export async function loadForCommand(output: Output, configuration: Configuration, asked: Asked): Promise<LoadedData> {
  const { wish, selection } = sourceOf(configuration, asked.path);
  const {
    path: _path,
    instances,
    selection: { span, ...others },
  } = asked;
  const restricted = { ...wish, ...(instances && { instances }), ...(span && { within: span }) };
  const source = { wish: restricted, selection: { ...selection, ...others, ...(span && { span }) } };
  return await loadSource(output, source, others.metric);
}

/**
 * The same threads and focus of another version of the same program, of all its instances and times; ends the command when that
 * version has no data of the metric.
 * @param file the one that the command is about.
 */
export async function loadBaseline(
  output: Output,
  configuration: Configuration,
  data: LoadedData,
  version: string,
  file?: RecordedFile,
): Promise<Baseline> {
  const source = baselineSource(sourceOf(configuration, null), data, { version });
  const baseline = await loadSource(output, source);
  if (baseline.metric.id !== data.metric.id)
    throw failed(`version ${version} has no samples of ${data.metric.id} to compare with`, {
      remedy: `choose another metric with --metric: ${baseline.profile.metrics.map(metric => metric.id).join(', ')}`,
    });
  const renames = await followRenames(source, data, baseline, file);
  return new Baseline({ data: baseline, pairing: Pairing.pending(data, baseline).with({ renames, files: new Map() }) });
}

/** What was renamed or moved between the two versions is the same method, where git has the texts of both. */
async function followRenames(
  source: Source,
  data: LoadedData,
  baseline: LoadedData,
  file: RecordedFile | undefined,
): Promise<Renames> {
  const repositories = new OpenRepositories();
  try {
    const hot = await followToBaseline(repositories, source, data, baseline);
    if (file === undefined) return hot;
    return new Map([...hot, ...(await followFileToBaseline(repositories, file, source, [data, baseline]))]);
  } finally {
    repositories.close();
  }
}

/** @param metric what alone will do; without it another one may be loaded in place of what the settings name. */
async function loadSource(output: Output, source: Source, metric?: string): Promise<LoadedData> {
  const progress = startProgress(output, 'loading');
  const { value, problems } = await loadData(source.wish, source.selection, ({ done, all }) =>
    progress.update(done, all),
  );
  progress.stop();
  if (value === null) throw new CommandFailure(1, problems);
  const data = completeData(value);
  if (metric !== undefined && data.metric.id !== metric) {
    const present = data.profile.metrics.map(({ id }) => id);
    throw failed(`metric "${metric}" was not recorded`, { remedy: `recorded: ${present.join(', ')}` });
  }
  reportProblems(output, problems);
  if (problems.some(({ severity }) => severity === 'error')) output.failed?.();
  return data;
}

/** One line that says what the numbers stand on: project, program, version, instances, samples. */
export function describeData(data: LoadedData): string {
  return printableLine(`${printableName(data.provenance.project)}/${shortDataText(data)}`);
}
