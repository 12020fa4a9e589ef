// Code lenses: the numbers of each declaration that ran, each part with the question that it answers, `3 callers`.

import type { Declaration } from '../../grammar/outline.ts';
import type { Need } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { MethodFacts } from '../analysis/method-facts.ts';
import type { SurroundingFact } from '../analysis/surroundings-answer.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import { calleeCount, callerCount } from '../metrics/callers-index.ts';
import type { DocumentView, Mapped } from '../workspace/document/document-view.ts';
import { pointAt, type TextPoint } from './calls/locate.ts';
import { doubtsOf } from './facts/recorded-place.ts';
import { changeInHint, shownIn as textIn } from './hints/hint-format.ts';
import { type HintOptions, hintOptions } from './hints/hint-options.ts';
import { declarationChange, methodToShow } from './hints/method-hints.ts';
import { groupDigits, partOf, plural, shareInHint } from './text/format-share.ts';

export type Lens = {
  /** Where the name of the declaration begins, and how many UTF-16 units it has. */
  readonly name: TextPoint;
  readonly length: number;
  /** Which of the name's lenses it is, from 0. */
  readonly turn: number;
  readonly title: string;
  /** The question that the lens answers. */
  readonly asks: 'why' | 'callers' | 'callees' | 'threads' | 'moved';
};

type Shown = { readonly entry: MappedDeclaration; readonly declaration: Declaration; readonly facts: MethodFacts };

/** The needs of lenses beside the numbers of the document, which have to be known before. */
export function lensNeeds(document: DocumentView): Need[] {
  const { mapped } = document;
  if (mapped === null) return [];
  const { data } = mapped;
  const sets = shownIn(document, mapped, hintOptions(document.settings)).map(({ entry }) => entry.methods);
  const facts: SurroundingFact[] = hasFocus(data) ? ['callers', 'threadCount'] : ['threadCount'];
  return [{ data, around: { sets, facts } }];
}

/** Lenses of all declarations in their order; lenses for threads and, under a focus, for callers are left out while they are not known. */
export function lensesOf(document: DocumentView): readonly Lens[] {
  const { mapped } = document;
  if (mapped === null) return [];
  const { data } = mapped;
  const { baseline } = document;
  const options = hintOptions(document.settings);
  return shownIn(document, mapped, options).flatMap(shown => lensesAt(document, data, shown, { baseline, options }));
}

/** Declarations that have enough samples for a method hint; lambdas have a hint alone. */
function shownIn({ outline }: DocumentView, mapped: Mapped, options: HintOptions): readonly Shown[] {
  return mapped.map.declarations.flatMap(entry => {
    const declaration = outline.declarations[entry.declaration]!;
    const facts = declaration.kind === 'lambda' ? null : methodToShow(mapped.data, entry, declaration, options);
    return facts === null ? [] : { entry, declaration, facts };
  });
}

function lensesAt(
  document: DocumentView,
  data: LoadedData,
  { entry, declaration, facts }: Shown,
  { baseline, options }: { readonly baseline: Baseline | null; readonly options: HintOptions },
): readonly Lens[] {
  const { start, end } = declaration.nameSpan;
  const name = pointAt(document.outline, start);
  const change = declarationChange(data, entry, facts, baseline);
  const plain = partsOf(data, entry, facts, doubtsOf(document, entry) !== null);
  const parts = change === null ? plain : [...plain, [changeInHint(change, options.format), 'moved'] as const];
  return parts.map(([title, asks], turn) => ({
    name,
    length: end - start,
    turn,
    title: textIn(title, options.format),
    asks,
  }));
}

type TitledPart = readonly [title: string, asks: Lens['asks']];

/** The lenses of a declaration without a comparison. */
function partsOf(
  data: LoadedData,
  { methods }: MappedDeclaration,
  facts: MethodFacts,
  isDoubtful: boolean,
): readonly TitledPart[] {
  const { sites, siteAmounts } = data.values;
  const { callers, threadCount = 0 } = data.answers.surroundingsOf(methods);
  // Callers of the new 100 % lie outside of a focus: the tables of calls do not have them.
  const callerTotal = hasFocus(data) ? (callers?.length ?? 0) : callerCount(sites, siteAmounts, methods);
  const total = totalText(data, facts);
  return [
    [isDoubtful ? `~${total}` : total, 'why'],
    ...counted('callers', callerTotal, 'caller'),
    ...counted('callees', calleeCount(sites, siteAmounts, methods), 'callee'),
    ...counted('threads', threadCount, 'thread'),
  ];
}

function counted(asks: Lens['asks'], count: number, noun: string): readonly TitledPart[] {
  return count > 0 ? [[plural(count, noun), asks]] : [];
}

function hasFocus({ analysis }: LoadedData): boolean {
  return analysis.selection.focus !== undefined;
}

/** `62% of cpu · 140 of 226`. */
function totalText({ analysis: { whole }, metric }: LoadedData, { total }: MethodFacts): string {
  const share = shareInHint(partOf(total, whole));
  return `${share} of ${metric.id} · ${groupDigits(total.count)} of ${groupDigits(whole.count)}`;
}
