// The context of answers over a store: the editor and the disk differ only in their `Home`.

import { relative, resolve } from 'node:path';
import type { Outline } from '../../grammar/outline.ts';
import { outlineOf } from '../../grammar/parse.ts';
import { AskFailed, gatherBy, type Reach } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { SettingKey } from '../base/config.ts';
import { present } from '../base/present.ts';
import {
  type AnswerContext,
  type ComparedCode,
  type ExecutionsWish,
  type Reader,
  type RecordedFile,
  refused,
} from '../features/answers/answer.ts';
import { executionRows } from '../features/executions.ts';
import { documentNeeds, openNeed } from '../features/needs.ts';
import { classNameOf } from '../features/text/runtime-names.ts';
import type { DocumentMap, MappedDeclaration } from '../mapping/document-map.ts';
import { mapDocument } from '../mapping/map-document.ts';
import { lineOf } from '../mapping/observed-lines.ts';
import { OpenRepositories } from '../mapping/recorded/open-repositories.ts';
import { indexText, type TextIndex } from '../mapping/text-index.ts';
import type { Execution } from '../model/execution.ts';
import type { GivenLook, Look } from '../model/look.ts';
import { LOOK } from '../model/look-schema.ts';
import type { Place } from '../model/terms.ts';
import { type CommittedChanges, changedByCommits } from '../workspace/code/committed-changes.ts';
import { textsOf } from '../workspace/code/method-sources.ts';
import { type BaselineChoice, type Choice, describeBaseline } from '../workspace/data/choice.ts';
import { baselineSource, type Source, sourceOf } from '../workspace/data/source.ts';
import { describedEntries } from '../workspace/data/store-contents.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { linesFit } from '../workspace/document/fit-to-text.ts';
import { recordedDocument } from '../workspace/document/recorded-document.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { baselineFor } from './chosen-data.ts';
import { withComparedCode } from './compared-code.ts';
import type { SessionRecordings } from './session-recordings.ts';

/** The home that answers are computed from. */
export type AnswersHome = {
  readonly configuration: Configuration;
  /** Folder that paths of files are relative to. */
  readonly root: string;
  /** The user's look; parameters of an answer go first. */
  readonly choice: Choice;
  readonly reach: Reach;
  /** Data that are at hand, or parts of them, in place of what the store has. Rejects with `AskFailed`. */
  readonly shown?: (source: Source, given: GivenLook) => Promise<LoadedData>;
  readonly reader?: Reader;
  /** Recordings that were read for this session alone: their labels go before versions of the store. */
  readonly session?: SessionRecordings;
  /** The data of an answer that chooses none. */
  readonly usual?: LoadedData;
  /** Path of the file that the answers are about: where it lies may decide about the program. */
  readonly about?: string | null;
  /** The baseline of an answer that names none. */
  readonly baseline?: BaselineChoice | null;
  /** The same where it is at hand for these data; null where it is not. */
  readonly compared?: (data: LoadedData) => Baseline | null | Promise<Baseline | null>;
  /** The view of a document, by its path or address, that is shown with these data; null for others. */
  readonly viewed?: (path: string, data: LoadedData) => DocumentView | null;
  /** Places of methods, in place of a search through the sources. */
  readonly places?: AnswerContext['places'];
  /** Rejects with `AskFailed`. @param metric the only one that will do. */
  load(source: Source, metric?: string): Promise<LoadedData>;
  /** Whether answers may be about a file: it lies within the project's folders, is open, or the user named it at the command line. */
  mayRead(path: string): boolean;
  /** The unsaved text of an open document, else that on disk; null for what cannot be read. */
  textOf(path: string): string | null;
  /** Path of the file that declares the class; null where there is none. */
  fileOf(className: string): Promise<string | null>;
  /** Paths of all files that declare a top-level class and are called after it. */
  filesOf(className: string): Promise<readonly string[]>;
  /** The only top-level type of the sources with this simple name; null where there is none, or several. */
  typeCalled(name: string): Promise<string | null>;
};

const LOOK_FIELDS = Object.keys(LOOK) as readonly (keyof Look)[];

export class StoredAnswers implements AnswerContext {
  readonly #home: AnswersHome;

  constructor(home: AnswersHome) {
    this.#home = home;
  }

  get settings() {
    return this.#home.configuration.settings;
  }

  fileOfSetting(key: SettingKey): string | null {
    const { file, fromFile } = this.#home.configuration;
    return fromFile.has(key) ? file : null;
  }

  get reach() {
    return this.#home.reach;
  }

  get reader() {
    return this.#home.reader ?? 'command line';
  }

  async data(given: GivenLook): Promise<LoadedData> {
    const { configuration, about = null, usual, choice, shown } = this.#home;
    const chosen = LOOK_FIELDS.filter(name => given[name] != null);
    if (usual !== undefined && chosen.length === 0) return usual;
    const { baseline: _baseline, from, to, ...others } = choice;
    // A span is one choice: an end that is given takes the place of both.
    const before = chosen.some(name => name === 'from' || name === 'to')
      ? others
      : { ...others, ...present({ from, to }) };
    const both = { ...before, ...Object.fromEntries(chosen.map(name => [name, given[name]])) };
    // An empty list or text takes the choice back.
    const look: Look = Object.fromEntries(Object.entries(both).filter(([, value]) => !isEmpty(value)));
    const source = sourceOf(configuration, about, look);
    return shown === undefined ? this.#load(source, given.metric ?? undefined) : shown(source, given);
  }

