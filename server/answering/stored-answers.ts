// The context of answers over a store: the editor and the disk differ only in their `Home`.

import { relative, resolve } from 'node:path';
import type { Outline } from '../../grammar/outline.ts';
import { outlineOf } from '../../grammar/parse.ts';
import { AskFailed, type Reach } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { isoTime } from '../base/moment-text.ts';
import { type AnswerContext, refused, type StoredExecution } from '../features/answers/answer.ts';
import type { AnswerPlace, DataChoice } from '../features/answers/vocabulary.ts';
import { executionRows } from '../features/executions.ts';
import { classNameOf, methodNameOf } from '../features/text/runtime-names.ts';
import type { Choice } from '../workspace/data/choice.ts';
import { baselineSource, type Source, sourceOf } from '../workspace/data/source.ts';
import { describedEntries } from '../workspace/data/store-contents.ts';
import { recordedDocument } from '../workspace/document/recorded-document.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { baselineFor, type Evidence } from './chosen-data.ts';

/** What answers are computed from. */
type Home = {
  readonly configuration: Configuration;
  /** Folder that paths of files are relative to. */
  readonly root: string;
  /** What the user looks at; parameters of an answer go first. */
  readonly choice: Choice;
  readonly reach: Reach;
  readonly evidence: Evidence;
  /** Rejects with `AskFailed`. @param metric the only one that will do. */
  load(source: Source, metric?: string): Promise<LoadedData>;
  /** The unsaved text of an open document, else that on disk; null for what cannot be read. */
  textOf(path: string): string | null;
  /** Path of the file that declares the class; null where there is none. */
  fileOf(className: string): Promise<string | null>;
};

export class StoredAnswers implements AnswerContext {
  readonly #home: Home;

  constructor(home: Home) {
    this.#home = home;
  }

  get settings() {
    return this.#home.configuration.settings;
  }

  get reach() {
    return this.#home.reach;
  }

  data(given: DataChoice): Promise<LoadedData> {
    const { configuration, choice, load } = this.#home;
    const { program, version, metric, threads, focus, path } = given;
    const chosen = Object.entries({ program, version, metric, threads, focus, path }).filter(
      ([, value]) => value != null,
    );
    return load(sourceOf(configuration, null, { ...choice, ...Object.fromEntries(chosen) }), metric ?? undefined);
  }

  async baseline(data: LoadedData, version: string) {
    const { configuration, evidence, load } = this.#home;
    const { wish } = sourceOf(configuration, null);
    const source = baselineSource({ wish, selection: data.selection }, data, { version });
    return baselineFor({ source, data, baseline: await load(source), named: `version ${version}`, evidence });
  }

  async document(path: string, data: LoadedData, edited?: string) {
    const { configuration, root, textOf } = this.#home;
    const whole = resolve(root, path);
    const text = /\.java$/i.test(whole) ? (edited ?? textOf(whole)) : null;
    if (text === null) throw refused(`"${path}" is no Java file that can be read`, `give a path below ${root}`);
    const source = sourceOf(configuration, whole);
    return recordedDocument(whole, text, data, { settings: configuration.settings, source });
  }

  async places(data: LoadedData, rows: readonly number[]): Promise<ReadonlyMap<number, AnswerPlace>> {
    const { root, fileOf, textOf } = this.#home;
    const places = new Map<number, AnswerPlace>();
    const outlines = new Map<string, Outline | null>();
    for (const row of rows) {
      const file = await fileOf(classNameOf(data.profile.methods, row));
      if (file === null) continue;
      const path = resolve(file);
      if (!outlines.has(path)) {
        const text = textOf(path);
        outlines.set(path, text === null ? null : outlineOf(text, path));
      }
      const outline = outlines.get(path) ?? null;
      const place = outline === null ? null : declarationOf(outline, data, row);
      if (place !== null) places.set(row, { file: relative(root, path), ...place });
    }
    return places;
  }

  async executions() {
    const { project, store } = this.#home.configuration;
    const { value: entries, problems } = await describedEntries({ store, project });
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (entries.length === 0 && errors.length > 0) throw new AskFailed(errors);
    const rows = executionRows(entries, null).map(
      ({ program, version, instance, fromMillis, toMillis, snapshots }): StoredExecution => ({
        ...{ program, version, instance, snapshots },
        from: isoTime(fromMillis) ?? '',
        to: isoTime(toMillis) ?? '',
      }),
    );
    return { store, project, rows };
  }
}

/** The methods of the class with this name; the first one, if overloads cannot be told apart. */
function declarationOf(outline: Outline, { profile: { methods } }: LoadedData, row: number) {
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
