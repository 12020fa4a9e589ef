// The only mutable state: open documents, folders, settings and loaded data. Changes go in by `apply`, features get a frozen view.
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { Missing } from '../analysis/load-merged.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { PartialSettings } from '../base/config.ts';
import type { Problem } from '../base/problem.ts';
import { documentKey } from '../mapping/file-uris.ts';
import { openedText, type ProfiledText, type TextOf, textOnDisk } from './code/profiled-text.ts';
import { type Choice, NO_CHOICE } from './data/choice.ts';
import type { Source } from './data/source.ts';
import { fileStamp, type WatchedPlace } from './data/store-watch.ts';
import { type Load, type Place, type SourcesView, type WantedSource, WantedSources } from './data/wanted-sources.ts';
import { type DocumentView, documentView } from './document/document-view.ts';
import { KeptMapping } from './document/kept-mapping.ts';
import { KeptOutline } from './document/kept-outline.ts';
import { SourceFiles } from './files/source-files.ts';
import {
  type Configuration,
  cacheFolder,
  configurationFor,
  processSurroundings,
  type Surroundings,
} from './settings/configuration.ts';

export type { WantedSource } from './data/wanted-sources.ts';

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
      /** What the source names and the store does not hold: where it was chosen, the settings decide again. */
      readonly missing?: readonly Missing[];
    }
  | { readonly kind: 'loadCancelled'; readonly source: Source }
  /** The recorded text of a file has come to be known, or is known to be unknown. */
  | { readonly kind: 'profiledTextKnown'; readonly path: string; readonly profiled: ProfiledText }
  /** Which methods of the baseline the shown ones have been is better known than before. */
  | { readonly kind: 'methodsFollowed' }
  /** Replaces what was chosen for the project of the document, or of the first folder when `uri` is null. */
  | { readonly kind: 'choiceChanged'; readonly uri: string | null; readonly choice: Choice };

/** The workspace at one moment. Later changes do not show in it. */
export type View = {
  readonly folders: readonly string[];
  /** Sources of all folders and open documents, each once, folders first. */
  readonly sources: readonly WantedSource[];
  /** Everything that is to be loaded: those sources, and what they are compared with. */
  readonly loads: readonly Load[];
  /** What was chosen for the project of the document, or of the first folder when `uri` is null. */
  choice(uri: string | null): Choice;
  /** What holds for the document, or for the first folder when `uri` is null; null where nothing is open. */
  configuration(uri: string | null): Configuration | null;
  /** Mistakes in insitu.json files. */
  readonly configurationProblems: readonly Problem[];
  /** Open files of this machine. */
  readonly openFiles: readonly OpenFile[];
  document(uri: string): DocumentView | null;
};

export type OpenFile = {
  readonly uri: string;
  readonly path: string;
  readonly text: string;
  readonly mapping: KeptMapping;
  readonly outline: KeptOutline;
};

type OpenDocument = {
  readonly uri: string;
  readonly path: string | null;
  readonly text: string;
  /** Passed on from one text of the document to the next. */
  readonly outline: KeptOutline;
  readonly mapping: KeptMapping;
};

