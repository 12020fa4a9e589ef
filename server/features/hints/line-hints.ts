// The hint at a hot line: the part of the method that is spent on it itself, without what it calls, `9% here`.
import type { Declaration } from '../../../grammar/outline.ts';
import { factsOf } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { MethodFacts } from '../../analysis/method-facts.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { inRanges, lineOf } from '../../mapping/observed-lines.ts';
import { isType } from '../../mapping/outline-index.ts';
import { ownLines } from '../../mapping/text-index.ts';
import type { LineAndAmount } from '../../metrics/around-method.ts';
import { selfLinesOf } from '../../metrics/self-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { isBelieved, linesFit } from '../../workspace/document/fit-to-text.ts';
import { ranElsewhere } from '../facts/class-claims.ts';
import { onOwnLines } from '../facts/entry-of.ts';
import { comparisonFor, recordedPlace } from '../facts/recorded-place.ts';
import { partOf, reaches, shareOfMethod } from '../text/format-share.ts';
import { thisCode } from './call-hints.ts';
import type { HintCandidate, HintRequest } from './hint-content.ts';
import { lineText } from './hint-format.ts';
import type { HintOptions } from './hint-options.ts';
import { methodToShow } from './method-hints.ts';

/** Candidates of the hot lines of a declaration that still stand where they were seen; thresholds are applied. */
export function lineHints(
  { document, mapped: { data }, options }: HintRequest,
  entry: MappedDeclaration,
): HintCandidate[] {
  if (!options.lines) return [];
  const { outline } = document;
  const declaration = outline.declarations[entry.declaration]!;
  const facts = factsOf(data, entry);
  const { methods: whole } = facts;
  const titleLine = lineOf(outline, declaration.nameSpan.start);
  const isTold = options.methods && methodToShow(data, entry, declaration, options) !== null;
  const stale = ranElsewhere(document, declaration.row);
  return hotLinesInText(document, entry, facts, options).flatMap(({ line, amount }) => {
    // A method of one line says the same of itself.
    if (isTold && line === titleLine) return [];
    const share = partOf(amount, whole);
    return {
      kind: 'line',
      line,
      declaration: declaration.row,
      weight: amount.weight,
      stale,
      change: null,
      text: (stale ? '~' : '') + lineText(share),
      explanation: `${shareOfMethod(share, whole.count, thisCode(outline, declaration))}: this line itself, without what it calls`,
    };
  });
}

/** Hot lines by their place on screen; nothing where the recorded lines are not believed. */
function hotLinesInText(
  document: DocumentView,
  shown: MappedDeclaration,
  facts: MethodFacts,
  options: HintOptions,
): readonly LineAndAmount[] {
  const { mapped, fit } = document;
  if (mapped === null || fit === null || !canBeHot(facts, options) || shown.confidence === 'ambiguous') return [];
  const { index, entry } = recordedPlace(document, shown);
  const declaration = index.outline.declarations[entry.declaration]!;
  if (isType(declaration)) return [];
  const own = ownLines(index.outline, declaration);
  const lines = selfLines(mapped.data, entry).filter(({ line }) => inRanges(own, line));
  const hot = lines.filter(({ amount }) => isHot(amount, facts, options));
  if (hot.length === 0 || !linesFit(index, mapped.data.classes, entry)) return [];
  const calls = facts.calls.filter(({ line }) => inRanges(own, line));
  if (!fit.isProven || !isBelieved(calls, declaration, index, fit.isFound)) return [];
  const seen = new Set([...lines, ...calls].map(({ line }) => line));
  return linesOnScreen(document, shown, declaration, seen, hot);
}

/** Only lines to which no other seen line came are still what they were. */
function linesOnScreen(
  document: DocumentView,
  shown: MappedDeclaration,
  recorded: Declaration,
  seen: ReadonlySet<number>,
  hot: readonly LineAndAmount[],
): readonly LineAndAmount[] {
  const comparison = comparisonFor(document, shown.declaration);
  if (comparison === null) return hot;
  const shift = comparison.shiftOf(recorded.row);
  if (shift !== null) return hot.map(({ line, amount }) => ({ line: line + shift, amount }));
  const came = new Map<number, number>();
  for (const line of seen) {
    const now = comparison.lineOf(recorded.row, line);
    if (now !== null) came.set(now, (came.get(now) ?? 0) + 1);
  }
  return hot.flatMap(({ line, amount }) => {
    const now = comparison.lineOf(recorded.row, line);
    return now === null || came.get(now) !== 1 ? [] : [{ line: now, amount }];
  });
}

/** Whether any line can reach the thresholds: lines count the method's self time. */
function canBeHot(facts: MethodFacts, options: HintOptions): boolean {
  return isHot(facts.self, facts, options);
}

function isHot(
  { weight, count }: MethodFacts['self'],
  { methods: whole }: MethodFacts,
  { minimumSamples, lineThreshold }: HintOptions,
): boolean {
  return count >= minimumSamples && reaches(weight, whole.weight, lineThreshold);
}

/** Lines on which the entry's methods were themselves running, with the samples in which they were. */
function selfLines(data: LoadedData, entry: MappedDeclaration): readonly LineAndAmount[] {
  return onOwnLines(entry, selfLinesOf(data.lines, data.values.selfLines, entry.methods));
}
