// The workspace at one moment, as features see it: its open documents and the data they are shown with; it never changes.
import { dirname } from 'node:path';
import type { Pairing } from '../analysis/pairing.ts';
import type { WatchedPlace } from '../base/file-stamp.ts';
import type { Problem } from '../base/problem.ts';
import { documentKey } from '../mapping/file-uris.ts';
import type { ProfiledText } from '../mapping/recorded/profiled-text.ts';
import { type Choice, choiceKey, NO_CHOICE } from './data/choice.ts';
import { programByPath } from './data/source.ts';
import type { Load, Place, SourcesView, WantedSource } from './data/wanted-sources.ts';
import { type DocumentView, documentView } from './document/document-view.ts';
import type { KeptMapping } from './document/kept-mapping.ts';
import type { KeptOutline } from './document/kept-outline.ts';
import type { OpenDocumentsNow } from './document/open-documents.ts';
import { type FileParts, SourceFile } from './files/source-file.ts';
import type { SourceFiles } from './files/source-files.ts';
import type { Configuration } from './settings/configuration.ts';

/** The workspace at one moment. Later changes do not show in it. */
export type View = {
  readonly folders: readonly string[];
  /** Sources of all folders and open documents, each once, folders first. */
  readonly sources: readonly WantedSource[];
  /** Everything that is to be loaded: those sources, and what they are compared with. */
  readonly loads: readonly Load[];
  /** The choice for the project of the document, or of the first folder when `uri` is null. */
  choice(uri: string | null): Choice;
  /** The configuration of the document, or of the first folder when `uri` is null; null where nothing is open. */
  configuration(uri: string | null): Configuration | null;
  /** Mistakes in insitu.json files. */
  readonly configurationProblems: readonly Problem[];
  /** All configurations that hold for something open, each once: the same array as long as folders and documents are shown alike. */
  readonly configurations: readonly Configuration[];
  /** Every insitu.json that decides about something open, or would if it were there, with its stamp from before it was read. */
  readonly configurationFiles: readonly WatchedPlace[];
  /** Why nothing is shown of open documents that are too large. */
  readonly documentProblems: readonly Problem[];
  /** Open files of this machine, without files that are too large. */
  readonly openFiles: readonly OpenFile[];
  /** One of them; null for all else. */
  openFile(uri: string): OpenFile | null;
  /** Of a document that is too large, the text is empty here. */
  document(uri: string): DocumentView | null;
};

export type OpenFile = {
  readonly uri: string;
  readonly path: string;
  readonly text: string;
  readonly mapping: KeptMapping;
  readonly outline: KeptOutline;
};

/** Outline and mapping are passed on from one text of the document to the next. */
export type OpenDocument = FileParts & {
  /** Why the text is left out, which is empty then; null where it is not. */
  readonly problem: Problem | null;
  /** This text of it, as other files see it. */
  readonly file: SourceFile;
};

export function openDocument(parts: FileParts, problem: Problem | null = null): OpenDocument {
  return { ...parts, problem, file: new SourceFile(parts) };
}

/** The configurations and data that folders and documents are shown with. */
export type Shown = {
  readonly places: ReadonlyMap<string, Place>;
  readonly sources: SourcesView;
  /** The configurations of the places, each once, the first one first. */
  readonly configurations: readonly Configuration[];
  /** By path; grows with the folders of documents. */
  readonly configurationFiles: ReadonlyMap<string, WatchedPlace>;
  /** By folder of a document; see `#home`. */
  readonly homes: ReadonlyMap<string, Configuration | null>;
  /** By `choiceKey`. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** The configuration where no document is meant. */
  readonly first: Configuration | null;
  /** The last view of each document by `documentKey`: the same one as long as the document stays as it is. */
  readonly views: Map<string, { readonly open: OpenDocument; readonly view: DocumentView }>;
};

/** The folder of a document; empty for one that is no file of this machine. */
export function folderOf(path: string | null): string {
  return path === null ? '' : dirname(path);
}

