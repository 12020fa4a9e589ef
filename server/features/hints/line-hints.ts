// The hint at a hot line without a call: the part of the method that is spent on it, `9% here`.
import type { Declaration } from '../../../grammar/outline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { MethodFacts } from '../../analysis/method-facts.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { inRanges, lineOf } from '../../mapping/lines.ts';
import { isType } from '../../mapping/outline-index.ts';
import type { LineAndAmount } from '../../metrics/around-method.ts';
import { selfLinesOf } from '../../metrics/self-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { isBelieved, linesFit } from '../facts/fit-to-text.ts';
import { factsOf } from '../facts/method-facts.ts';
import { comparisonFor, recordedPlace } from '../facts/recorded-place.ts';
import { ownLines } from '../facts/text-index.ts';
import { reaches, type Share, shareWithCounts } from '../text/format-share.ts';
import { enclosingName, fileFits, namedCallsOfFile } from './call-hints.ts';
import type { HintCandidate, HintRequest } from './hint-candidate.ts';
import { lineText } from './hint-format.ts';
import type { HintOptions } from './hint-options.ts';
import { methodToShow } from './method-hints.ts';

/** Candidates of the hot lines of the document's `entries` that still stand where they were seen; thresholds are applied. */
export function lineHints({ document, entries, options }: HintRequest): HintCandidate[] {
  const { mapped, outline } = document;
  if (mapped === null || !options.lines) return [];
  const candidates: HintCandidate[] = [];
  for (const entry of entries) {
    const declaration = outline.declarations[entry.declaration]!;
    const facts = factsOf(mapped.data, entry);
    const { methods: whole } = facts;
    const titleLine = lineOf(outline, declaration.nameSpan.start);
    const isTold = options.methods && methodToShow(mapped.data, entry, declaration, options) !== null;
    for (const { line, amount } of hotLinesInText(document, entry, facts, options)) {
      // A method of one line says the same of itself.
      if (isTold && line === titleLine) continue;
      const share: Share = { part: amount.weight, whole: whole.weight, samples: amount.count };
      candidates.push({
        kind: 'line',
        line,
        declaration: declaration.row,
        weight: amount.weight,
        heat: amount.weight / whole.weight,
        stale: false,
        change: null,
        text: lineText(share),
        name: '',
        isLimited: true,
        explanation: `this line, without a call: ${shareWithCounts(share, whole.count)} samples of ${enclosingName(outline, declaration)}`,
      });
    }
  }
  return candidates;
}

/** Hot lines by their place on screen; nothing where the recorded lines are not believed. */
export function hotLinesInText(
  document: DocumentView,
  shown: MappedDeclaration,
  facts: MethodFacts,
  options: HintOptions,
): readonly LineAndAmount[] {
  const { mapped } = document;
  if (mapped === null || !canBeHot(facts, options) || shown.confidence === 'ambiguous') return [];
  const { outline, entry } = recordedPlace(document, shown);
  const declaration = outline.declarations[entry.declaration]!;
  if (isType(declaration)) return [];
  const own = ownLines(outline, declaration);
  const lines = linesWithoutCall(mapped.data, entry).filter(({ line }) => inRanges(own, line));
  const hot = lines.filter(({ amount }) => isHot(amount, facts, options));
  if (hot.length === 0 || !linesFit(outline, mapped.data.classes, entry)) return [];
  const calls = facts.calls.filter(({ line }) => inRanges(own, line));
  if (!isProven(document) || !isBelieved(calls, declaration, outline, fileFits(document))) return [];
  const seen = new Set([...lines, ...calls].map(({ line }) => line));
  return linesOnScreen(document, shown, declaration, seen, hot);
}

/** Whether anything but the lines themselves speaks for the text: the recorded commit has it, or some call is found on its line. */
export function isProven(document: DocumentView): boolean {
  return document.mapped?.profiled.from === 'commit' || namedCallsOfFile(document).found > 0;
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

/** Whether any line can reach the thresholds: on lines without a call a method is itself running. */
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

const linesOfData = new WeakMap<LoadedData, Map<string, readonly LineAndAmount[]>>();

/** Lines of the entry's methods from which the selection has seen no call, with the samples on them. Remembered as long as the data live. */
function linesWithoutCall(data: LoadedData, entry: MappedDeclaration): readonly LineAndAmount[] {
  const { methods, onlyLines } = entry;
  const all = linesOfData.get(data) ?? new Map<string, readonly LineAndAmount[]>();
  linesOfData.set(data, all);
  const key = `${methods.join()}|${onlyLines?.join(';') ?? ''}`;
  const known = all.get(key);
  if (known !== undefined) return known;
  const calling = new Set(factsOf(data, entry).calls.map(({ line }) => line));
  const seen = selfLinesOf(data.lines, data.values.selfLines, methods);
  const found = seen.filter(({ line }) => !calling.has(line) && (onlyLines === undefined || inRanges(onlyLines, line)));
  all.set(key, found);
  return found;
}
