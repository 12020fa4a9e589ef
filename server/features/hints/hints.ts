// The hints of a document, at most one a line: the weightiest candidate stands, the others become `+2`.

import { Beside } from '../../base/beside.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf } from '../../mapping/lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { stateOf } from '../facts/code-state.ts';
import { Baseline } from '../facts/compare.ts';
import { GRAPHIC_FACTS } from '../facts/word-graphic.ts';
import type { Need } from '../needs.ts';
import { byWeight, declarationHints, fileGrounds, type LineCandidates, lineCandidates } from './declaration-hints.ts';
import type { Hint, TextPlace } from './hint.ts';
import type { HintRequest } from './hint-candidate.ts';
import { contentOf, type HintContent } from './hint-content.ts';
import { needsGraphic } from './hint-format.ts';
import { type HintOptions, hintOptions } from './hint-options.ts';
import { methodToShow } from './method-hints.ts';

export type { Hint, TextPlace } from './hint.ts';

/** 1-based, both inclusive. */
export type LineRange = { readonly first: number; readonly last: number };

/** All hints of documents whose hints were all asked for: clients ask again and again for what did not change. */
const hintsOfDocument = new Beside<DocumentView, readonly Hint[]>();

/** Hints on the lines of `range` (all when absent), by line. Empty while there are no data. */
export function hintsOf(
  document: DocumentView,
  range: LineRange | null = null,
  options?: HintOptions,
): readonly Hint[] {
  if (options !== undefined) return findHints(document, range, options);
  const known = hintsOfDocument.get(document);
  const isWhole = range === null || coversAll(document, range);
  if (known !== undefined)
    return isWhole ? known : known.filter(({ line }) => range.first <= line && line <= range.last);
  const found = findHints(document, range, hintOptions(document.settings));
  if (isWhole) hintsOfDocument.set(document, found);
  return found;
}

function coversAll({ outline }: DocumentView, { first, last }: LineRange): boolean {
  return first <= 1 && last >= outline.lineStarts.length;
}

function findHints(document: DocumentView, range: LineRange | null, options: HintOptions): readonly Hint[] {
  const request: HintRequest = {
    document,
    entries: entriesIn(document, range),
    options,
    baseline: baselineOf(document),
    stateOf: row => stateOf(document, row).name,
  };
  const shown = new ByLine();
  const file = fileGrounds(request);
  const { declarations } = document.outline;
  for (const entry of request.entries) {
    const name = lineOf(document.outline, declarations[entry.declaration]!.nameSpan.start);
    for (const candidates of declarationHints(request, entry, file)) {
      const line = name + candidates.below;
      if (range === null || (line >= range.first && line <= range.last)) shown.add(line, candidates);
    }
  }
  const nameOf = namePlaces(document);
  return shown.lines.map((line, i) => hintAt(request, line, shown.candidates[i]!, nameOf));
}

/** What stands on each line, by line; most comes in that order. */
class ByLine {
  readonly lines: number[] = [];
  readonly candidates: LineCandidates[] = [];

  add(line: number, candidates: LineCandidates): void {
    const { lines } = this;
    let at = lines.length;
    while (at > 0 && lines[at - 1]! > line) at--;
    if (at > 0 && lines[at - 1] === line) this.candidates[at - 1] = together(this.candidates[at - 1]!, candidates);
    else if (at === lines.length) {
      lines.push(line);
      this.candidates.push(candidates);
    } else {
      lines.splice(at, 0, line);
      this.candidates.splice(at, 0, candidates);
    }
  }
}

/** Candidates of two declarations that have a line in common. */
function together(first: LineCandidates, others: LineCandidates): LineCandidates {
  if (first.shared?.others !== others)
    first.shared = { others, both: lineCandidates(first.below, byWeight([...first.sorted, ...others.sorted])) };
  return first.shared.both;
}

/** Where declarations have their names; asked for again and again for one of them. */
function namePlaces({ outline }: DocumentView): (declaration: number) => TextPlace {
  let last = -1;
  let place: TextPlace = { line: 0, character: 0 };
  return declaration => {
    if (declaration === last) return place;
    const { start } = outline.declarations[declaration]!.nameSpan;
    const line = lineOf(outline, start) - 1;
    last = declaration;
    place = { line, character: start - outline.lineStarts[line]! };
    return place;
  };
}

/** The same hint as before where it has not moved: all hints of a document are placed anew after each keystroke. */
function hintAt(
  request: HintRequest,
  line: number,
  candidates: LineCandidates,
  nameOf: (declaration: number) => TextPlace,
): Hint {
  const { text, outline } = request.document;
  const { declaration } = candidates.sorted[0]!;
  const character = endOfLine(text, outline.lineStarts, line) - outline.lineStarts[line - 1]!;
  const name = nameOf(declaration);
  const known = candidates.hint;
  const isThere =
    known?.line === line &&
    known.character === character &&
    known.name.line === name.line &&
    known.name.character === name.character;
  if (isThere) return known;
  candidates.content ??= contentOf(request, candidates.sorted);
  candidates.hint = new PlacedHint(candidates.content, line, character, declaration, name);
  return candidates.hint;
}

/** Small: whole documents of them may move with a line break. */
class PlacedHint implements Hint {
  readonly content: HintContent;
  readonly line: number;
  readonly character: number;
  readonly declaration: number;
  readonly name: TextPlace;

  constructor(content: HintContent, line: number, character: number, declaration: number, name: TextPlace) {
    this.content = content;
    this.line = line;
    this.character = character;
    this.declaration = declaration;
    this.name = name;
  }

  get kind(): Hint['kind'] {
    return this.content.kind;
  }

  get text(): string {
    return this.content.text;
  }

  get heat(): number {
    return this.content.heat;
  }

  get stale(): boolean {
    return this.content.stale;
  }

  get state(): Hint['state'] {
    return this.content.state;
  }

  get change(): Hint['change'] {
    return this.content.change;
  }

  get explanations(): readonly string[] {
    return this.content.explanations;
  }
}

/** What the document's shares are compared with; null for nothing. */
export function baselineOf({ baseline }: DocumentView): Baseline | null {
  return baseline === null ? null : new Baseline(baseline);
}

/** What `hintsOf` draws beside the numbers of the document, which have to be known before. */
export function drawnNeeds(
  document: DocumentView,
  range: LineRange | null = null,
  options: HintOptions = hintOptions(document.settings),
): Need[] {
  const { mapped, outline } = document;
  if (mapped === null || !options.methods || !needsGraphic(options.format)) return [];
  const { data } = mapped;
  const shown = entriesIn(document, range).filter(
    entry => methodToShow(data, entry, outline.declarations[entry.declaration]!, options) !== null,
  );
  return [{ data, around: { sets: shown.map(({ methods }) => methods), facts: GRAPHIC_FACTS } }];
}

/** Declarations that have a line in common with the range. */
function entriesIn({ mapped, outline }: DocumentView, range: LineRange | null): readonly MappedDeclaration[] {
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

function isLineBreak(unit: number): boolean {
  return unit === 10 || unit === 13;
}