/** Equal for documents with the same data: of one project, and of one program where the settings divide a project into programs. */
export function placeName(path: string | null, { settings: { programs }, root, repository }: Configuration): string {
  const program = path === null ? null : programByPath(programs, root, path);
  return JSON.stringify([root, repository, program]);
}

/** Works out nothing before it is asked: most views are asked for one document. */
export class FrozenView implements View {
  readonly folders: readonly string[];
  readonly #documents: OpenDocumentsNow<OpenDocument>;
  readonly #shown: Shown;
  readonly #files: SourceFiles;
  #openFiles: readonly OpenFile[] | null = null;

  constructor(folders: readonly string[], documents: OpenDocumentsNow<OpenDocument>, shown: Shown, files: SourceFiles) {
    this.folders = folders;
    this.#documents = documents;
    this.#shown = shown;
    this.#files = files;
  }

  get sources(): readonly WantedSource[] {
    return this.#shown.sources.sources;
  }

  get loads(): readonly Load[] {
    return this.#shown.sources.loads;
  }

  get configurations(): readonly Configuration[] {
    return this.#shown.configurations;
  }

  get configurationFiles(): readonly WatchedPlace[] {
    return [...this.#shown.configurationFiles.values()];
  }

  get configurationProblems(): readonly Problem[] {
    return [...new Set(this.configurations.flatMap(({ problems }) => problems))];
  }

  get documentProblems(): readonly Problem[] {
    return Array.from(this.#documents.values()).flatMap(({ problem }) => problem ?? []);
  }

  get openFiles(): readonly OpenFile[] {
    this.#openFiles ??= Array.from(this.#documents.values()).flatMap(open => fileOf(open) ?? []);
    return this.#openFiles;
  }

  openFile(uri: string): OpenFile | null {
    const open = this.#documents.get(documentKey(uri));
    return open === undefined ? null : fileOf(open);
  }

  choice(uri: string | null): Choice {
    const configuration = this.configuration(uri);
    return (configuration && this.#shown.choices.get(choiceKey(configuration))) ?? NO_CHOICE;
  }

  configuration(uri: string | null): Configuration | null {
    const { homes, first } = this.#shown;
    const open = uri === null ? undefined : this.#documents.get(documentKey(uri));
    return open === undefined ? first : (homes.get(folderOf(open.path)) ?? first);
  }

  document(uri: string): DocumentView | null {
    const key = documentKey(uri);
    const open = this.#documents.get(key);
    if (open === undefined) return null;
    const { views } = this.#shown;
    const last = views.get(key);
    if (last?.open === open) return last.view;
    const view = this.#viewOf(open, last?.view ?? null);
    views.set(key, { open, view });
    return view;
  }

  #viewOf({ uri, path, text, outline, mapping }: OpenDocument, previous: DocumentView | null): DocumentView {
    const { homes, sources } = this.#shown;
    const parts = { uri, text, outline, mapping, files: this.#files };
    const configuration = homes.get(folderOf(path)) ?? null;
    if (configuration === null) return documentView(parts, previous);
    const { settings } = configuration;
    const shown = sources.at(placeName(path, configuration));
    const compared = shown?.baseline ?? null;
    const baseline = compared !== null && isPaired(compared.pairing, path, mapping.profiled) ? compared : null;
    return documentView({ ...parts, settings, ...shown, baseline }, previous);
  }
}

/** Whether it is known what the methods of a document were in the baseline. */
function isPaired(pairing: Pairing, path: string | null, { from, text, problem }: ProfiledText): boolean {
  if (pairing.state === 'pending') return false;
  if (path === null) return true;
  // Of a text that git does not have, names tell; of one that is still looked for, nothing does.
  return from === 'commit' ? pairing.lookedAt(path) === (text ?? '') : problem !== null;
}

/** null for what is no file of this machine, and for what is too large. */
function fileOf({ uri, path, text, mapping, outline, problem }: OpenDocument): OpenFile | null {
  return path === null || problem !== null ? null : { uri, path, text, mapping, outline };
}