export class Workspace {
  /** Where classes are written; nothing is read before its `begin`. */
  readonly files: SourceFiles;
  #folders: readonly string[] = [];
  #editor: PartialSettings = {};
  readonly #overrides: PartialSettings;
  readonly #surroundings: Surroundings;
  readonly #textOf: TextOf;
  /** What is known of the profiled texts of files, open or not. */
  readonly #profiled = new Map<string, ProfiledText>();
  /** By `documentKey`. */
  readonly #documents = new Map<string, OpenDocument>();
  readonly #sources = new WantedSources();
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
    textOf: TextOf = textOnDisk,
  ) {
    this.#overrides = overrides;
    this.#surroundings = surroundings;
    this.#textOf = textOf;
    this.files = new SourceFiles({
      home: surroundings.home,
      cacheFolder: cacheFolder(surroundings),
      openFiles: () => this.#documents.values(),
      mappingOf: path => this.#opened(path).mapping,
    });
  }

  apply(change: Change): void {
    this.#view = null;
    switch (change.kind) {
      case 'foldersChanged':
        this.#folders = [...change.folders];
        this.#homes.clear();
        this.#indexProjects();
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
        const key = documentKey(uri);
        const { outline, mapping } = this.#documents.get(key) ?? this.#opened(path, uri);
        const isNew = !this.#documents.has(key);
        this.#documents.set(key, { uri, path, text, outline, mapping });
        if (isNew) this.#indexProjects();
        return;
      }
      case 'documentClosed': {
        const key = documentKey(change.uri);
        const path = this.#documents.get(key)?.path ?? null;
        this.#documents.delete(key);
        // What stands for it is the text on disk when it is opened again.
        if (path !== null) this.#profiled.delete(path);
        return;
      }
      case 'loadStarted':
      case 'loadEnded':
      case 'loadCancelled':
        this.#sources.apply(change);
        return;
      case 'profiledTextKnown':
        this.#know(change.path, change.profiled);
        return;
      case 'choiceChanged': {
        const configuration = this.#configurationOf(change.uri);
        if (configuration !== null) this.#sources.choose(configuration, change.choice);
      }
    }
  }

  #opened(path: string | null, uri = ''): Pick<OpenDocument, 'outline' | 'mapping'> {
    const known = path === null ? undefined : this.#profiled.get(path);
    const profiled = known ?? openedText(path === null ? null : this.#textOf(path));
    return {
      outline: new KeptOutline(path ?? uri),
      mapping: new KeptMapping(profiled),
    };
  }

  #know(path: string, profiled: ProfiledText): void {
    this.#profiled.set(path, profiled);
    for (const [key, open] of this.#documents)
      if (open.path === path) this.#documents.set(key, { ...open, mapping: open.mapping.knowing(profiled) });
  }

  /** Folders that are open, and the projects of documents outside of them; a lone file's folder may be anybody's home. */
  #indexProjects(): void {
    const projects = Array.from(this.#documents.values(), ({ path }) => (path === null ? null : this.#home(path)));
    const anchored = projects.filter(project => project !== null && (project.file ?? project.repository) !== null);
    this.files.setRoots([...this.#folders, ...anchored.flatMap(project => project?.root ?? [])]);
  }

  view(): View {
    this.#view ??= this.#freeze();
    return this.#view;
  }

  /** That of an open document, else of the first folder, else of the document that was opened first. */
  #configurationOf(uri: string | null): Configuration | null {
    const open = uri === null ? undefined : this.#documents.get(documentKey(uri));
    if (open !== undefined) return this.#home(open.path);
    const [first] = this.#documents.values();
    return this.#firstConfiguration() ?? (first === undefined ? null : this.#home(first.path));
  }

  #freeze(): View {
    const places: Place[] = this.#folders.map(folder => {
      const configuration = this.#configuration(folder);
      return { name: `folder ${folder}`, configuration, path: null, files: this.#filesFor(folder, configuration) };
    });
    const documents = new Map<string, { open: OpenDocument; configuration: Configuration | null }>();
    for (const open of this.#documents.values()) {
      const configuration = this.#home(open.path);
      documents.set(documentKey(open.uri), { open, configuration });
      if (configuration === null) continue;
      const folder = open.path === null ? configuration.root : dirname(open.path);
      const files = this.#filesFor(folder, configuration);
      places.push({ name: open.uri, configuration, path: open.path, files });
    }
    const sources = this.#sources.view(places);
    const views = new Map<string, DocumentView>();
    const choices = new Map(Array.from(documents, ([key, { open }]) => [key, this.#choiceOf(open.uri)]));
    const first = this.#choiceOf(null);
    const firstConfiguration = this.#configurationOf(null);
    return {
      folders: this.#folders,
      sources: sources.sources,
      loads: sources.loads,
      choice: uri => (uri === null ? first : (choices.get(documentKey(uri)) ?? first)),
      configuration: uri =>
        uri === null ? firstConfiguration : (documents.get(documentKey(uri))?.configuration ?? firstConfiguration),
      configurationProblems: [...new Set(places.flatMap(({ configuration }) => configuration.problems))],
      openFiles: Array.from(this.#documents.values()).flatMap(each => {
        const { uri, path, text, mapping, outline } = each;
        return path === null ? [] : [{ uri, path, text, mapping, outline }];
      }),
      document: uri => {
        const key = documentKey(uri);
        const found = documents.get(key);
        if (found === undefined) return null;
        const view = views.get(key) ?? viewOf(found, sources, this.files);
        views.set(key, view);
        return view;
      },
    };
  }

  #choiceOf(uri: string | null): Choice {
    const configuration = this.#configurationOf(uri);
    return configuration === null ? NO_CHOICE : this.#sources.choiceOf(configuration);
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
  { open, configuration }: { open: OpenDocument; configuration: Configuration | null },
  sources: SourcesView,
  files: SourceFiles,
): DocumentView {
  const settings = configuration === null ? {} : { settings: configuration.settings };
  const { uri, text, outline, mapping } = open;
  return documentView({ uri, text, outline, mapping, files, ...settings, ...sources.at(uri) });
}
