// The home of answers on the disk: data of the configured store, sources below a root, everything looked at anew for each answer.

import { resolve } from 'node:path';
import { answer, inlineReach } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { completeChosen } from '../answering/chosen-data.ts';
import { StoredAnswers } from '../answering/stored-answers.ts';
import type { AnswerContext } from '../features/answers/answer.ts';
import { textOnDisk } from '../mapping/recorded/profiled-text.ts';
import { SourceIndex } from '../mapping/source-index.ts';
import { NO_CHOICE } from '../workspace/data/choice.ts';
import { Loader } from '../workspace/data/loader.ts';
import type { Source } from '../workspace/data/source.ts';
import { configurationFor } from '../workspace/settings/configuration.ts';
import { type StoreOptions, settingsOf } from './place-options.ts';

/** What the user gave at the start; an answer's own choice goes first. */
type DiskOptions = StoreOptions & { readonly root: string };

export class AnswersOnDisk {
  readonly #options: DiskOptions;
  readonly #loader = new Loader();
  readonly #stop = new AbortController();
  #index: SourceIndex | null = null;

  constructor(options: DiskOptions) {
    this.#options = options;
  }

  /**
   * The context of one answer: the configuration as it is now.
   * @param loaded data that a command has loaded by its own options.
   */
  context(loaded?: LoadedData): AnswerContext {
    const { root } = this.#options;
    const configuration = configurationFor(root, settingsOf(this.#options));
    return new StoredAnswers({
      ...{ configuration, root, choice: NO_CHOICE, reach: inlineReach, textOf: textOnDisk },
      evidence: (data, wish, baseline) => answer(data, 'evidence', wish, undefined, baseline),
      load: async (source, metric) => loaded ?? this.#load(source, metric),
      fileOf: async className => {
        this.#index ??= new SourceIndex({ roots: [configuration.root], signal: this.#stop.signal });
        await this.#index.complete;
        const [file] = this.#index.filesOfClass(className);
        return file === undefined ? null : resolve(file.path);
      },
    });
  }

  close(): void {
    this.#stop.abort();
    this.#loader.close();
  }

  async #load(source: Source, metric?: string) {
    const loaded = await this.#loader.load(source, () => {}).result;
    return completeChosen(loaded ?? { value: null, problems: [] }, metric);
  }
}
