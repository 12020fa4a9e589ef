// The only mutable state: open documents, folders, settings and loaded data. Changes go in by `apply`, features get a frozen view.
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { PartialSettings } from '../base/config.ts';
import type { Problem } from '../base/problem.ts';
import { type Configuration, configurationFor, processSurroundings, type Surroundings } from './configuration.ts';
import { type DocumentView, documentView, type SourceState } from './document-view.ts';
import { KeptMapping } from './kept-mapping.ts';
import { KeptOutline } from './kept-outline.ts';
import type { LoadedData } from './loaded-data.ts';
import { type ProfiledTextOf, textOnDisk } from './profiled-text.ts';
import { type Source, sourceKey, sourceOf } from './source.ts';
import { fileStamp, type WatchedPlace } from './store-watch.ts';

/** Everything that can happen to a workspace. `path` is null for documents that are no files of this machine. */
export type Change =
  | { readonly kind: 'foldersChanged'; readonly folders: readonly string[] }
  | { readonly kind: 'editorSettingsChanged'; readonly settings: PartialSettings }
  | { readonly kind: 'configurationFilesChanged' }
  | { readonly kind: 'documentChanged'; readonly uri: string; readonly path: string | null; readonly text: string }
  | { readonly kind: 'documentClosed'; readonly uri: string }
  | { readonly kind: 'loadStarted'; readonly source: Source }
  | {
      readonly kind: 'loadEnded';
      readonly source: Source;
      /** null when nothing could be loaded; what was loaded before is dropped then. */
      readonly data: LoadedData | null;
      readonly problems: readonly Problem[];
    }
  | { readonly kind: 'loadCancelled'; readonly source: Source };

/** A source that something open needs, with what is known about it. */
export type WantedSource = {
  readonly source: Source;
  readonly key: string;
  /** null when nobody has begun to load it. */
  readonly state: SourceState | null;
  /** insitu.json files that decide it, or would if they were there, with their stamps from before they were read. */
  readonly files: readonly WatchedPlace[];
};

/** The workspace at one moment. Later changes do not show in it. */
export type View = {
  readonly folders: readonly string[];
  /** Sources of all folders and open documents, each once, folders first. */
  readonly sources: readonly WantedSource[];
  /** Mistakes in insitu.json files. */
  readonly configurationProblems: readonly Problem[];
  document(uri: string): DocumentView | null;
};

type OpenDocument = {
  readonly uri: string;
  readonly path: string | null;
  readonly text: string;
  /** Passed on from one text of the document to the next. */
  readonly outline: KeptOutline;
  readonly mapping: KeptMapping;
};

const NOT_STARTED: SourceState = { kind: 'loading', data: null, problems: [] };

export class Workspace {
  #folders: readonly string[] = [];
  #editor: PartialSettings = {};
  readonly #overrides: PartialSettings;
  readonly #surroundings: Surroundings;
  readonly #profiledTextOf: ProfiledTextOf;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #states = new Map<string, SourceState>();
  readonly #configurations = new Map<string, Configuration>();
  /** insitu.json in each folder from which one was looked for and in those above, with their stamps from before that. */
  readonly #stamps = new Map<string, WatchedPlace>();
  /** Configuration of each folder that holds an open document. */
  readonly #homes = new Map<string, Configuration | null>();
  #view: View | null = null;

  /** @param overrides settings of the command line, stronger than the editor's. */
  constructor(
    overrides: PartialSettings = {},
    surroundings: Surroundings = processSurroundings(),
    profiledTextOf: ProfiledTextOf = textOnDisk,
  ) {
    this.#overrides = overrides;
    this.#surroundings = surroundings;
    this.#profiledTextOf = profiledTextOf;
  }

  apply(change: Change): void {
    this.#view = null;
    switch (change.kind) {
      case 'foldersChanged':
        this.#folders = [...change.folders];
        this.#homes.clear();
        return;
      case 'editorSettingsChanged':
        this.#editor = change.settings;
        this.#forgetConfigurations();
        return;
      case 'configurationFilesChanged':
        this.#forgetConfigurations();
        return;
      case 'documentChanged': {
        const { uri, path, text } = change;
        const { outline, mapping } = this.#documents.get(uri) ?? this.#opened(path);
        this.#documents.set(uri, { uri, path, text, outline, mapping });
        return;
      }
      case 'documentClosed':
        this.#documents.delete(change.uri);
        return;
      case 'loadStarted':
      case 'loadEnded':
      case 'loadCancelled':
        this.#setState(change);
    }
  }

