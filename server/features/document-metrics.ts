// Every number of a document at once, for clients that draw them themselves: declarations that ran, their calls and lines.
import type { Declaration } from '../../grammar/outline.ts';
import { isWeighted } from '../cct/profile.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import { lineOf } from '../mapping/lines.ts';
import type { Amount } from '../metrics/analysis.ts';
import type { Steps } from '../metrics/around-method.ts';
import type { DocumentView } from '../workspace/document-view.ts';
import type { LoadedData } from '../workspace/loaded-data.ts';
import { aroundFact, aroundSteps, effectiveWholeOf } from './around-facts.ts';
import { targetText } from './call-groups.ts';
import { type CallInText, callsInText } from './call-hints.ts';
import { hintSteps, type LineRange } from './hints.ts';
import { factsOf, type MethodFacts } from './method-facts.ts';
import { ownsCode, titleOf } from './method-hints.ts';
import { lineOnScreen } from './recorded-place.ts';
import { classNameOf } from './runtime-names.ts';
import { inRanges } from './text-index.ts';
import { graphicOf, graphicSteps, type WordGraphic } from './word-graphic.ts';

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

/** Works out in small steps what `documentNumbers` needs from the tree. */
export function* documentSteps(document: DocumentView, range: LineRange | null): Steps<void> {
  const { mapped } = document;
  if (mapped === null) return;
  const { data } = mapped;
  effectiveWholeOf(data);
  yield* hintSteps(document, range);
  for (const entry of entriesThatRan(document, data, range)) {
    yield* graphicSteps(data, entry);
    yield* aroundSteps(data, entry, isWeighted(data.metric) ? ['lines', 'effectiveSamples'] : ['lines']);
  }
}

/** Declarations that have a line in common with the range and ran, by their place in the text. Empty while there are no data. */
export function documentNumbers(document: DocumentView, range: LineRange | null): readonly DeclarationNumbers[] {
  const { mapped } = document;
  if (mapped === null) return [];
  const { data } = mapped;
  return entriesThatRan(document, data, range).map(entry => numbersOf(document, data, entry));
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
    calls: callsInText(document, entry).map(call => ({ call, target: targetText(methods, call, caller) })),
    lines: linesOnScreen(document, data, entry),
  };
}

function linesOnScreen(
  document: DocumentView,
  data: LoadedData,
  entry: MappedDeclaration,
): DeclarationNumbers['lines'] {
  const { onlyLines } = entry;
  return aroundFact(data, entry, 'lines')
    .filter(({ line }) => line > 0 && (onlyLines === undefined || inRanges(onlyLines, line)))
    .flatMap(({ line, amount }) => {
      const now = lineOnScreen(document, entry, line);
      return now === null ? [] : [{ line: now, amount }];
    })
    .sort((a, b) => a.line - b.line);
}
