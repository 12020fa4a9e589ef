// The context of answers over the disk: data of the configured store, sources below a root.

import { relative, resolve } from 'node:path';
import { outlineOf } from '../../grammar/parse.ts';
import { AskFailed, inlineReach } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { isoTime } from '../base/moment-text.ts';
import type { Output } from '../base/terminal.ts';
import type { AnswerContext, StoredExecution } from '../features/answers/answer.ts';
import { refused } from '../features/answers/answer.ts';
import type { AnswerPlace, DataChoice } from '../features/answers/vocabulary.ts';
import { executionRows } from '../features/executions.ts';
import { classNameOf, methodNameOf } from '../features/text/runtime-names.ts';
import { textOnDisk } from '../mapping/recorded/profiled-text.ts';
import { SourceIndex } from '../mapping/source-index.ts';
import { describeEntries } from '../store/select-snapshots.ts';
import { Loader } from '../workspace/data/loader.ts';
import { type Configuration, configurationFor } from '../workspace/settings/configuration.ts';
import { documentOnDisk } from './document-on-disk.ts';
import { CommandFailure } from './failure.ts';
import { loadBaseline, loadForCommand } from './load-chosen.ts';
import { type StoreOptions, settingsOf } from './place-options.ts';
import { openConfiguredStore } from './store-options.ts';

const SILENT: Output = { out: () => {}, err: () => {}, data: () => {} };

/** What the user gave at the start; an answer's own choice goes first. */
type DiskOptions = StoreOptions & { readonly root: string };

export class AnswersOnDisk implements AnswerContext {
  readonly reach = inlineReach;
  readonly #options: DiskOptions;
  readonly #loader = new Loader();
  readonly #stop = new AbortController();
  #index: SourceIndex | null = null;

  constructor(options: DiskOptions) {
    this.#options = options;
  }

  get settings() {
    return this.#configuration().settings;
  }

  data({ program, version, metric, threads, focus, path }: DataChoice): Promise<LoadedData> {
    const configuration = this.#configuration({
      ...(program != null && { program }),
      ...(version != null && { version }),
    });
    const selection = {
      ...(metric != null && { metric }),
      ...(threads != null && { threads }),
      ...(focus != null && { focus, tasks: configuration.settings.tasks }),
      ...(path != null && { path }),
      ...((focus ?? path) != null && { aspects: configuration.settings.aspects }),
    };
    return asked(() =>
      loadForCommand(SILENT, configuration, { path: null, selection }, async (wish, selected) => {
        const loaded = await this.#loader.load({ wish, selection: selected }, () => {}).result;
        return loaded ?? { value: null, problems: [] };
      }),
    );
  }

  baseline(data: LoadedData, version: string) {
    return asked(() => loadBaseline(SILENT, this.#configuration({ program: data.provenance.program }), data, version));
  }

  async document(path: string, data: LoadedData, edited?: string) {
    const { root } = this.#options;
    const whole = resolve(root, path);
    const text = edited ?? textOnDisk(whole);
    if (text === null || !/\.java$/i.test(whole))
      throw refused(`"${path}" is no Java file that can be read`, `give a path below ${root}`);
    return documentOnDisk(whole, text, data, this.#configuration());
  }

  async places(data: LoadedData, rows: readonly number[]): Promise<ReadonlyMap<number, AnswerPlace>> {
    this.#index ??= new SourceIndex({ roots: [this.#configuration().root], signal: this.#stop.signal });
    await this.#index.complete;
    const places = new Map<number, AnswerPlace>();
    const texts = new Map<string, ReturnType<typeof outlineOf> | null>();
    for (const row of rows) {
      const [file] = this.#index.filesOfClass(classNameOf(data.profile.methods, row));
      if (file === undefined) continue;
      const path = resolve(file.path);
      if (!texts.has(path)) {
        const text = textOnDisk(path);
        texts.set(path, text === null ? null : outlineOf(text, path));
      }
      const outline = texts.get(path);
      const place = outline == null ? null : declarationOf(outline, data, row);
      if (place !== null) places.set(row, { file: relative(this.#options.root, path), ...place });
    }
    return places;
  }

  executions() {
    return asked(async () => {
      const { project, store: location } = this.#configuration();
      const store = openConfiguredStore(this.#configuration());
      const { value: entries } = await store.list({ project });
      const { value: described } = await describeEntries(store, entries);
      const rows = executionRows(described, null).map(
        ({ program, version, instance, fromMillis, toMillis, snapshots }): StoredExecution => ({
          ...{ program, version, instance, snapshots },
          from: isoTime(fromMillis) ?? '',
          to: isoTime(toMillis) ?? '',
        }),
      );
      return { store: location, project, rows };
    });
  }

  close(): void {
    this.#stop.abort();
    this.#loader.close();
  }

  /** Read anew for each answer, as a user may have changed it. */
  #configuration(choice: StoreOptions = {}): Configuration {
    return configurationFor(this.#options.root, settingsOf({ ...this.#options, ...choice }));
  }
}

/** The methods of the class with this name; the first one, if overloads cannot be told apart. */
function declarationOf(outline: ReturnType<typeof outlineOf>, { profile: { methods } }: LoadedData, row: number) {
  const type = outline.declarations.find(({ binaryName }) => binaryName === classNameOf(methods, row));
  if (type === undefined) return null;
  const name = methodNameOf(methods, row);
  const own = outline.declarations.filter(
    each =>
      each.parent === type.row &&
      (name === '<init>'
        ? each.kind === 'constructor'
        : name === '<clinit>'
          ? each.kind === 'staticInitializer'
          : each.kind === 'method' && each.name === name),
  );
  const [found = type] = own;
  const offset = found.nameSpan.start;
  const after = outline.lineStarts.findIndex(start => start > offset);
  return { line: after < 0 ? outline.lineStarts.length : after, certain: own.length === 1 };
}

/** A command's failure is an answer's refusal. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandFailure) throw new AskFailed(error.problems);
    throw error;
  }
}
