// The hints of a document, at most one a line: the weightiest candidate stands, the others become `+2`.

import type { MappedDeclaration } from '../mapping/document-map.ts';
import { lineOf } from '../mapping/lines.ts';
import type { DocumentView } from '../workspace/document-view.ts';
import { callHints } from './call-hints.ts';
import type { HintCandidate } from './hint-candidate.ts';
import { type HintOptions, hintOptions } from './hint-options.ts';
import { factsOf } from './method-facts.ts';
import { methodHints } from './method-hints.ts';

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
  /** Row in the outline's declarations. */
  readonly declaration: number;
  /** One plain sentence for each thing the line could show, the shown one first. */
  readonly explanations: readonly string[];
};

/** 1-based, both inclusive. */
export type LineRange = { readonly first: number; readonly last: number };

const RANK: Readonly<Record<HintCandidate['kind'], number>> = { method: 0, lambda: 1, call: 2 };

/** Hints on the lines of `range` (all when absent), by line. Empty while there are no data. */
export function hintsOf(
  document: DocumentView,
  range: LineRange | null = null,
  options: HintOptions = hintOptions(document.settings),
): readonly Hint[] {
  const entries = entriesIn(document, range);
  const candidates = [...methodHints(document, entries, options), ...callHints(document, entries, options)];
  const hints: Hint[] = [];
  for (const [line, onLine] of Map.groupBy(candidates, ({ line }) => line)) {
    if (range !== null && (line < range.first || line > range.last)) continue;
    const sorted = onLine.sort((a, b) => b.weight - a.weight || RANK[a.kind] - RANK[b.kind]);
    hints.push(hintOfLine(document, line, sorted, options.maximumLength));
  }
  return hints.sort((a, b) => a.line - b.line);
}

/**
 * Works out in small steps what `hintsOf` needs from the tree, so that a caller can let others run in between: the numbers of a
 * large tree's hottest methods can take longer than anybody should wait. They are remembered; `hintsOf` is quick afterwards.
 */
export function* hintSteps(document: DocumentView, range: LineRange | null = null): Generator<void, void, void> {
  const { mapped } = document;
  if (mapped === null) return;
  for (const entry of entriesIn(document, range)) {
    factsOf(mapped.data, entry);
    yield;
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

function hintOfLine(
  document: DocumentView,
  line: number,
  sorted: readonly HintCandidate[],
  maximumLength: number,
): Hint {
  const { kind, text, name, heat, stale, declaration } = sorted[0]!;
  const more = sorted.length > 1 ? ` +${sorted.length - 1}` : '';
  const room = maximumLength - more.length;
  const whole = name === '' ? shorten(text, room) : text + shorten(name, room - text.length);
  return {
    kind,
    line,
    offset: endOfLine(document.text, document.outline.lineStarts, line),
    text: whole + more,
    heat,
    stale,
    declaration,
    explanations: sorted.map(candidate => candidate.explanation),
  };
}

/** Keeps whole characters: a surrogate pair is never cut. */
function shorten(name: string, length: number): string {
  if (name.length <= length) return name;
  const kept = name.slice(0, Math.max(0, length - 1)).replace(/[\ud800-\udbff]$/, '');
  return `${kept}…`;
}

/** Before `\n`, `\r\n` or `\r`. */
function endOfLine(text: string, lineStarts: Int32Array, line: number): number {
  const start = lineStarts[line - 1] ?? text.length;
  let end = lineStarts[line] ?? text.length;
  while (end > start && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return end;
}
