// The hints of a document, at most one a line: the weightiest candidate stands, the others become `+2`.

import { isLineBreak } from '../../../grammar/lines.ts';
import type { Need } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { DocumentMap, MappedDeclaration } from '../../mapping/document-map.ts';
import type { ProfiledText } from '../../mapping/recorded/profiled-text.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { pointAt, type TextPoint } from '../calls/locate.ts';
import { entryOf } from '../facts/entry-of.ts';
import { graphicNeeds } from '../facts/word-graphic.ts';
import { documentNeeds } from '../needs.ts';
import {
  type DeclarationHints,
  declarationHintsFrom,
  joinedLine,
  type LineHint,
  sameFields,
} from './declaration-hints.ts';
import { contentBehind, type HintContent, type HintRequest } from './hint-content.ts';
import { needsGraphic } from './hint-format.ts';
import { type HintOptions, hintOptions } from './hint-options.ts';

/** A hint at its place. */
export type Hint = HintContent & {
  /** The content, the same object as long as the content and the data stay. */
  readonly content: HintContent;
  /** 1-based. */
  readonly line: number;
  /** UTF-16 units of the line's text, without its line break. */
  readonly character: number;
  /** Row in the outline's declarations. */
  readonly declaration: number;
  /** Where that declaration has its name. */
  readonly name: TextPoint;
};

/** 1-based, both inclusive. */
export type LineRange = { readonly first: number; readonly last: number };

/** The hints of a document, with what the next ones can take over from them. Nothing in it changes. */
export type DocumentHints = {
  readonly document: DocumentView;
  /** null for all lines. */
  readonly range: LineRange | null;
  /** On the lines of `range`, by line. Empty while there are no data. */
  readonly hints: readonly Hint[];
  /** null while there are no data. */
  readonly grounds: FileGrounds | null;
  /** Of declarations that were asked for since the grounds are these, by row. */
  readonly declarations: ReadonlyMap<number, DeclarationHints>;
  readonly joined: JoinedLines;
};

/** The facts that the hints of all declarations of a document follow from. */
type FileGrounds = {
  readonly data: LoadedData;
  /** The recorded text and where it comes from: whether its lines are believed. */
  readonly recorded: DocumentMap;
  readonly from: ProfiledText['from'];
  /** Options in one text. */
  readonly options: string;
  readonly baseline: LoadedData | null;
  readonly pairing: Baseline['pairing'] | null;
};

/** Lines that two declarations have in common, by what the first one has there. */
type JoinedLines = ReadonlyMap<LineHint, { readonly other: LineHint; readonly both: LineHint }>;

/** Hints on the lines of `range` (all when absent), by line. Empty while there are no data. */
export function hintsOf(
  document: DocumentView,
  range: LineRange | null = null,
  options: HintOptions = hintOptions(document.settings),
): readonly Hint[] {
  return hintsFrom(null, document, range, options).hints;
}

/** The same as from null for any previous hints of the document; these only save time. */
export function hintsFrom(
  previous: DocumentHints | null,
  document: DocumentView,
  range: LineRange | null = null,
  options: HintOptions = hintOptions(document.settings),
): DocumentHints {
  const { mapped, outline } = document;
  if (mapped === null) return { document, range, hints: [], grounds: null, declarations: new Map(), joined: new Map() };
  const request: HintRequest = { document, mapped, options, baseline: document.baseline };
  const grounds = groundsOf(request);
  const known = previous?.grounds && sameFields(previous.grounds, grounds) ? previous : null;
  const declarations = new Map(known?.declarations);
  const shown = new ByLine(request, known?.joined ?? new Map());
  const names = new Map<number, TextPoint>();
  for (const entry of entriesIn(document, range)) {
    const row = entry.declaration;
    const wanted = declarationHintsFrom(known?.declarations.get(row) ?? null, request, entry);
    declarations.set(row, wanted);
    const name = pointAt(outline, outline.declarations[row]!.nameSpan.start);
    names.set(row, name);
    for (const hint of wanted.lines) {
      const line = name.line + 1 + hint.below;
      if (range === null || (line >= range.first && line <= range.last)) shown.add(line, hint);
    }
  }
  const hints = shown.lines.map((line, i) => hintAt(document, line, shown.hints[i]!, names));
  return { document, range, hints, grounds, declarations, joined: shown.joined };
}

