// The home of answers on the disk: data of the configured store, sources below a root, everything looked at anew for each answer.

import { statSync } from 'node:fs';
import { inlineReach, type Reach } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { completeChosen } from '../answering/chosen-data.ts';
import type { SessionRecordings } from '../answering/session-recordings.ts';
import { StoredAnswers } from '../answering/stored-answers.ts';
import { present } from '../base/present.ts';
import { firstNames, printableName } from '../base/printable.ts';
import { type AnswerContext, refused } from '../features/answers/answer.ts';
import { textOnDisk } from '../mapping/recorded/profiled-text.ts';
import { SourceIndex, typeCalled } from '../mapping/source-index.ts';
import { liesWithin } from '../mapping/within-roots.ts';
import { openStore } from '../store/open-store.ts';
import { NO_CHOICE } from '../workspace/data/choice.ts';
import { Loader } from '../workspace/data/loader.ts';
import type { Source } from '../workspace/data/source.ts';
import { namesakesOf } from '../workspace/document/class-claims.ts';
import { type Configuration, configurationFor } from '../workspace/settings/configuration.ts';
import { type StoreOptions, settingsOf } from './place-options.ts';

/** The options that the user gave at the start; an answer's own choice goes first. */
type DiskOptions = StoreOptions & {
  readonly root: string;
  /** Folders of the sources; default: the root of the configuration. */
  readonly sources?: readonly string[];
  /** The root must be there, and of several programs one must be named: nobody sees what was taken instead. */
  readonly isStrict?: true;
  /** Recordings that are read for the session of this process alone. */
  readonly session?: SessionRecordings;
  /** Absolute path of a file that the user named: it is read wherever it lies. */
  readonly named?: string;
};

/** More are not named in one sentence. */
const MOST_PROGRAMS = 20;

type Disk = Pick<DiskOptions, 'sources' | 'named' | 'isStrict'> & {
  readonly loader: Pick<Loader, 'load'>;
  readonly index: () => Promise<SourceIndex>;
};

/** The needs of answers that a disk meets: the data of the configured store, and the files below its sources. */
export function homeOnDisk(configuration: Configuration, { loader, index, sources = [], named, isStrict }: Disk) {
  const mayRead = (path: string) => path === named || liesWithin([configuration.root, ...sources], path);
  const textOf = (path: string) => (mayRead(path) ? textOnDisk(path) : null);
  return {
    ...{ configuration, root: configuration.root, mayRead, textOf },
    load: async (source: Source, metric?: string) => {
      if (isStrict === true) await checkProgram(source);
      const loaded = await loader.load(source, () => {}).result;
      return completeChosen(loaded ?? { value: null, problems: [] }, metric);
    },
    fileOf: async (className: string) => (await index()).filesOfClass(className)[0]?.path ?? null,
    filesOf: async (className: string) =>
      (await namesakesOf(className, configuration.root)).flatMap(({ path }) => path ?? []),
    typeCalled: async (name: string) => typeCalled((await index()).files(), name),
  };
}

/** Rejects with `AskFailed` where nobody named one of several programs. */
async function checkProgram({ wish }: Source): Promise<void> {
  if (wish.program !== null || wish.files !== undefined) return;
  const { value: store } = openStore(wish.store);
  const listed = store === null ? [] : (await store.list({ project: wish.project })).value;
  const programs = [...new Set(listed.map(({ execution }) => execution.program))].sort();
  if (programs.length < 2) return;
  const named = firstNames(programs.map(printableName), MOST_PROGRAMS);
  throw refused(`project ${printableName(wish.project)} has several programs`, `name one as "program": ${named}`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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
    const { root, sources, named, isStrict, session } = this.#options;
    const configuration = this.configuration();
    return new StoredAnswers({
      ...homeOnDisk(configuration, {
        ...present({ sources, named, isStrict }),
        loader: this.#loader,
        index: () => this.#indexOf(configuration.root),
      }),
      ...{ root, choice: NO_CHOICE, reach },
      ...present({ session }),
      ...(command && { load: command.load }),
      ...(command?.data && { shown: async () => command.data! }),
      ...(command?.baseline && { compared: () => command.baseline! }),
      ...(command?.wantsPlaces === false && { places: async () => new Map() }),
    });
  }

  /** The configuration as it is now. Throws `AskFailed` where the root must be there, and is not. */
  configuration(): Configuration {
    const { root, isStrict } = this.#options;
    if (isStrict === true && !isFolder(root))
      throw refused(
        `the root ${printableName(root)} is no folder`,
        'start insitu mcp with --root and the folder of the project',
      );
    return configurationFor(root, settingsOf(this.#options));
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
