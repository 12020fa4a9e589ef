// One document as features see it: its text with everything derived from it, and the data it is shown with. Nothing in it changes.

import type { Outline } from '../../../grammar/outline.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { defaultSettings, type Settings } from '../../base/config.ts';
import type { Problem } from '../../base/problem.ts';
import type { DocumentMap } from '../../mapping/document-map.ts';
import { pathOfUri } from '../../mapping/file-uris.ts';
import { indexOutline, type OutlineIndex } from '../../mapping/outline-index.ts';
import { indexText, type TextIndex } from '../../mapping/text-index.ts';
import type { Source } from '../data/source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { type ClassClaims, claimsOf } from './class-claims.ts';
import { fitFrom, type TextFit } from './fit-to-text.ts';
import { KeptMapping, type Mapping } from './kept-mapping.ts';
import { KeptOutline } from './kept-outline.ts';

/** The known facts about a source at one moment. `data` stays there while newer data are read. */
export type SourceState = {
  readonly kind: 'loading' | 'ready' | 'none';
  readonly data: LoadedData | null;
  readonly problems: readonly Problem[];
};

/** Data, and the runtime methods in them behind the declarations of a document. */
export type Mapped = Mapping & { readonly data: LoadedData };

export type DocumentView = {
  readonly uri: string;
  readonly text: string;
  readonly outline: Outline;
  /** Calls of the text on screen by their places. */
  readonly index: TextIndex;
  /** Types of the text on screen, with their members. */
  readonly types: OutlineIndex;
  readonly settings: Settings;
  /** null where no configuration reaches the document (it is no file and no folder is open). */
  readonly source: Source | null;
  readonly state: SourceState;
  /** Where other classes are written; null where there is no workspace. */
  readonly files: SourceFiles | null;
  /**
   * The baseline of shares, with the metric, threads and focus of the data shown; null where there is none (yet), and while
   * it is not known which of its methods those of the document have been.
   */
  readonly baseline: Baseline | null;
  /** The loaded data with the document's declarations mapped to it; null while there is none. */
  readonly mapped: Mapped | null;
  /** How well the recorded text fits the data; null while there is none. */
  readonly fit: TextFit | null;
  /** Files that declare a top-level class of the document, this one first; null where no other file does, and while there are no data. */
  claims(className: string): ClassClaims | null;
};

/** The parts that a document view is made of. Only the text is needed; outline and mapping remember what earlier texts of the document had. */
export type DocumentParts = {
  readonly uri?: string;
  readonly text: string;
  readonly outline?: Pick<KeptOutline, 'of'>;
  readonly mapping?: Pick<KeptMapping, 'of'>;
  readonly settings?: Settings;
  readonly source?: Source | null;
  readonly files?: SourceFiles | null;
  /** Where there is no workspace: the document's path, and other files that may declare its classes. */
  readonly beside?: { readonly path: string; readonly files: readonly SourceFile[] };
  readonly state?: SourceState;
  readonly baseline?: Baseline | null;
};

const NOTHING: SourceState = { kind: 'none', data: null, problems: [] };

/**
 * Puts a document and its data together, for the language server and for commands and tests that have no workspace.
 *
 * @param previous an earlier view of the document, of which nothing is kept but what may still hold.
 */
export function documentView(parts: DocumentParts, previous: DocumentView | null = null): DocumentView {
  return new LazyDocumentView(parts, previous instanceof LazyDocumentView ? previous : null);
}

/** `documentView` for data that are there; `file` is the name or path of the document, `more` what else is known of it. */
export function documentWithData(
  text: string,
  data: LoadedData,
  settings = defaultSettings(),
  file = '',
  more: Partial<DocumentParts> = {},
): DocumentView {
  const state = { kind: 'ready', data, problems: [] } as const;
  return documentView({ text, outline: new KeptOutline(file), state, settings, ...more });
}

/** Claims, and the values that they follow from. */
type KnownClaims = {
  readonly recorded: DocumentMap;
  readonly others: readonly SourceFile[];
  readonly claims: ClassClaims;
};

/** Derived values are worked out once, when first asked for: most views are never asked. */
class LazyDocumentView implements DocumentView {
  readonly uri: string;
  readonly text: string;
  readonly settings: Settings;
  readonly source: Source | null;
  readonly state: SourceState;
  readonly files: SourceFiles | null;
  readonly baseline: Baseline | null;
  readonly #keptOutline: Pick<KeptOutline, 'of'>;
  readonly #keptMapping: Pick<KeptMapping, 'of'>;
  #outline: Outline | null = null;
  #index: TextIndex | null = null;
  #types: OutlineIndex | null = null;
  #mapped: DocumentView['mapped'] = null;
  /** That of an earlier view until it is asked for. */
  #fit: TextFit | null;
  readonly #beside: DocumentParts['beside'];
  /** Claims by class: the claims of an earlier view, until they are asked for. */
  readonly #claims: Map<string, KnownClaims>;

  constructor(parts: DocumentParts, previous: LazyDocumentView | null) {
    this.uri = parts.uri ?? '';
    this.text = parts.text;
    this.settings = parts.settings ?? defaultSettings();
    this.source = parts.source ?? null;
    this.files = parts.files ?? null;
    this.state = parts.state ?? NOTHING;
    this.baseline = parts.baseline ?? null;
    this.#keptOutline = parts.outline ?? new KeptOutline(parts.uri);
    this.#keptMapping = parts.mapping ?? new KeptMapping();
    this.#fit = previous === null ? null : previous.#fit;
    this.#beside = parts.beside;
    this.#claims = new Map(previous === null ? [] : previous.#claims);
  }

  get outline(): Outline {
    this.#outline ??= this.#keptOutline.of(this.text);
    return this.#outline;
  }

  get index(): TextIndex {
    this.#index ??= indexText(this.outline);
    return this.#index;
  }

  get types(): OutlineIndex {
    this.#types ??= indexOutline(this.outline);
    return this.#types;
  }

  get mapped(): DocumentView['mapped'] {
    const { data } = this.state;
    if (data !== null) this.#mapped ??= { data, ...this.#keptMapping.of(this.text, this.outline, data.classes) };
    return this.#mapped;
  }

  get fit(): TextFit | null {
    const { mapped } = this;
    if (mapped === null) return null;
    const { data, recorded, profiled, comparison } = mapped;
    const of = { data, recorded, from: profiled.from };
    this.#fit = fitFrom(this.#fit, of, () => comparison?.profiledIndex ?? this.index);
    return this.#fit;
  }

  claims(className: string): ClassClaims | null {
    const { mapped, files } = this;
    const path = this.#beside?.path ?? pathOfUri(this.uri);
    if (mapped === null || path === null) return null;
    const beside = this.#beside?.files.filter(each => each.path !== path && each.declares(className));
    const others = beside ?? files?.othersDeclaring(className, path) ?? [];
    if (others.length === 0) return null;
    const { data, recorded, profiled } = mapped;
    const known = this.#claims.get(className);
    const isSame = known?.recorded === recorded && known.others.length === others.length;
    if (isSame && known.others.every((each, at) => each === others[at])) return known.claims;
    const { packageName } = recorded.outline;
    const text = profiled.text ?? this.text;
    const file = { path, size: text.length, modifiedMs: 0, packageName, types: [] };
    const claims = claimsOf(className, { file, index: indexOutline(recorded.outline), text }, others, data);
    this.#claims.set(className, { recorded, others, claims });
    return claims;
  }
}