  async baseline(data: LoadedData, version: string | null, file?: RecordedFile) {
    const { configuration, about = null, baseline: usual = null, compared, reach } = this.#home;
    const shown = version === null ? ((await compared?.(data)) ?? null) : null;
    const chosen = version === null ? usual : { version };
    if (shown !== null || chosen === null) return shown;
    const { wish } = sourceOf(configuration, about);
    const source = baselineSource({ wish, selection: data.selection }, data, chosen);
    const baseline = await this.#load(source);
    return baselineFor({ source, data, baseline, named: describeBaseline(chosen), ask: reach.ask, file });
  }

  #load(source: Source, metric?: string): Promise<LoadedData> {
    const { load, session } = this.#home;
    return load(session?.sourceOf(source) ?? source, metric);
  }

  withCodeOf<T>(data: LoadedData, baseline: LoadedData, work: (code: ComparedCode | null) => Promise<T>) {
    return withComparedCode(sourceOf(this.#home.configuration, null), data, baseline, work);
  }

  async withChangesOf<T>(
    commits: readonly [before: string, now: string],
    data: LoadedData,
    work: (changes: CommittedChanges) => Promise<T>,
  ) {
    const repositories = new OpenRepositories();
    try {
      const texts = await textsOf(repositories, sourceOf(this.#home.configuration, null));
      const { value, problems } = await changedByCommits(texts, commits, data);
      if (value === null) throw new AskFailed(problems);
      return await work(value);
    } finally {
      repositories.close();
    }
  }

  async document(path: string, data: LoadedData, edited?: string) {
    const { configuration, root, mayRead, textOf, viewed } = this.#home;
    const whole = resolve(root, path);
    const view = edited === undefined ? (viewed?.(path, data) ?? null) : null;
    if (view !== null) return { path: whole, document: await this.#gathered(view) };
    if (!mayRead(whole)) throw refused(`"${path}" leads out of the project`, `give a path below ${root}`);
    const text = /\.java$/i.test(whole) ? (edited ?? textOf(whole)) : null;
    if (text === null) throw refused(`"${path}" is no Java file that can be read`, `give a path below ${root}`);
    const source = sourceOf(configuration, whole);
    const document = await recordedDocument(whole, text, data, { settings: configuration.settings, source });
    return { path: whole, document: await this.#gathered(document) };
  }

  /** Numbers that take a walk over a tree are asked for before features read them. */
  async #gathered(document: DocumentView): Promise<DocumentView> {
    const needs = documentNeeds(document).flatMap(need => openNeed(need) ?? []);
    for (const need of needs) await gatherBy(this.#home.reach.ask, need);
    return document;
  }

  async fileOf(className: string): Promise<string | null> {
    const file = await this.#home.fileOf(className);
    return file === null ? null : resolve(file);
  }

  filesOf(className: string): Promise<readonly string[]> {
    return this.#home.filesOf(className);
  }

  typeCalled(name: string): Promise<string | null> {
    return this.#home.typeCalled(name);
  }

  async places(data: LoadedData, rows: readonly number[]): Promise<ReadonlyMap<number, Place>> {
    const { root, fileOf, textOf, places: known } = this.#home;
    if (known !== undefined) return known(data, rows);
    const places = new Map<number, Place>();
    const maps = new Map<string, MappedFile | null>();
    for (const row of rows) {
      const file = await fileOf(classNameOf(data.profile.methods, row));
      if (file === null) continue;
      const path = resolve(file);
      if (!maps.has(path)) {
        const text = textOf(path);
        maps.set(path, text === null ? null : mappedFile(outlineOf(text, path), data));
      }
      const map = maps.get(path) ?? null;
      const place = map === null ? null : declarationOf(map, data, row);
      if (place !== null) places.set(row, { file: relative(root, path), ...place });
    }
    return places;
  }

  async executions({ all, instances, ...wish }: ExecutionsWish) {
    const {
      configuration: { project, store },
      session,
    } = this.#home;
    const filter = { ...(!all && { project }), ...wish };
    const { value: stored, problems } = await describedEntries({ store, ...filter });
    const own = session?.store == null ? [] : (await describedEntries({ store: session.store, ...filter })).value;
    const isHidden = ({ program, version }: Execution) => session?.has(program, version) === true;
    const entries = [...own, ...stored.filter(({ entry }) => !isHidden(entry.execution))];
    const wanted = entries.filter(({ entry }) => !instances?.length || instances.includes(entry.execution.instance));
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (wanted.length === 0 && errors.length > 0) throw new AskFailed(errors);
    return { store, project, rows: executionRows(wanted, null), problems };
  }
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

type MappedFile = { readonly map: DocumentMap; readonly lines: TextIndex };

function mappedFile(outline: Outline, { classes }: LoadedData): MappedFile {
  return { map: mapDocument(outline, classes), lines: indexText(outline) };
}

/** The declaration of a method as hints place it; that of its class where the text has no such method. */
function declarationOf({ map, lines }: MappedFile, { classes, profile: { methods } }: LoadedData, row: number) {
  const { outline } = map;
  const shared = ({ methods: rows, onlyLines }: MappedDeclaration) => onlyLines === undefined && rows.includes(row);
  const at = map.declarationOfMethod.get(row);
  const entry = map.declarations.find(each => (at === undefined ? shared(each) : each.declaration === at));
  const type = outline.declarations.find(({ binaryName }) => binaryName === classNameOf(methods, row));
  const declaration = entry === undefined ? type : outline.declarations[entry.declaration];
  if (declaration === undefined) return null;
  const offset = declaration.nameSpan.start;
  const line = lineOf(outline, offset);
  const certain = entry !== undefined && entry.confidence !== 'ambiguous' && linesFit(lines, classes, entry);
  return { line, column: offset - outline.lineStarts[line - 1]! + 1, certain };
}
