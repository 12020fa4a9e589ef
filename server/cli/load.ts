// Loads what the store options name, with progress, or ends the command saying what is missing.

import type { Configuration } from '../workspace/configuration.ts';
import { loadData } from '../workspace/load-data.ts';
import { completeData, type LoadedData } from '../workspace/loaded-data.ts';
import { sourceOf } from '../workspace/source.ts';
import { CommandFailure } from './failure.ts';
import { type Output, reportProblems } from './output.ts';
import { startProgress } from './progress.ts';

/**
 * @param path absolute path of the file that the data are wanted for, null for the whole workspace.
 * @param metric id of the metric, null for the default one.
 */
export async function loadForCommand(
  output: Output,
  configuration: Configuration,
  path: string | null,
  metric: string | null,
): Promise<LoadedData> {
  const source = sourceOf(configuration, path);
  const progress = startProgress(output, 'loading');
  const { value, problems } = await loadData({ ...source, metric: metric ?? source.metric }, ({ done, all }) =>
    progress.update(done, all),
  );
  progress.stop();
  if (value === null) throw new CommandFailure(1, problems);
  reportProblems(output, problems);
  return completeData(value);
}

/** One line that says what the numbers stand on: program, version, instances, samples. */
export function describeData({ analysis, metric, provenance }: LoadedData): string {
  const { project, program, executions } = provenance;
  const versions = [...new Set(executions.map(execution => execution.version))].join(', ');
  const instances = new Set(executions.map(execution => execution.instance)).size;
  const samples = analysis.whole.count.toLocaleString('en');
  const incomplete = analysis.incomplete.count;
  const parts = [
    `${project}/${program} ${versions}`,
    `${instances} instance${instances === 1 ? '' : 's'}`,
    `${samples} samples of ${metric.id}`,
  ];
  if (incomplete > 0) parts.push(`${incomplete.toLocaleString('en')} more with incomplete stacks`);
  return parts.join(' · ');
}