  #opened(path: string | null): Pick<OpenDocument, 'outline' | 'mapping'> {
    const profiledText = path === null ? null : this.#profiledTextOf(path);
    return { outline: new KeptOutline(), mapping: new KeptMapping(profiledText) };
  }

  view(): View {
    this.#view ??= this.#freeze();
    return this.#view;
  }

  #setState(change: Extract<Change, { source: Source }>): void {
    const key = sourceKey(change.source);
    const before = this.#states.get(key) ?? null;
    if (change.kind === 'loadStarted')
      this.#states.set(key, { kind: 'loading', data: before?.data ?? null, problems: before?.problems ?? [] });
    else if (change.kind === 'loadEnded')
      this.#states.set(key, {
        kind: change.data === null ? 'none' : 'ready',
        data: change.data,
        problems: change.problems,
      });
    else {
      const problem: Problem = {
        severity: 'warning',
        message: 'reading was cancelled',
        file: change.source.store,
        remedy: 'the command insitu.refresh reads again',
      };
      this.#states.set(key, { kind: 'none', data: before?.data ?? null, problems: [problem] });
    }
  }

  #freeze(): View {
    const sources = new Map<string, { source: Source; files: Set<WatchedPlace> }>();
    const problems = new Set<Problem>();
    const want = (configuration: Configuration, folder: string, path: string | null): Source => {
      const source = sourceOf(configuration, path);
      const key = sourceKey(source);
      const wanted = sources.get(key) ?? { source, files: new Set() };
      sources.set(key, wanted);
      for (const file of this.#filesFor(folder, configuration)) wanted.files.add(file);
      for (const problem of configuration.problems) problems.add(problem);
      return wanted.source;
    };
    for (const folder of this.#folders) want(this.#configuration(folder), folder, null);
    const documents = new Map<
      string,
      { open: OpenDocument; configuration: Configuration | null; source: Source | null }
    >();
    for (const open of this.#documents.values()) {
      const configuration = this.#home(open.path);
      const source =
        configuration === null
          ? null
          : want(configuration, open.path === null ? configuration.root : dirname(open.path), open.path);
      documents.set(open.uri, { open, configuration, source });
    }
    for (const key of this.#states.keys()) if (!sources.has(key)) this.#states.delete(key);
    const states = new Map(this.#states);
    const views = new Map<string, DocumentView>();
    return {
      folders: this.#folders,
      sources: Array.from(sources, ([key, { source, files }]) => ({
        source,
        key,
        state: states.get(key) ?? null,
        files: [...files],
      })),
      configurationProblems: [...problems],
      document: uri => {
        const found = documents.get(uri);
        if (found === undefined) return null;
        const view = views.get(uri) ?? viewOf(found, states);
        views.set(uri, view);
        return view;
      },
    };
  }

  #forgetConfigurations(): void {
    this.#configurations.clear();
    this.#stamps.clear();
    this.#homes.clear();
  }

  /** Looked up once a folder: views are made at every keystroke. */
  #home(path: string | null): Configuration | null {
    const folder = path === null ? '' : dirname(path);
    let home = this.#homes.get(folder);
    if (home === undefined) {
      home = path === null ? this.#firstConfiguration() : this.#configurationIn(folder);
      this.#homes.set(folder, home);
    }
    return home;
  }

  /** Where an insitu.json decides what holds in `folder`: at every level up to the one that was found. */
  #filesFor(folder: string, { file }: Configuration): WatchedPlace[] {
    return levels(folder, file).map(level => this.#stamp(level));
  }

  #stamp(level: string): WatchedPlace {
    const path = join(level, 'insitu.json');
    const known = this.#stamps.get(path) ?? { path, stamp: fileStamp(path) };
    this.#stamps.set(path, known);
    return known;
  }

  #firstConfiguration(): Configuration | null {
    const [first] = this.#folders;
    return first === undefined ? null : this.#configuration(first);
  }

  /** A nested project's own inside a workspace folder, else the folder's; outside of all folders what holds in `folder`. */
  #configurationIn(folder: string): Configuration {
    const open = innermost(this.#folders, folder);
    const own = this.#configuration(folder);
    if (open === undefined) return own;
    const anchored = own.file !== null || existsSync(join(own.root, '.git'));
    return anchored && isInside(open, own.root) ? own : this.#configuration(open);
  }

  /** Reading insitu.json and looking for the git root is done once a folder, not once a keystroke. */
  #configuration(folder: string): Configuration {
    let configuration = this.#configurations.get(folder);
    if (configuration === undefined) {
      for (const level of levels(folder, null)) this.#stamp(level);
      configuration = configurationFor(folder, this.#overrides, this.#editor, this.#surroundings);
      this.#configurations.set(folder, configuration);
    }
    return configuration;
  }
}

/** `folder` and the folders above it, up to the one that holds `file` where one of them does. */
function levels(folder: string, file: string | null): string[] {
  const all = [folder];
  const last = file === null ? null : dirname(file);
  for (let level = folder; level !== last && dirname(level) !== level; level = all.at(-1)!) all.push(dirname(level));
  return all;
}

/** The longest of `folders` that is `path` or holds it. */
function innermost(folders: readonly string[], path: string): string | undefined {
  return folders
    .filter(folder => relative(folder, path) === '' || isInside(folder, path))
    .sort((a, b) => b.length - a.length)[0];
}

/** Whether `path` lies below `folder`; a folder is not inside itself. */
function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
}

function viewOf(
  found: { open: OpenDocument; configuration: Configuration | null; source: Source | null },
  states: ReadonlyMap<string, SourceState>,
): DocumentView {
  const { open, configuration, source } = found;
  const state = source === null ? {} : { state: states.get(sourceKey(source)) ?? NOT_STARTED };
  const settings = configuration === null ? {} : { settings: configuration.settings };
  const { uri, text, outline, mapping } = open;
  return documentView({ uri, text, outline, mapping, source, ...state, ...settings });
}
