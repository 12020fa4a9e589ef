// Where a runtime method stands now: in the unsaved text of an open document, else in the file on disk, mapped as open documents are.

import type { Declaration, Span } from '../../../grammar/outline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Turn } from '../../base/pause.ts';
import { chooseFile } from '../../mapping/choose-file.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import { enclosingNames, plainClassName } from '../../mapping/class-names.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { classBehind } from '../../mapping/generated-classes.ts';
import { frameOfMethod } from '../../mapping/map-document.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { type SeenWith, seenWith } from '../../workspace/files/seen-with.ts';
import type { SourceFile } from '../../workspace/files/source-file.ts';
import { entryOf } from '../facts/entry-of.ts';
import { doubtsOf } from '../facts/recorded-place.ts';
import { classNameOf } from '../text/runtime-names.ts';

/** 0-based line, UTF-16 characters. */
export type TextPoint = { readonly line: number; readonly character: number };
export type TextRange = { readonly start: TextPoint; readonly end: TextPoint };

/** Where a runtime method stands in the current text of its file. */
export type PlaceInFile = {
  readonly uri: string;
  /** null for documents that are no files of this machine. */
  readonly path: string | null;
  /** The name, or the first token of what has none. */
  readonly range: TextRange;
  /** The whole declaration. */
  readonly fullRange: TextRange;
  /** 1-based line of `range`, for people. */
  readonly line: number;
  /** Whether the method is this one for sure and its code the one that ran; shown with a `~` otherwise. */
  readonly certain: boolean;
};

/** The source of a request: a document view, or the data of a source with the workspace's files. */
export type Asking = SeenWith & Partial<Pick<DocumentView, 'uri' | 'mapped'>>;

/** A method's declaration with the document that it is in. */
export type Located = {
  readonly document: DocumentView;
  readonly path: string | null;
  readonly declaration: Declaration;
  readonly certain: boolean;
};

/**
 * The place of a row of the method table of the asking one's data; null where no file of the workspace has it, as far as is
 * known yet. A file that is not remembered is read and parsed here: take `locateAll` for many.
 */
function locate(asking: Asking, method: number): PlaceInFile | null {
  const found = locateDeclaration(asking, method);
  return found === null ? null : placeOf(found);
}

/** `locate` for several rows: files are read without stopping others, and a turn is taken after each. */
export async function locateAll(
  asking: Asking,
  methods: readonly number[],
  turn: Turn,
): Promise<ReadonlyMap<number, PlaceInFile | null>> {
  const places = new Map<number, PlaceInFile | null>();
  const { data } = asking.state;
  if (data === null) return places;
  await asking.files?.fetch(new Set(methods.map(row => classNameOf(data.profile.methods, row))));
  const locateEach = async () => {
    for (const method of methods) {
      places.set(method, locate(asking, method));
      await turn();
    }
  };
  await locateEach();
  // Files may have been recorded with other texts than those on disk.
  if (await asking.files?.learn(asking)) await locateEach();
  return places;
}

/** The same as `locate`, with the document, for callers that look further into the file. */
export function locateDeclaration(asking: Asking, method: number): Located | null {
  const { data } = asking.state;
  if (data === null) return null;
  const className = classNameOf(data.profile.methods, method);
  if (className === '') return null;
  if (isDocument(asking)) {
    const own = declarationIn(asking, method);
    if (own !== null) return { ...own, path: asking.files?.openFile(asking.uri)?.path ?? null };
  }
  const file = fileOf(asking, data, className);
  if (file === null) return null;
  const document = seenWith(file, asking);
  const found = declarationIn(document, method) ?? typeIn(document, className);
  return found === null ? null : { ...found, path: file.path };
}

export function placeOf({ document, path, declaration, certain }: Located): PlaceInFile {
  const { uri, outline } = document;
  return {
    uri,
    path,
    range: rangeOf(outline, declaration.nameSpan),
    fullRange: rangeOf(outline, declaration.span),
    line: lineOf(outline, declaration.nameSpan.start),
    certain,
  };
}

/** Offsets as lines and characters. */
export function rangeOf({ lineStarts }: Pick<DocumentView['outline'], 'lineStarts'>, { start, end }: Span): TextRange {
  return { start: pointAt({ lineStarts }, start), end: pointAt({ lineStarts }, end) };
}

export function pointAt({ lineStarts }: Pick<DocumentView['outline'], 'lineStarts'>, offset: number): TextPoint {
  const line = lineOf({ lineStarts }, offset) - 1;
  return { line, character: offset - lineStarts[line]! };
}

function isDocument(asking: Asking): asking is Asking & DocumentView {
  return asking.mapped !== undefined;
}

function declarationIn(document: DocumentView, method: number): Omit<Located, 'path'> | null {
  const { mapped, outline } = document;
  const { declarations = [], declarationOfMethod } = mapped?.map ?? {};
  const shared = ({ methods, onlyLines }: MappedDeclaration) => onlyLines === undefined && methods.includes(method);
  const entry = entryOf(document, declarationOfMethod?.get(method) ?? -1) ?? declarations.find(shared);
  const declaration = outline.declarations[entry?.declaration ?? -1];
  if (entry === undefined || declaration === undefined) return null;
  return { document, declaration, certain: doubtsOf(document, entry) === null };
}

/** The type of a method that its text no longer has. */
function typeIn(document: DocumentView, className: string): Omit<Located, 'path'> | null {
  const { typeByName } = document.types;
  for (const name of enclosingNames(classBehind(plainClassName(className)))) {
    const type = typeByName.get(name);
    if (type !== undefined) return { document, declaration: type.declaration, certain: false };
  }
  return null;
}

type Choice = { readonly among: readonly SourceFile[]; readonly file: SourceFile };

const choicesOfData = new WeakMap<LoadedData, Map<string, Choice>>();

function fileOf(asking: Asking, data: LoadedData, className: string): SourceFile | null {
  const claiming = asking.files?.filesOfClass(className) ?? [];
  if (claiming.length < 2) return claiming[0] ?? null;
  const choices = choicesOfData.get(data) ?? new Map<string, Choice>();
  choicesOfData.set(data, choices);
  const known = choices.get(className);
  const same = known?.among.length === claiming.length && known.among.every((file, i) => file === claiming[i]);
  if (known !== undefined && same) return known.file;
  const rows = rowsOfClass(data.classes, plainClassName(className));
  const frames = rows.map(row => frameOfMethod(data.classes, row));
  const claims = claiming.map(({ claim }) => claim);
  const chosen = chooseFile(claims, frames, asking.files?.openFile(asking.uri ?? '')?.path ?? undefined);
  const file = claiming[chosen === null ? 0 : claims.indexOf(chosen)]!;
  choices.set(className, { among: claiming, file });
  return file;
}