function groundsOf({ mapped, options, baseline }: HintRequest): FileGrounds {
  const { data, recorded, profiled } = mapped;
  return {
    data,
    recorded,
    from: profiled.from,
    options: JSON.stringify(options),
    baseline: baseline?.data ?? null,
    pairing: baseline?.pairing ?? null,
  };
}

/** The hint of each line, by line; most hints come in that order. */
class ByLine {
  readonly lines: number[] = [];
  readonly hints: LineHint[] = [];
  readonly joined = new Map<LineHint, { readonly other: LineHint; readonly both: LineHint }>();
  readonly #request: HintRequest;
  readonly #before: JoinedLines;

  constructor(request: HintRequest, before: JoinedLines) {
    this.#request = request;
    this.#before = before;
  }

  add(line: number, hint: LineHint): void {
    const { lines, hints } = this;
    let at = lines.length;
    while (at > 0 && lines[at - 1]! > line) at--;
    if (at > 0 && lines[at - 1] === line) hints[at - 1] = this.#join(hints[at - 1]!, hint);
    else {
      lines.splice(at, 0, line);
      hints.splice(at, 0, hint);
    }
  }

  /** Of two declarations that have a line in common. */
  #join(one: LineHint, other: LineHint): LineHint {
    const known = this.#before.get(one);
    const line = known?.other === other ? known : { other, both: joinedLine(this.#request, one, other) };
    this.joined.set(one, line);
    return line.both;
  }
}

function hintAt(
  { text, outline: { lineStarts } }: DocumentView,
  line: number,
  hint: LineHint,
  names: ReadonlyMap<number, TextPoint>,
): Hint {
  const { declaration } = hint.candidates[0]!;
  const start = lineStarts[line - 1]!;
  const end = endOfLine(text, lineStarts, line);
  const content = contentBehind(hint, text.slice(start, end));
  const character = end - start;
  return { ...content, content, line, character, declaration, name: names.get(declaration)! };
}

/** The needs of `hintsOf`. */
export function hintNeeds(
  document: DocumentView,
  range: LineRange | null = null,
  options: HintOptions = hintOptions(document.settings),
): Need[] {
  const { mapped } = document;
  const numbers = documentNeeds(document);
  if (mapped === null || !options.methods || !needsGraphic(options.format)) return numbers;
  return [...numbers, graphicNeeds(mapped.data, entriesIn(document, range))];
}

/** The needs of the graphics of hints. */
export function hintGraphicNeeds({ document, hints }: DocumentHints): Need[] {
  const { mapped } = document;
  if (mapped === null) return [];
  return [
    graphicNeeds(
      mapped.data,
      hints.flatMap(hint => drawnEntry(hint, document) ?? []),
    ),
  ];
}

/** The declaration whose graphic is drawn beside a hint; null for hints of calls and lines. */
export function drawnEntry({ kind, declaration }: Hint, document: DocumentView): MappedDeclaration | null {
  return kind === 'method' || kind === 'lambda' ? entryOf(document, declaration) : null;
}

/** Declarations that have a line in common with the range. */
export function entriesIn({ mapped, outline }: DocumentView, range: LineRange | null): readonly MappedDeclaration[] {
  if (mapped === null) return [];
  const { declarations } = mapped.map;
  if (range === null) return declarations;
  // By offsets: to look up the lines of all declarations would take longer than the hints on a screen.
  const { lineStarts } = outline;
  const from = lineStarts[range.first - 1] ?? Number.POSITIVE_INFINITY;
  const before = lineStarts[range.last] ?? Number.POSITIVE_INFINITY;
  return declarations.filter(entry => {
    const { start, end } = outline.declarations[entry.declaration]!.span;
    return start < before && end >= from;
  });
}

/** Before `\n`, `\r\n` or `\r`. */
function endOfLine(text: string, lineStarts: Int32Array, line: number): number {
  const start = lineStarts[line - 1] ?? text.length;
  let end = lineStarts[line] ?? text.length;
  while (end > start && isLineBreak(text.charCodeAt(end - 1))) end--;
  return end;
}
