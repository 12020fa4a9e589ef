// Every number of a document at once, for clients that draw them themselves: declarations that ran, their calls and lines.
import type { Declaration } from '../../grammar/outline.ts';
import { aroundFact, factsOf, type Need } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { MethodFacts } from '../analysis/method-facts.ts';
import { isWeighted } from '../cct/profile.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import { inRanges, lineOf } from '../mapping/observed-lines.ts';
import type { Amount } from '../metrics/analysis.ts';
import type { LineAndAmount } from '../metrics/around-method.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { targetOf, targetText } from './facts/call-groups.ts';
import { lineOnScreen } from './facts/recorded-place.ts';
import { graphicNeeds, graphicOf, type WordGraphic } from './facts/word-graphic.ts';
import { type CallInText, callsInText } from './hints/call-hints.ts';
import type { LineRange } from './hints/hints.ts';
import { ownsCode, titleOf } from './hints/method-hints.ts';
import { documentNeeds } from './needs.ts';
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

/** What `documentNumbers` needs. */
export function metricNeeds(document: DocumentView, range: LineRange | null): Need[] {
  const { mapped } = document;
  if (mapped === null) return [];
  return [...documentNeeds(document), graphicNeeds(mapped.data, entriesIn(document, range), ['lines'])];
}

/** Declarations that have a line in common with the range and ran, by their place in the text. Empty while there are no data. */
export function documentNumbers(document: DocumentView, range: LineRange | null): DeclarationNumbers[] {
  const { mapped } = document;
  if (mapped === null) return [];
  const { data } = mapped;
  const ran = entriesIn(document, range).filter(entry => factsOf(data, entry).total.count > 0);
  return ran.map(entry => numbersOf(document, data, entry));
}

function entriesIn({ outline, mapped }: DocumentView, range: LineRange | null): MappedDeclaration[] {
  return (mapped?.map.declarations ?? []).filter(entry => {
    const declaration = outline.declarations[entry.declaration]!;
    const { start, end } = declaration.span;
    if (range !== null && (lineOf(outline, start) > range.last || lineOf(outline, end) < range.first)) return false;
    return isShown(declaration);
  });
}

/** Fields and enum constants have no hint of their own, but the calls of their initialisers do. */
function isShown(declaration: Declaration): boolean {
  return ownsCode(declaration) || declaration.kind === 'field' || declaration.kind === 'enumConstant';
}

function numbersOf(document: DocumentView, data: LoadedData, entry: MappedDeclaration): DeclarationNumbers {
  const { methods } = data.profile;
  const declaration = document.outline.declarations[entry.declaration]!;
  const facts = factsOf(data, entry);
  const caller = classNameOf(methods, entry.methods[0]!);
  return {
    declaration,
    entry,
    title: titleOf(declaration),
    facts,
    samples: isWeighted(data.metric) ? aroundFact(data, entry, 'effectiveSamples') : facts.methods.count,
    graphic: graphicOf(data, entry),
    calls: callsInText(document, entry).map(call => ({ call, target: targetText(targetOf(methods, call, caller)) })),
    lines: linesOnScreen(document, entry, aroundFact(data, entry, 'lines')),
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
