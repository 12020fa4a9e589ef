// One Java file of the workspace as others see it: its current text, and that mapped to any data when somebody asks.
import type { Outline } from '../../grammar/outline.ts';
import { enclosingNames, plainClassName } from '../mapping/class-names.ts';
import { classBehind } from '../mapping/generated-classes.ts';
import { indexOutline } from '../mapping/outline-index.ts';
import { type DocumentView, documentView } from './document-view.ts';
import type { KeptMapping } from './kept-mapping.ts';
import type { KeptOutline } from './kept-outline.ts';

/** What a file is made of; an open document is one. */
export type FileParts = {
  readonly uri: string;
  /** null for documents that are no files of this machine. */
  readonly path: string | null;
  readonly text: string;
  readonly outline: KeptOutline;
  readonly mapping: KeptMapping;
};

/** The data that a file is seen with; a document view is one. */
export type SeenWith = Pick<DocumentView, 'state' | 'settings' | 'source' | 'files'>;

/** A file with one text; another text is another object. */
export class SourceFile {
  readonly uri: string;
  readonly path: string | null;
  readonly text: string;
  readonly #parts: FileParts;
  #outline: Outline | null = null;
  #view: DocumentView | null = null;

  constructor(parts: FileParts) {
    this.uri = parts.uri;
    this.path = parts.path;
    this.text = parts.text;
    this.#parts = parts;
  }

  get outline(): Outline {
    this.#outline ??= this.#parts.outline.of(this.text);
    return this.#outline;
  }

  /** Whether the class, or a type around it, is declared here; files that do not even mention it are not parsed. */
  declares(className: string): boolean {
    const names = enclosingNames(classBehind(plainClassName(className)));
    const outermost = names.at(-1)!;
    if (!this.text.includes(outermost.slice(outermost.lastIndexOf('.') + 1))) return false;
    const { typeByName } = indexOutline(this.outline);
    return names.some(name => typeByName.has(name));
  }

  /** The file as a document; the last one is remembered. */
  seenWith({ state, settings, source, files }: SeenWith): DocumentView {
    if (this.#view === null || this.#view.state.data !== state.data || this.#view.settings !== settings) {
      const { uri, text, outline, mapping } = this.#parts;
      this.#view = documentView({ uri, text, outline, mapping, state, settings, source, files });
    }
    return this.#view;
  }
}
