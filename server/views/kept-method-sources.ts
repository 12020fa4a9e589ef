// Compares the code of measured methods with the baseline's, once for two looks, while the page already shows their boxes.
import type { LoadedData } from '../analysis/loaded-data.ts';
import { OpenRepositories } from '../mapping/recorded/open-repositories.ts';
import { type MethodSources, methodSources } from '../workspace/code/method-sources.ts';
import type { Source } from '../workspace/data/source.ts';

export class KeptMethodSources {
  #kept: { readonly of: readonly [LoadedData, LoadedData]; readonly found: Promise<MethodSources | null> } | null =
    null;

  /** null where git does not have both versions. */
  of(source: Source, data: LoadedData, baseline: LoadedData): Promise<MethodSources | null> {
    if (this.#kept?.of[0].profile === data.profile && this.#kept.of[1].profile === baseline.profile)
      return this.#kept.found;
    const repositories = new OpenRepositories();
    const found = methodSources(repositories, source, data, baseline).finally(() => repositories.close());
    this.#kept = { of: [data, baseline], found };
    return found;
  }
}
