// The context of answers over a store: the editor and the disk differ only in their `Home`.

import { relative, resolve } from 'node:path';
import type { Outline } from '../../grammar/outline.ts';
import { outlineOf } from '../../grammar/parse.ts';
import { AskFailed, type Reach } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { Span } from '../analysis/wish.ts';
import { MOMENT_FORMS, momentOf } from '../base/moment-text.ts';
import { printableName } from '../base/printable.ts';
import {
  type AnswerContext,
  type ComparedCode,
  type ExecutionsWish,
  type RecordedFile,
  refused,
} from '../features/answers/answer.ts';
import type { AnswerPlace, DataChoice } from '../features/answers/vocabulary.ts';
import { executionRows } from '../features/executions.ts';
import type { Baseline } from '../features/facts/compare.ts';
import { classNameOf, methodNameOf } from '../features/text/runtime-names.ts';
import { OpenRepositories } from '../mapping/recorded/open-repositories.ts';
import { changedByCommits, commitThatChanged, methodSources } from '../workspace/code/method-sources.ts';
import type { Choice } from '../workspace/data/choice.ts';
import { baselineSource, type Source, sourceOf } from '../workspace/data/source.ts';
import { describedEntries } from '../workspace/data/store-contents.ts';
import { recordedDocument } from '../workspace/document/recorded-document.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { baselineFor } from './chosen-data.ts';

/** What answers are computed from. */
export type AnswersHome = {
  readonly configuration: Configuration;
  /** Folder that paths of files are relative to. */
  readonly root: string;
  /** What the user looks at; parameters of an answer go first. */
  readonly choice: Choice;
  readonly reach: Reach;
  /** Data that are at hand, or parts of them, in place of what the store has. Rejects with `AskFailed`. */
  readonly shown?: (source: Source, given: DataChoice) => Promise<LoadedData>;
  /** What they are compared with, in place of a version of the store. */
  readonly compared?: Baseline;
  /** False: no place is looked for. */
  readonly wantsPlaces?: boolean;
  /** Rejects with `AskFailed`. @param metric the only one that will do. */
  load(source: Source, metric?: string): Promise<LoadedData>;
  /** The unsaved text of an open document, else that on disk; null for what cannot be read. */
  textOf(path: string): string | null;
  /** Path of the file that declares the class; null where there is none. */
  fileOf(className: string): Promise<string | null>;
  /** The only top-level type of the sources with this simple name; null where there is none, or several. */
  typeCalled(name: string): Promise<string | null>;
};

export class StoredAnswers implements AnswerContext {
  readonly #home: AnswersHome;

  constructor(home: AnswersHome) {
    this.#home = home;
  }

  get settings() {
    return this.#home.configuration.settings;
  }

  get reach() {
    return this.#home.reach;
  }

  data(given: DataChoice): Promise<LoadedData> {
    const { configuration, choice, load, shown } = this.#home;
    const { program, version, metric, threads, focus, path } = given;
    const span = spanOf(given);
    const chosen = Object.entries({ program, version, metric, threads, focus, path, span }).filter(
      ([, value]) => value != null,
    );
    const source = sourceOf(configuration, null, { ...choice, ...Object.fromEntries(chosen) });
    return shown === undefined ? load(source, metric ?? undefined) : shown(source, given);
  }

  async baseline(data: LoadedData, version: string, file?: RecordedFile) {
    const { configuration, compared, load, reach } = this.#home;
    if (compared !== undefined) return compared;
    const { wish } = sourceOf(configuration, null);
    const source = baselineSource({ wish, selection: data.selection }, data, { version });
    const baseline = await load(source);
    return baselineFor({ source, data, baseline, named: `version ${version}`, ask: reach.ask, file });
  }

  async withCodeOf<T>(data: LoadedData, baseline: LoadedData, work: (code: ComparedCode | null) => Promise<T>) {
    const repositories = new OpenRepositories();
    try {
      const source = sourceOf(this.#home.configuration, null);
      const sources = await methodSources(repositories, source, data, baseline);
      if (sources === null) return await work(null);
      const { ofMethod, commits } = sources;
      return await work({ ofMethod, commitOf: method => commitThatChanged(repositories, source, commits, method) });
    } finally {
      repositories.close();
    }
  }

  async changedBy(commits: readonly [before: string, now: string], data: LoadedData) {
    const repositories = new OpenRepositories();
    try {
      const source = sourceOf(this.#home.configuration, null);
      const { value, problems } = await changedByCommits(repositories, source, commits, data);
      if (value === null) throw new AskFailed(problems);
      return value;
    } finally {
      repositories.close();
    }
  }

  async document(path: string, data: LoadedData, edited?: string) {
    const { configuration, root, textOf } = this.#home;
    const whole = resolve(root, path);
    const text = /\.java$/i.test(whole) ? (edited ?? textOf(whole)) : null;
    if (text === null) throw refused(`"${path}" is no Java file that can be read`, `give a path below ${root}`);
    const source = sourceOf(configuration, whole);
    const document = await recordedDocument(whole, text, data, { settings: configuration.settings, source });
    return { path: whole, document };
  }

  async fileOf(className: string): Promise<string | null> {
    const file = await this.#home.fileOf(className);
    return file === null ? null : resolve(file);
  }

  typeCalled(name: string): Promise<string | null> {
    return this.#home.typeCalled(name);
  }

  async places(data: LoadedData, rows: readonly number[]): Promise<ReadonlyMap<number, AnswerPlace>> {
    const { root, fileOf, textOf, wantsPlaces = true } = this.#home;
    const places = new Map<number, AnswerPlace>();
    if (!wantsPlaces) return places;
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

  async executions({ all, ...wish }: ExecutionsWish) {
    const { project, store } = this.#home.configuration;
    const { value: entries, problems } = await describedEntries({ store, ...(!all && { project }), ...wish });
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (entries.length === 0 && errors.length > 0) throw new AskFailed(errors);
    return { store, project, rows: executionRows(entries, null), problems };
  }
}

function spanOf({ from, to }: DataChoice): Span | undefined {
  const [fromMillis, toMillis] = [from, to].map(text => {
    const millis = text == null ? undefined : momentOf(text);
    if (millis === null) throw refused(`"${printableName(text!)}" is no time`, `write ${MOMENT_FORMS}`);
    return millis;
  });
  if (fromMillis !== undefined && toMillis !== undefined && fromMillis >= toMillis)
    throw refused('"from" is not before "to"', 'exchange them');
  if (fromMillis === undefined && toMillis === undefined) return undefined;
  return { ...(fromMillis !== undefined && { fromMillis }), ...(toMillis !== undefined && { toMillis }) };
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
