// Every number of a document at once, for clients that draw them themselves: declarations that ran, their calls and lines.
import type { Declaration } from '../../grammar/outline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { isWeighted } from '../cct/profile.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import { lineOf } from '../mapping/lines.ts';
import type { Amount } from '../metrics/analysis.ts';
import type { LineAndAmount, Steps } from '../metrics/around-method.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { aroundFact, aroundSteps, effectiveWholeOf } from './facts/around-facts.ts';
import { targetText } from './facts/call-groups.ts';
import { factsOf, type MethodFacts } from './facts/method-facts.ts';
import { lineOnScreen } from './facts/recorded-place.ts';
import { inRanges } from './facts/text-index.ts';
import { graphicOf, graphicSteps, type WordGraphic } from './facts/word-graphic.ts';
import { type CallInText, callsInText } from './hints/call-hints.ts';
import { hintSteps, type LineRange } from './hints/hints.ts';
import { ownsCode, titleOf } from './hints/method-hints.ts';
import { classNameOf } from './text/runtime-names.ts';

/** One declaration that ran. */
export type DeclarationNumbers = {
  readonly declaration: Declaration;
  readonly entry: MappedDeclaration;
  readonly title: string;
  readonly facts: MethodFacts;
  /** How many equally weighted samples the declaration's methods have. */
  readonly samples: number;
  readonly graphic: WordGraphic;
  readonly calls: readonly { readonly call: CallInText; readonly target: string }[];
  /** 1-based lines on screen, ascending. */
  readonly lines: readonly { readonly line: number; readonly amount: Amount }[];
};

/**
 * Declarations that have a line in common with the range and ran, by their place in the text, worked out in small steps. Empty
 * while there are no data.
 */
export function* documentNumberSteps(document: DocumentView, range: LineRange | null): Steps<DeclarationNumbers[]> {
  const { mapped } = document;
  if (mapped === null) return [];
  const { data } = mapped;
  effectiveWholeOf(data);
  yield* hintSteps(document, range);
  const numbers: DeclarationNumbers[] = [];
  for (const entry of entriesThatRan(document, data, range)) {
    numbers.push(numbersOf(document, data, entry, yield* aroundEntry(data, entry)));
    yield;
  }
  return numbers;
}

/** What stands around a declaration, without the long lists. */
type Around = Pick<DeclarationNumbers, 'samples' | 'graphic'> & { readonly lines: readonly LineAndAmount[] };

/** By the rows of the declaration's methods; of all that were asked for, because a document may have more than are remembered whole. */
const aroundOfData = new WeakMap<LoadedData, Map<string, Around>>();

function* aroundEntry(data: LoadedData, entry: MappedDeclaration): Steps<Around> {
  const known = aroundOfData.get(data) ?? new Map<string, Around>();
  aroundOfData.set(data, known);
  const key = entry.methods.join();
  const before = known.get(key);
  if (before !== undefined) return before;
  yield* graphicSteps(data, entry);
  const weighted = isWeighted(data.metric);
  yield* aroundSteps(data, entry, weighted ? ['lines', 'effectiveSamples'] : ['lines']);
  const found: Around = {
    samples: weighted ? aroundFact(data, entry, 'effectiveSamples') : factsOf(data, entry).methods.count,
    graphic: graphicOf(data, entry),
    lines: aroundFact(data, entry, 'lines'),
  };
  known.set(key, found);
  return found;
}

function entriesThatRan(document: DocumentView, data: LoadedData, range: LineRange | null): MappedDeclaration[] {
  const { outline, mapped } = document;
  return (mapped?.map.declarations ?? []).filter(entry => {
    const declaration = outline.declarations[entry.declaration]!;
    const { start, end } = declaration.span;
    if (range !== null && (lineOf(outline, start) > range.last || lineOf(outline, end) < range.first)) return false;
    return isShown(declaration) && factsOf(data, entry).total.count > 0;
  });
}

/** Fields and enum constants have no hint of their own, but the calls of their initialisers do. */
function isShown(declaration: Declaration): boolean {
  return ownsCode(declaration) || declaration.kind === 'field' || declaration.kind === 'enumConstant';
}

function numbersOf(
  document: DocumentView,
  data: LoadedData,
  entry: MappedDeclaration,
  { samples, graphic, lines }: Around,
): DeclarationNumbers {
  const { methods } = data.profile;
  const declaration = document.outline.declarations[entry.declaration]!;
  const facts = factsOf(data, entry);
  const caller = classNameOf(methods, entry.methods[0]!);
  return {
    declaration,
    entry,
    title: titleOf(declaration),
    facts,
    samples,
    graphic,
    calls: callsInText(document, entry).map(call => ({ call, target: targetText(methods, call, caller) })),
    lines: linesOnScreen(document, entry, lines),
  };
}

function linesOnScreen(
  document: DocumentView,
  entry: MappedDeclaration,
  lines: readonly LineAndAmount[],
): DeclarationNumbers['lines'] {
  const { onlyLines } = entry;
  return lines
    .filter(({ line }) => line > 0 && (onlyLines === undefined || inRanges(onlyLines, line)))
    .flatMap(({ line, amount }) => {
      const now = lineOnScreen(document, entry, line);
      return now === null ? [] : [{ line: now, amount }];
    })
    .sort((a, b) => a.line - b.line);
}
