// One document as features see it: its text with everything derived from it, and the data it is shown with. Nothing in it changes.

import type { Outline } from '../../../grammar/outline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { defaultSettings, type Settings } from '../../base/config.ts';
import type { Problem } from '../../base/problem.ts';
import type { ComparedWith } from '../code/pairing.ts';
import type { Source } from '../data/source.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { KeptMapping, type Mapping } from './kept-mapping.ts';
import { KeptOutline } from './kept-outline.ts';

/** The known facts about a source at one moment. `data` stays there while newer data are read. */
export type SourceState = {
  readonly kind: 'loading' | 'ready' | 'none';
  readonly data: LoadedData | null;
  readonly problems: readonly Problem[];
};

export type DocumentView = {
  readonly uri: string;
  readonly text: string;
  readonly outline: Outline;
  readonly settings: Settings;
  /** null where no configuration reaches the document (it is no file and no folder is open). */
  readonly source: Source | null;
  readonly state: SourceState;
  /** Where other classes are written; null where there is no workspace. */
  readonly files: SourceFiles | null;
  /**
   * What shares are compared with, with the metric, threads and focus of the data shown; null where there is none (yet), and while
   * it is not known which of its methods those of the document have been.
   */
  readonly baseline: ComparedWith | null;
  /** The loaded data with the document's declarations mapped to it; null while there is none. */
  readonly mapped: ({ readonly data: LoadedData } & Mapping) | null;
};

/** What a document view is made of. Only the text is needed; outline and mapping remember what earlier texts of the document had. */
export type DocumentParts = {
  readonly uri?: string;
  readonly text: string;
  readonly outline?: KeptOutline;
  readonly mapping?: KeptMapping;
  readonly settings?: Settings;
  readonly source?: Source | null;
  readonly files?: SourceFiles | null;
  readonly state?: SourceState;
  readonly baseline?: ComparedWith | null;
};

const NOTHING: SourceState = { kind: 'none', data: null, problems: [] };

/** Puts a document and its data together, for the language server and for commands and tests that have no workspace. */
export function documentView(parts: DocumentParts): DocumentView {
  return new LazyDocumentView(parts);
}

/** `documentView` for data that are there; `file` is the name or path of the document. */
export function documentWithData(text: string, data: LoadedData, settings?: Settings, file = ''): DocumentView {
  const parts = { text, outline: new KeptOutline(file), state: { kind: 'ready', data, problems: [] } as const };
  return documentView(settings === undefined ? parts : { ...parts, settings });
}

/** Outline and mapping are worked out once, when first asked for: most views are never asked. */
class LazyDocumentView implements DocumentView {
  readonly uri: string;
  readonly text: string;
  readonly settings: Settings;
  readonly source: Source | null;
  readonly state: SourceState;
  readonly files: SourceFiles | null;
  readonly baseline: ComparedWith | null;
  readonly #keptOutline: KeptOutline;
  readonly #keptMapping: KeptMapping;
  #outline: Outline | null = null;
  #mapped: DocumentView['mapped'] = null;

  constructor(parts: DocumentParts) {
    this.uri = parts.uri ?? '';
    this.text = parts.text;
    this.settings = parts.settings ?? defaultSettings();
    this.source = parts.source ?? null;
    this.files = parts.files ?? null;
    this.state = parts.state ?? NOTHING;
    this.baseline = parts.baseline ?? null;
    this.#keptOutline = parts.outline ?? new KeptOutline(parts.uri);
    this.#keptMapping = parts.mapping ?? new KeptMapping();
  }

  get outline(): Outline {
    this.#outline ??= this.#keptOutline.of(this.text);
    return this.#outline;
  }

  get mapped(): DocumentView['mapped'] {
    const { data } = this.state;
    if (data !== null) this.#mapped ??= { data, ...this.#keptMapping.of(this.text, this.outline, data.classes) };
    return this.#mapped;
  }
}
