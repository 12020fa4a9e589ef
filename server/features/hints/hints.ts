// The hints of a document, at most one a line: the weightiest candidate stands, the others become `+2`.

import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf } from '../../mapping/lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { type CodeState, stateOf } from '../facts/code-state.ts';
import { Baseline, type Change, changeSteps } from '../facts/compare.ts';
import { factSteps } from '../facts/method-facts.ts';
import { graphicSteps } from '../facts/word-graphic.ts';
import { callHints } from './call-hints.ts';
import type { HintCandidate, HintRequest } from './hint-candidate.ts';
import { fitted, needsGraphic, shownIn } from './hint-format.ts';
import { type HintOptions, hintOptions } from './hint-options.ts';
import { lineHints } from './line-hints.ts';
import { methodHints, methodToShow } from './method-hints.ts';

export type Hint = {
  readonly kind: HintCandidate['kind'];
  /** 1-based. */
  readonly line: number;
  /** UTF-16 offset of the end of the line's text, before its line break. */
  readonly offset: number;
  readonly text: string;
  /** The hint's share, 0 to 1, for colours. */
  readonly heat: number;
  readonly stale: boolean;
  /** What became of the declaration since it was recorded. */
  readonly state: CodeState['name'];
  /** How the share moved against the baseline; null without one or a counterpart, and for lines. */
  readonly change: Change | null;
  /** Row in the outline's declarations. */
  readonly declaration: number;
  /** One plain sentence for each thing the line could show, the shown one first. */
  readonly explanations: readonly string[];
};

/** 1-based, both inclusive. */
export type LineRange = { readonly first: number; readonly last: number };

const RANK: Readonly<Record<HintCandidate['kind'], number>> = { method: 0, lambda: 1, call: 2, line: 3 };

/** All hints of documents whose hints were all asked for: clients ask again and again for what did not change. */
const hintsOfDocument = new WeakMap<DocumentView, readonly Hint[]>();

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
  const candidates = [...methodHints(request), ...callHints(request), ...lineHints(request)];
  const hints: Hint[] = [];
  for (const [line, onLine] of Map.groupBy(candidates, ({ line }) => line)) {
    if (range !== null && (line < range.first || line > range.last)) continue;
    const sorted = onLine.sort((a, b) => b.weight - a.weight || RANK[a.kind] - RANK[b.kind]);
    hints.push(hintOfLine(request, line, sorted));
  }
  return hints.sort((a, b) => a.line - b.line);
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

function hintOfLine({ document, options, stateOf }: HintRequest, line: number, sorted: readonly HintCandidate[]): Hint {
  const { kind, text, name, isLimited, heat, stale, change, declaration } = sorted[0]!;
  const { maximumLength, format } = options;
  const more = sorted.length > 1 ? ` +${sorted.length - 1}` : '';
  const [before, behind] = [shownIn(text, format), shownIn(name, format)];
  const room = isLimited ? maximumLength - more.length : Number.POSITIVE_INFINITY;
  return {
    kind,
    line,
    offset: endOfLine(document.text, document.outline.lineStarts, line),
    text: fitted(before, behind, room, format) + more,
    heat,
    stale,
    state: stateOf(declaration),
    change,
    declaration,
    explanations: sorted.map(candidate => candidate.explanation),
  };
}

/** Before `\n`, `\r\n` or `\r`. */
function endOfLine(text: string, lineStarts: Int32Array, line: number): number {
  const start = lineStarts[line - 1] ?? text.length;
  let end = lineStarts[line] ?? text.length;
  while (end > start && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return end;
}
