// The changes of the code of measured methods between two versions, as long as an answer needs them.
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { ComparedCode } from '../features/answers/answer.ts';
import { OpenRepositories } from '../mapping/recorded/open-repositories.ts';
import { commitThatChanged, methodSources } from '../workspace/code/method-sources.ts';
import type { Source } from '../workspace/data/source.ts';

/** Compares the code of two versions while `work` runs; null where git does not have the commits of both, or they are one. */
export async function withComparedCode<T>(
  source: Source,
  data: LoadedData,
  baseline: LoadedData,
  work: (code: ComparedCode | null) => Promise<T>,
): Promise<T> {
  const repositories = new OpenRepositories();
  try {
    const sources = await methodSources(repositories, source, data, baseline);
    if (sources === null) return await work(null);
    const { ofMethod, calledBy } = sources;
    const commitOf: ComparedCode['commitOf'] = method => commitThatChanged(repositories, source, sources, method);
    return await work({ ofMethod, calledBy, commitOf });
  } finally {
    repositories.close();
  }
}
