// Knows which commits the data of sources were recorded from, asked for when they are needed, once a load.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Outcome } from '../../base/problem.ts';
import type { RecordedCommit } from '../../mapping/recorded/profiled-text.ts';
import type { Source } from './source.ts';
import type { WantedSource } from './wanted-sources.ts';

/** null with a problem that says why it is not known. */
export type CommitOfData = Outcome<RecordedCommit | null>;

export class CommitsOfData {
  readonly #lookUp: (source: Source, data: LoadedData) => Promise<CommitOfData>;
  readonly #known = new WeakMap<LoadedData, CommitOfData>();

  constructor(lookUp: (source: Source, data: LoadedData) => Promise<CommitOfData>) {
    this.#lookUp = lookUp;
  }

  /** As far as `learn` has found it out. */
  of(data: LoadedData): CommitOfData | null {
    return this.#known.get(data) ?? null;
  }

  /** Resolves when everything about these sources is known. */
  async learn(sources: readonly WantedSource[]): Promise<void> {
    await Promise.all(
      sources.map(async ({ source, state }) => {
        const data = state?.data ?? null;
        if (data !== null && !this.#known.has(data)) this.#known.set(data, await this.#lookUp(source, data));
      }),
    );
  }
}
