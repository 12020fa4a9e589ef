// The home of answers on the disk: data of the configured store, sources below a root, everything looked at anew for each answer.

import { inlineReach, type Reach } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { completeChosen } from '../answering/chosen-data.ts';
import { StoredAnswers } from '../answering/stored-answers.ts';
import { present } from '../base/present.ts';
import type { AnswerContext } from '../features/answers/answer.ts';
import { textOnDisk } from '../mapping/recorded/profiled-text.ts';
import { SourceIndex, typeCalled } from '../mapping/source-index.ts';
import { liesWithin } from '../mapping/within-roots.ts';
import { NO_CHOICE } from '../workspace/data/choice.ts';
import { Loader } from '../workspace/data/loader.ts';
import type { Source } from '../workspace/data/source.ts';
import { namesakesOf } from '../workspace/document/class-claims.ts';
import { type Configuration, configurationFor } from '../workspace/settings/configuration.ts';
import { type StoreOptions, settingsOf } from './place-options.ts';

/** What the user gave at the start; an answer's own choice goes first. */
type DiskOptions = StoreOptions & {
  readonly root: string;
  /** Folders of the sources; default: the root of the configuration. */
  readonly sources?: readonly string[];
  /** Absolute path of a file that the user named: it is read wherever it lies. */
  readonly named?: string;
};

type Disk = Pick<DiskOptions, 'sources' | 'named'> & {
  readonly loader: Pick<Loader, 'load'>;
  readonly index: () => Promise<SourceIndex>;
};

/** The needs of answers that a disk meets: the data of the configured store, and the files below its sources. */
export function homeOnDisk(configuration: Configuration, { loader, index, sources = [], named }: Disk) {
  const mayRead = (path: string) => path === named || liesWithin([configuration.root, ...sources], path);
  const textOf = (path: string) => (mayRead(path) ? textOnDisk(path) : null);
  return {
    ...{ configuration, root: configuration.root, mayRead, textOf },
    load: async (source: Source, metric?: string) => {
      const loaded = await loader.load(source, () => {}).result;
      return completeChosen(loaded ?? { value: null, problems: [] }, metric);
    },
    fileOf: async (className: string) => (await index()).filesOfClass(className)[0]?.path ?? null,
    filesOf: async (className: string) =>
      (await namesakesOf(className, configuration.root)).flatMap(({ path }) => path ?? []),
    typeCalled: async (name: string) => typeCalled((await index()).files(), name),
  };
}

/** Rejects with `AskFailed` or ends the command. */
type Load = (source: Source, metric?: string) => Promise<LoadedData>;

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
   * @param command data that a command has loaded by its own options, how it loads others, and whether it wants places of
   * declarations: the sources are not looked through for a text without places.
   */
  context(
    command?: {
      readonly data?: LoadedData;
      readonly baseline?: Baseline;
      readonly load: Load;
      readonly wantsPlaces: boolean;
    },
    reach: Reach = inlineReach,
  ): AnswerContext {
    const { root, sources, named } = this.#options;
    const configuration = configurationFor(root, settingsOf(this.#options));
    return new StoredAnswers({
      ...homeOnDisk(configuration, {
        ...present({ sources, named }),
        loader: this.#loader,
        index: () => this.#indexOf(configuration.root),
      }),
      ...{ root, choice: NO_CHOICE, reach },
      ...(command && { load: command.load }),
      ...(command?.data && { shown: async () => command.data! }),
      ...(command?.baseline && { compared: () => command.baseline! }),
      ...(command?.wantsPlaces === false && { places: async () => new Map() }),
    });
  }

  close(): void {
    this.#stop.abort();
    this.#loader.close();
  }

  async #indexOf(root: string): Promise<SourceIndex> {
    this.#index ??= new SourceIndex({ roots: this.#options.sources ?? [root], signal: this.#stop.signal });
    await this.#index.complete;
    return this.#index;
  }
}
