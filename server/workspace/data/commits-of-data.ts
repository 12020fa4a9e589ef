// Finds out which commits the data of sources were recorded from, when that is needed, once a load; and names of their versions.

import type { CommitOfData } from '../../analysis/answers.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Source } from './source.ts';
import type { WantedSource } from './wanted-sources.ts';

/** Resolves when the commits of all data of these sources stand among the answers about them. */
export async function learnCommits(
  sources: readonly WantedSource[],
  lookUp: (source: Source, data: LoadedData) => Promise<CommitOfData>,
): Promise<void> {
  await Promise.all(
    sources.map(async ({ source, state }) => {
      const data = state?.data ?? null;
      if (data !== null) data.answers.commit ??= await lookUp(source, data);
    }),
  );
}

/** Versions that a status of the source speaks of. */
export function versionsSaid({ state, choice, baseline }: WantedSource): string[] {
  const shown = state?.data?.provenance.executions.map(({ version }) => version) ?? [];
  const chosen = choice.version == null ? [] : [choice.version];
  const compared = baseline !== null && 'version' in baseline.wish ? [baseline.wish.version] : [];
  return [...new Set([...shown, ...chosen, ...compared])];
}
