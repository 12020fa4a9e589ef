// The hints of a document, at most one a line: the weightiest candidate stands, the others become `+2`.

import { Beside } from '../../base/beside.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf } from '../../mapping/lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { stateOf } from '../facts/code-state.ts';
import { Baseline, changeSteps } from '../facts/compare.ts';
import { factSteps } from '../facts/method-facts.ts';
import { graphicSteps } from '../facts/word-graphic.ts';
import { byWeight, declarationHints, type LineCandidates } from './declaration-hints.ts';
import type { HintRequest } from './hint-candidate.ts';
import { contentOf, type HintContent } from './hint-content.ts';
import { needsGraphic } from './hint-format.ts';
import { type HintOptions, hintOptions } from './hint-options.ts';
import { methodToShow } from './method-hints.ts';

/** A hint at its place. */
export type Hint = HintContent & {
  /** What it says, the same object as long as that and the data stay. */
  readonly content: HintContent;
  /** 1-based. */
  readonly line: number;
  /** UTF-16 offset of the end of the line's text, before its line break. */
  readonly offset: number;
  /** Row in the outline's declarations. */
  readonly declaration: number;
};

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
  if (known !== undefined)
    return range === null ? known : known.filter(({ line }) => range.first <= line && line <= range.last);
  const found = findHints(document, range, hintOptions(document.settings));
  if (range === null || coversAll(document, range)) hintsOfDocument.set(document, found);
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
  const byLine = new Map<number, LineCandidates>();
  const optionsText = JSON.stringify(options);
  for (const entry of request.entries) {
    const name = lineOf(document.outline, document.outline.declarations[entry.declaration]!.nameSpan.start);
    for (const candidates of declarationHints(request, entry, optionsText)) {
      const line = name + candidates.below;
      if (range !== null && (line < range.first || line > range.last)) continue;
      const others = byLine.get(line);
      byLine.set(line, others === undefined ? candidates : together(others, candidates));
    }
  }
  return Array.from(
    [...byLine.keys()].sort((a, b) => a - b),
    line => hintAt(request, line, byLine.get(line)!),
  );
}

/** Candidates of two declarations that have a line in common. */
function together(first: LineCandidates, second: LineCandidates): LineCandidates {
  return { below: first.below, sorted: byWeight([...first.sorted, ...second.sorted]), content: null };
}

function hintAt(request: HintRequest, line: number, candidates: LineCandidates): Hint {
  candidates.content ??= contentOf(request, candidates.sorted);
  const { text, outline } = request.document;
  const offset = endOfLine(text, outline.lineStarts, line);
  return new PlacedHint(candidates.content, line, offset, candidates.sorted[0]!.declaration);
}

/** Small, because all hints of a document are placed anew after each keystroke. */
class PlacedHint implements Hint {
  readonly content: HintContent;
  readonly line: number;
  readonly offset: number;
  readonly declaration: number;

  constructor(content: HintContent, line: number, offset: number, declaration: number) {
    this.content = content;
    this.line = line;
    this.offset = offset;
    this.declaration = declaration;
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

/**
 * Works out in small steps what `hintsOf` needs from the tree, so that a caller can let others run in between: the numbers of a
 * large tree's hottest methods can take longer than anybody should wait. They are remembered; `hintsOf` is quick afterwards.
 */
export function* hintSteps(
  document: DocumentView,
  range: LineRange | null = null,
  options: HintOptions = hintOptions(document.settings),
): Generator<void, void, void> {
  const { mapped, outline } = document;
  if (mapped === null || hintsOfDocument.has(document)) return;
  const { data } = mapped;
  const baseline = baselineOf(document);
  for (const entry of entriesIn(document, range)) {
    yield* factSteps(data, entry);
    yield;
    if (baseline !== null) yield* changeSteps(data, baseline, entry);
    const declaration = outline.declarations[entry.declaration]!;
    const isShown = options.methods && methodToShow(data, entry, declaration, options) !== null;
    if (isShown && needsGraphic(options.format)) yield* graphicSteps(data, entry);
  }
}

/** Declarations that have a line in common with the range. */
function entriesIn({ mapped, outline }: DocumentView, range: LineRange | null): readonly MappedDeclaration[] {
  if (mapped === null) return [];
  const { declarations } = mapped.map;
  if (range === null) return declarations;
  return declarations.filter(entry => {
    const { start, end } = outline.declarations[entry.declaration]!.span;
    return lineOf(outline, start) <= range.last && lineOf(outline, end) >= range.first;
  });
}

/** Before `\n`, `\r\n` or `\r`. */
function endOfLine(text: string, lineStarts: Int32Array, line: number): number {
  const start = lineStarts[line - 1] ?? text.length;
  let end = lineStarts[line] ?? text.length;
  while (end > start && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return end;
}
