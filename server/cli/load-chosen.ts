// Loads what the store options name, with progress, or ends the command saying what is missing.

import { AskFailed, inlineReach } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { Pairing } from '../analysis/pairing.ts';
import { loadData } from '../analysis/select-data.ts';
import type { Selection } from '../analysis/selection.ts';
import { baselineFor, completeChosen } from '../answering/chosen-data.ts';
import { present } from '../base/present.ts';
import { printableLine } from '../base/printable.ts';
import { isDamage } from '../base/problem.ts';
import type { Output } from '../base/terminal.ts';
import { storedDataText } from '../features/text/data-text.ts';
import { OpenRepositories } from '../mapping/recorded/open-repositories.ts';
import type { Look } from '../model/look.ts';
import { followToBaseline } from '../workspace/code/follow-elsewhere.ts';
import { baselineSource, type Source, sourceOf } from '../workspace/data/source.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { CommandFailure } from './failure.ts';
import { reportProblems } from './output.ts';
import { startProgress } from './progress.ts';

/** The part of the data that a command looks at. */
export type Asked = {
  /** Absolute path of the file that the data are wanted for, null for the whole workspace. */
  readonly path: string | null;
  readonly instances?: Look['instances'];
  /** Absolute paths of recordings and snapshots that are read in place of the store. */
  readonly files?: readonly string[];
  /** The version that was recorded in the files; absent where they tell it themselves. */
  readonly recorded?: string;
  /** Only so much of the end of what would be looked at without it. */
  readonly lastMillis?: number;
  readonly selection: Selection;
};

/** Reads one source; that of `loadData` is this thread's. */
type Load = typeof loadData;

/** Data of the configured source, or the end of the command. */
export async function loadForCommand(
  output: Output,
  configuration: Configuration,
  asked: Asked,
  load: Load = loadData,
): Promise<LoadedData> {
  const { lastMillis, ...others } = asked;
  const loadAsked = (output: Output, asked: Asked) =>
    loadSource(output, sourceAsked(configuration, asked), asked.selection.metric, load);
  if (lastMillis === undefined) return await loadAsked(output, others);
  // Where the end is, only the data tell.
  const { selection } = others;
  // Problems are told the second time.
  const silent = { ...output, err: () => {} };
  const { provenance } = await loadAsked(silent, others);
  const end = Math.min(selection.to ?? Number.POSITIVE_INFINITY, provenance.endMillis);
  return await loadAsked(output, { ...others, selection: { ...selection, from: end - lastMillis } });
}

function sourceAsked(configuration: Configuration, asked: Asked): Source {
  const { wish, selection } = sourceOf(configuration, asked.path);
  const { instances, files, recorded = null, selection: part } = asked;
  const within = present({ from: part.from, to: part.to });
  const restricted = {
    ...wish,
    ...present({ instances }),
    ...(files && { files, version: recorded }),
    ...(Object.keys(within).length > 0 && { within }),
  };
  return { wish: restricted, selection: { ...selection, ...part } };
}

/**
 * The same threads and focus of another version of the same program, of all its instances and times; ends the command when that
 * version has no data of the metric.
 * @param version the name of one, or the absolute paths of recordings and snapshots.
 */
export async function loadBaseline(
  output: Output,
  configuration: Configuration,
  data: LoadedData,
  version: string | { readonly files: readonly string[] },
): Promise<Baseline> {
  const { wish } = sourceOf(configuration, null);
  const choice = typeof version === 'string' ? { version } : version;
  const source = baselineSource({ wish, selection: data.selection }, data, choice);
  const baseline = await loadSource(output, source);
  const named = typeof version === 'string' ? `version ${version}` : version.files.join(', ');
  return refusing(() => baselineFor({ source, data, baseline, named, ask: inlineReach.ask }));
}

/** Data of two versions that were loaded each for itself, paired by names and, as far as git has them, by the texts of both. */
export async function pairedBaseline(source: Source, data: LoadedData, baseline: LoadedData): Promise<Baseline> {
  const repositories = new OpenRepositories();
  try {
    const renames = await followToBaseline(repositories, source, data, baseline);
    const pairing = Pairing.pending(data, baseline).with({ renames, files: new Map() });
    return { data: baseline, pairing };
  } finally {
    repositories.close();
  }
}

/** All data of two versions, or of some of their instances. */
export async function loadVersions(
  output: Output,
  configuration: Configuration,
  [before, now]: readonly [before: string, now: string],
  instances?: Look['instances'],
): Promise<readonly [LoadedData, LoadedData]> {
  const load = (version: string) => {
    const settings = { ...configuration.settings, version };
    const asked = { path: null, ...present({ instances }), selection: {} };
    return loadForCommand(output, { ...configuration, settings }, asked);
  };
  return [await load(before), await load(now)];
}

/** @param metric what alone will do; without it another one may be loaded in place of what the settings name. */
export async function loadSource(
  output: Output,
  source: Source,
  metric?: string,
  load: Load = loadData,
): Promise<LoadedData> {
  const progress = startProgress(output, 'loading');
  const { value, problems } = await load(source.wish, source.selection, ({ done, all }) => progress.update(done, all));
  progress.stop();
  if (value === null) throw new CommandFailure(problems.some(({ isUndecided }) => isUndecided) ? 3 : 1, problems);
  const data = await refusing(() => completeChosen({ value, problems }, metric));
  reportProblems(output, problems);
  if (problems.some(isDamage)) output.failed?.();
  return data;
}

/** The refusal of an answer is a failure of the command. */
export async function refusing<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AskFailed) throw new CommandFailure(1, error.problems, error);
    throw error;
  }
}

/** One line that says what the numbers stand on, as it may be printed. */
export function describeData(data: LoadedData): string {
  return printableLine(storedDataText(data));
}
