// The only mutable state: open documents, folders, settings and loaded data. Changes go in by `apply`, features get a frozen view.
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { PartialSettings } from '../base/config.ts';
import { fileStamp, type WatchedPlace } from '../base/file-stamp.ts';
import { documentKey } from '../mapping/file-uris.ts';
import {
  asOnScreen,
  openedText,
  type ProfiledText,
  type TextOf,
  textOnDisk,
} from '../mapping/recorded/profiled-text.ts';
import { choiceKey } from './data/choice.ts';
import { type Place, WantedSources } from './data/wanted-sources.ts';
import { KeptMapping } from './document/kept-mapping.ts';
import { KeptOutline } from './document/kept-outline.ts';
import { OpenDocumentsNow } from './document/open-documents.ts';
import { tooLarge } from './files/size-limit.ts';
import { SourceFiles } from './files/source-files.ts';
import { type Configuration, configurationFor, configuringFolders } from './settings/configuration.ts';
import { cacheFolder, processSurroundings, type Surroundings } from './settings/settings-context.ts';
import { FrozenView, folderOf, type OpenDocument, openDocument, placeName, type Shown, type View } from './view.ts';
import type { Change } from './workspace-change.ts';

export type { OpenFile, View } from './view.ts';

export class Workspace {
  /** Where classes are written; nothing is read before its `begin`. */
  readonly files: SourceFiles;
  #folders: readonly string[] = [];
  #editor: PartialSettings = {};
  readonly #overrides: PartialSettings;
  readonly #surroundings: Surroundings;
  readonly #textOf: TextOf;
  /** The known facts about the profiled texts of files, open or not. */
  readonly #profiled = new Map<string, ProfiledText>();
  #documents = new OpenDocumentsNow<OpenDocument>();
  readonly #sources = new WantedSources();
  readonly #configurations = new Map<string, Configuration>();
  /** insitu.json in each folder from which one was looked for and in the folders above, with their stamps from before that. */
  #stamps = new Map<string, WatchedPlace>();
  /** Configuration of each folder that holds an open document. */
  #homes = new Map<string, Configuration | null>();
  /** Stays while texts change, and while documents are opened beside others. */
  #shown: Shown | null = null;
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
      openFiles: () => Array.from(this.#documents.values(), ({ file }) => file),
      mappingOf: path => this.#opened(path).mapping,
    });
  }

  apply(change: Change): void {
    this.#view = null;
    switch (change.kind) {
      case 'documentChanged':
      case 'documentClosed':
      case 'profiledTextKnown':
        this.#applyToDocuments(change);
        return;
    }
    this.#shown = null;
    switch (change.kind) {
      case 'foldersChanged':
        this.#folders = [...change.folders];
        this.#homes = new Map();
        this.#indexProjects();
        return;
      case 'editorSettingsChanged':
        this.#editor = change.settings;
        this.#forgetConfigurations();
        return;
      case 'configurationFilesChanged':
        this.#forgetConfigurations();
        return;
      case 'filesIndexed':
        return;
      case 'choiceChanged': {
        const configuration = this.#configurationOf(change.uri);
        if (configuration !== null) this.#sources.choose(configuration, change.choice);
        return;
      }
      case 'methodsPaired':
        this.#sources.pair(change.pairing);
        return;
      default:
        this.#sources.apply(change);
    }
  }

  #applyToDocuments(
    change: Extract<Change, { kind: 'documentChanged' | 'documentClosed' | 'profiledTextKnown' }>,
  ): void {
    if (change.kind === 'profiledTextKnown') {
      this.#know(change.uri, change.profiled);
      return;
    }
    const key = documentKey(change.uri);
    const before = this.#documents.get(key);
    if (change.kind === 'documentChanged') {
      this.#documents = this.#documents.with(key, this.#changed(change, before));
      this.#place(change.path);
      return;
    }
    this.#documents = this.#documents.with(key, null);
    this.#shown = null;
    if (before === undefined) return;
    this.#forgetProfiled(before.path);
  }

  /** A text that is too large is left out, with all that was known of earlier ones. */
  #changed(
    { uri, path, text }: Extract<Change, { kind: 'documentChanged' }>,
    before: OpenDocument | undefined,
  ): OpenDocument {
    const problem = tooLarge(text, path ?? uri);
    if (problem !== null || typeof text !== 'string') {
      this.#forgetProfiled(path);
      const nothing = { uri, path, text: '', outline: new KeptOutline(), mapping: new KeptMapping() };
      return openDocument(nothing, problem);
    }
    const { outline, mapping } = before?.problem === null ? before : this.#opened(path, { uri, text });
    return openDocument({ uri, path, text, outline, mapping });
  }

  /** When the file is opened again, the text on disk is its profiled text. */
  #forgetProfiled(path: string | null): void {
    if (path !== null) this.#profiled.delete(path);
  }

  /** A document beside others is shown with what they are. */
  #place(path: string | null): void {
    const configuration = this.#home(path);
    if (configuration === null || this.#shown?.places.has(placeName(path, configuration)) === true) return;
    this.#shown = null;
    this.#indexProjects();
  }

  #opened(path: string | null, screen?: { readonly uri: string; readonly text: string }) {
    const known = path === null ? undefined : this.#profiled.get(path);
    const text = known !== undefined || path === null ? null : this.#textOf(path);
    const opened = text === null || screen === undefined ? text : asOnScreen(screen.text, text);
    const profiled = known ?? openedText(opened);
    return {
      outline: new KeptOutline(path ?? screen?.uri ?? ''),
      mapping: new KeptMapping(profiled),
    };
  }

  /** Of a document that is too large nothing is looked into. Makes no view, which changes that come in a row could not share. */
  stateOf(uri: string): 'closed' | 'open' | 'tooLarge' {
    const open = this.#documents.get(documentKey(uri));
    if (open === undefined) return 'closed';
    return open.problem === null ? 'open' : 'tooLarge';
  }

  /**
   * Parses an open document in small steps, with what is typed or becomes known of its profiled text meanwhile, and where there are data
   * does what comparing it costs.
   */
  *prepare(uri: string): Generator<void, void, void> {
    const key = documentKey(uri);
    let prepared: OpenDocument | null = null;
    for (;;) {
      const open = this.#documents.get(key);
      if (open === undefined || open === prepared) return;
      prepared = open;
      yield* open.outline.prepare(open.text);
      const data = this.view().document(uri)?.state.data ?? null;
      if (data !== null) yield* open.mapping.prepare(open.text, open.outline.of(open.text), data.classes);
    }
  }

  #know(uri: string, profiled: ProfiledText): void {
    const key = documentKey(uri);
    const open = this.#documents.get(key);
    if (open === undefined || open.problem !== null || open.path === null) return;
    this.#profiled.set(open.path, profiled);
    const mapping = open.mapping.knowing(profiled);
    this.#documents = this.#documents.with(key, openDocument({ ...open.file.parts, mapping }));
  }

  /** Folders that are open, and the projects of documents outside of them; a lone file's folder may be a home directory. */
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
    this.#shown ??= this.#show();
    return new FrozenView(this.#folders, this.#documents, this.#shown, this.files);
  }

  #show(): Shown {
    const places = new Map<string, Place>();
    const add = (configuration: Configuration, path: string | null) => {
      const name = placeName(path, configuration);
      if (!places.has(name)) places.set(name, { name, configuration, path });
    };
    for (const folder of this.#folders) add(this.#configuration(folder), null);
    for (const { path } of this.#documents.values()) {
      const configuration = this.#home(path);
      if (configuration !== null) add(configuration, path);
    }
    const sources = this.#sources.view([...places.values()]);
    const first = this.#configurationOf(null);
    const all = new Map<string, Configuration>(first === null ? [] : [[choiceKey(first), first]]);
    for (const { configuration } of places.values())
      if (!all.has(choiceKey(configuration))) all.set(choiceKey(configuration), configuration);
    const choices = new Map(Array.from(all, ([key, each]) => [key, this.#sources.choiceOf(each)]));
    const configurations = [...all.values()];
    const configurationFiles = this.#stamps;
    return {
      places,
      sources,
      configurations,
      configurationFiles,
      homes: this.#homes,
      choices,
      first,
      views: new Map(),
    };
  }

  #forgetConfigurations(): void {
    this.#configurations.clear();
    this.#stamps = new Map();
    this.#homes = new Map();
  }

  /** Looked up once a folder: views are made at every keystroke. */
  #home(path: string | null): Configuration | null {
    const folder = folderOf(path);
    let home = this.#homes.get(folder);
    if (home === undefined) {
      home = path === null ? this.#firstConfiguration() : this.#configurationIn(folder);
      this.#homes.set(folder, home);
    }
    return home;
  }

  /** Of each level up to the one whose insitu.json decides; before any of them is read. */
  #stamp(folder: string): void {
    for (const level of configuringFolders(folder)) {
      const path = join(level, 'insitu.json');
      const stamp = this.#stamps.get(path)?.stamp ?? fileStamp(path);
      this.#stamps.set(path, { path, stamp });
      if (stamp !== '') return;
    }
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
      this.#stamp(folder);
      configuration = configurationFor(folder, this.#overrides, this.#editor, this.#surroundings);
      this.#configurations.set(folder, configuration);
    }
    return configuration;
  }
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
