// The page of pictures beside a command: data of a store or a file, looked at again while a recorder feeds them, and no editor.
import { resolve } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Baseline } from '../analysis/baseline.ts';
import { completeData, type LoadedData } from '../analysis/loaded-data.ts';
import { QuestionThread } from '../analysis/question-thread.ts';
import { inTime } from '../base/in-time.ts';
import { formatProblem } from '../base/problem.ts';
import { lossesText } from '../features/text/data-text.ts';
import { classNameOf } from '../features/text/runtime-names.ts';
import { OpenRepositories } from '../mapping/recorded/open-repositories.ts';
import { SourceIndex } from '../mapping/source-index.ts';
import { feedsNow } from '../views/feeds-now.ts';
import { SeenOrders } from '../views/seen-orders.ts';
import { MOST_LOOKS, type Viewed, type ViewHost } from '../views/view-host.ts';
import { comparedTo } from '../views/viewed-data.ts';
import type { Loader } from '../workspace/data/loader.ts';
import { folderStamp, projectFolder } from '../workspace/data/store-watch.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { homeOnDisk } from './answers-on-disk.ts';
import { documentOnDisk } from './document-on-disk.ts';

type HostOptions = {
  readonly configuration: Configuration;
  /** Has read the data before, and goes on from there. */
  readonly loader: Pick<Loader, 'load' | 'close'>;
  readonly data: LoadedData;
  /** Of the store's folder before the data were read; null for stores that are no folder. */
  readonly stamp: string | null;
  /** With the name of what is compared with. */
  readonly baseline: { readonly compared: Baseline; readonly name: string } | null;
};

/** The store is looked at again while a page asks, at most so often. */
const LOOK_MILLIS = 500;
/** The first picture waits so long for what it would change by: the packages of the project and the tags of versions. */
const KNOWN_MILLIS = 1_000;
/** Loading again may take this part of the time: one in four. */
const REST = 3;

export class CommandHost implements ViewHost {
  readonly door = new QuestionThread();
  readonly looks = new LRUCache<string, Promise<LoadedData>>({ max: MOST_LOOKS });
  readonly orders = new SeenOrders();
  readonly editor = null;
  readonly #options: HostOptions;
  readonly #index: SourceIndex;
  readonly #stop = new AbortController();
  /** null for stores that are no folder. */
  readonly #folder: string | null;
  #data: LoadedData;
  #problems: readonly string[] = [];
  /** Resolves when packages and tags are known, or time is up. */
  readonly #known: Promise<unknown>;
  #own: readonly string[] | null = null;
  #tags: Viewed['tags'] = new Map();
  #stamp: string | null;
  #nextLook = 0;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#data = options.data;
    this.#stamp = options.stamp;
    this.#folder = projectFolder(options.data.wish);
    this.#index = new SourceIndex({ roots: [options.configuration.root], signal: this.#stop.signal });
    const packages = this.#index.complete.then(() => {
      this.#own = [...new Set(Array.from(this.#index.files(), ({ packageName }) => packageName))].sort();
    });
    this.door.pin([options.data.dataset]);
    this.#known = inTime(Promise.all([packages, this.#learnTags()]), KNOWN_MILLIS);
  }

  async viewed(): ReturnType<ViewHost['viewed']> {
    await this.#known;
    if (performance.now() >= this.#nextLook) {
      this.#nextLook = performance.now() + LOOK_MILLIS;
      // The data at hand are shown meanwhile.
      void this.#lookAgain();
    }
    const data = this.#data;
    const losses = lossesText(data);
    const value: Viewed = {
      data,
      baseline: this.#baselineOf(data),
      tasks: this.#options.configuration.settings.tasks,
      aspects: this.#options.configuration.settings.aspects,
      own: this.#own,
      tags: this.#tags,
      notes: [...(losses === '' ? [] : [losses]), ...this.#problems],
      live: this.#folder !== null && feedsNow(data),
      sources: [],
      source: null,
    };
    return { value, problems: [] };
  }

  async home(): ReturnType<ViewHost['home']> {
    const { configuration, loader } = this.#options;
    return homeOnDisk(configuration, { loader, index: () => this.#index.complete.then(() => this.#index) });
  }

  readonly documentOf: ViewHost['documentOf'] = ({ data }, row) => this.#documentOf(data, row);

  async #documentOf(data: LoadedData, row: number): Promise<DocumentView | null> {
    await this.#index.complete;
    const [file] = this.#index.filesOfClass(classNameOf(data.profile.methods, row));
    const path = file === undefined ? null : resolve(file.path);
    const text = path === null ? null : (await this.home()).textOf(path);
    return path === null || text === null ? null : documentOnDisk(path, text, data, this.#options.configuration);
  }

  close(): void {
    this.#stop.abort();
    this.door.close();
    this.#options.loader.close();
  }

  #baselineOf(data: LoadedData): Viewed['baseline'] {
    const { baseline } = this.#options;
    if (baseline === null) return null;
    const { compared, name } = baseline;
    return comparedTo(data, { data: compared.data, pairing: compared.pairing, name });
  }

  /** Reads what a recorder has added. */
  async #lookAgain(): Promise<void> {
    if (this.#folder === null || this.#stop.signal.aborted) return;
    const before = this.#stamp;
    this.#stamp = await folderStamp(this.#folder);
    if (before === this.#stamp) return;
    // Nothing is looked at meanwhile.
    this.#nextLook = Number.POSITIVE_INFINITY;
    const { wish, selection } = this.#data;
    const started = performance.now();
    const loaded = await this.#options.loader.load({ wish, selection }, () => {}).result;
    const ended = performance.now();
    this.#nextLook = ended + Math.max(LOOK_MILLIS, REST * (ended - started));
    if (loaded === null || this.#stop.signal.aborted) return;
    this.#problems = loaded.problems.filter(({ severity }) => severity !== 'info').map(formatProblem);
    if (loaded.value === null) return;
    this.#data = completeData(loaded.value);
    this.door.pin([this.#data.dataset]);
    void this.#learnTags();
  }

  async #learnTags(): Promise<void> {
    const { baseline, configuration } = this.#options;
    const all = [this.#data, ...(baseline === null ? [] : [baseline.compared.data])];
    const versions = all.flatMap(({ provenance }) => provenance.executions.map(({ version }) => version));
    const repositories = new OpenRepositories();
    this.#tags = await repositories.tagsOfVersions(configuration.repository, [...new Set(versions)]);
    repositories.close();
  }
}
