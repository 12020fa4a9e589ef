// Every number of a document at once, for clients that draw them themselves: declarations that ran, their calls and lines.
import type { Declaration } from '../../grammar/outline.ts';
import { aroundFact, factsOf, type Need } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { isWeighted } from '../cct/profile.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import type { LineAndAmount } from '../metrics/around-method.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { targetOf, targetText } from './facts/call-groups.ts';
import { onOwnLines } from './facts/entry-of.ts';
import { lineOnScreen } from './facts/recorded-place.ts';
import { graphicNeeds, graphicOf } from './facts/word-graphic.ts';
import { callsInText } from './hints/call-hints.ts';
import { entriesIn, type LineRange } from './hints/hints.ts';
import { ownsCode, titleOf } from './hints/method-hints.ts';
import { documentNeeds } from './needs.ts';
import { classNameOf } from './text/runtime-names.ts';

/** One declaration that ran. */
export type DeclarationNumbers = ReturnType<typeof numbersOf>;

/** The needs of `documentNumbers`. */
export function metricNeeds(document: DocumentView, range: LineRange | null): Need[] {
  const { mapped } = document;
  if (mapped === null) return [];
  return [...documentNeeds(document), graphicNeeds(mapped.data, shownIn(document, range), ['lines'])];
}

/** Declarations that have a line in common with the range and ran, by their place in the text. None while there are no data. */
export function* documentNumbers(document: DocumentView, range: LineRange | null): Generator<DeclarationNumbers> {
  const { mapped } = document;
  if (mapped === null) return;
  const { data } = mapped;
  for (const entry of shownIn(document, range))
    if (factsOf(data, entry).total.count > 0) yield numbersOf(document, data, entry);
}

function shownIn(document: DocumentView, range: LineRange | null): MappedDeclaration[] {
  const { declarations } = document.outline;
  return entriesIn(document, range).filter(entry => isShown(declarations[entry.declaration]!));
}

/** Fields and enum constants have no hint of their own, but the calls of their initialisers do. */
function isShown(declaration: Declaration): boolean {
  return ownsCode(declaration) || declaration.kind === 'field' || declaration.kind === 'enumConstant';
}

function numbersOf(document: DocumentView, data: LoadedData, entry: MappedDeclaration) {
  const { methods } = data.profile;
  const declaration = document.outline.declarations[entry.declaration]!;
  const facts = factsOf(data, entry);
  const caller = classNameOf(methods, entry.methods[0]!);
  return {
    declaration,
    entry,
    title: titleOf(declaration),
    facts,
    /** How many equally weighted samples the declaration's methods have. */
    samples: isWeighted(data.metric) ? aroundFact(data, entry, 'effectiveSamples') : facts.methods.count,
    graphic: graphicOf(data, entry),
    calls: callsInText(document, entry).map(call => ({ call, target: targetText(targetOf(methods, call, caller)) })),
    lines: linesOnScreen(document, entry, onOwnLines(entry, aroundFact(data, entry, 'lines'))),
  };
}

/** By their places, ascending. */
function linesOnScreen(document: DocumentView, entry: MappedDeclaration, lines: readonly LineAndAmount[]) {
  return lines
    .flatMap(({ line, amount }) => {
      const now = line > 0 ? lineOnScreen(document, entry, line) : null;
      return now === null ? [] : { line: now, amount };
    })
    .sort((a, b) => a.line - b.line);
}
