// Code lenses: the numbers of each declaration that ran, each part with the question that it answers, `3 callers`.
import type { Declaration } from '../../grammar/outline.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import { lineOf } from '../mapping/lines.ts';
import { isFilled, threadCountInTable } from '../metrics/around-lookup.ts';
import type { Steps } from '../metrics/around-method.ts';
import { calleeCount, callerCount } from '../metrics/callers-index.ts';
import type { LoadedData } from '../workspace/data/loaded-data.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { aroundFact, aroundSteps } from './facts/around-facts.ts';
import { type Baseline, changeSteps } from './facts/compare.ts';
import type { MethodFacts } from './facts/method-facts.ts';
import { doubtsOf } from './facts/recorded-place.ts';
import { changeInHint, type HintFormat, shownIn } from './hints/hint-format.ts';
import { type HintOptions, hintOptions } from './hints/hint-options.ts';
import { baselineOf, type TextPlace } from './hints/hints.ts';
import { methodChange, methodToShow } from './hints/method-hints.ts';
import { groupDigits, shareInHint } from './text/format-share.ts';

/** The same object as long as neither what it says nor its place changes. */
export type Lens = {
  /** Where the name of the declaration begins, and how many UTF-16 units it has. */
  readonly name: TextPlace;
  readonly length: number;
  /** Which of the name's lenses it is, from 0. */
  readonly turn: number;
  readonly title: string;
  /** The question that the lens answers. */
  readonly asks: 'why' | 'callers' | 'callees' | 'threads' | 'compare';
};

type Shown = { readonly entry: MappedDeclaration; readonly declaration: Declaration; readonly facts: MethodFacts };

/** Works out in small steps what lenses need; what takes long comes last, so that the rest can be shown before. */
export function* lensSteps(document: DocumentView): Steps<void> {
  const { mapped } = document;
  if (mapped === null) return;
  const { data } = mapped;
  const baseline = baselineOf(document);
  if (baseline !== null) yield* changeSteps(data, baseline);
  const shown = declarationsOf(document, data, hintOptions(document.settings));
  for (const { entry } of shown) {
    if (data.analysis.selection.focus !== undefined) yield* aroundSteps(data, entry, ['callers']);
    yield;
  }
  for (const { entry } of shown) yield* threadSteps(data, entry);
}

/** Lenses of all declarations in their order; those for threads are left out where `lensSteps` did not come that far. */
export function lensesOf(document: DocumentView): readonly Lens[] {
  const { mapped } = document;
  if (mapped === null) return [];
  const { data } = mapped;
  const baseline = baselineOf(document);
  const options = hintOptions(document.settings);
  return declarationsOf(document, data, options).flatMap(shown =>
    lensesAt(document, data, shown, { baseline, options }),
  );
}

/** Those that have enough samples for a method hint; lambdas have a hint alone. */
function declarationsOf({ mapped, outline }: DocumentView, data: LoadedData, options: HintOptions): Shown[] {
  return (mapped?.map.declarations ?? []).flatMap(entry => {
    const declaration = outline.declarations[entry.declaration]!;
    const facts = declaration.kind === 'lambda' ? null : methodToShow(data, entry, declaration, options);
    return facts === null ? [] : [{ entry, declaration, facts }];
  });
}

function lensesAt(
  document: DocumentView,
  data: LoadedData,
  { entry, declaration, facts }: Shown,
  { baseline, options }: { readonly baseline: Baseline | null; readonly options: HintOptions },
): readonly Lens[] {
  const isDoubtful = doubtsOf(document, entry) !== null;
  const change = methodChange(data, entry, facts, baseline);
  const { total, doubted, callers, callees } = titlesOf(data, entry, facts);
  const parts: TitledPart[] = [[isDoubtful ? doubted : total, 'why']];
  const counted = (asks: Lens['asks'], count: number, noun: string) => {
    if (count > 0) parts.push([`${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`, asks]);
  };
  counted('callers', callers, 'caller');
  counted('callees', callees, 'callee');
  counted('threads', threadsKnown(data).get(entry.methods.join()) ?? 0, 'thread');
  if (change !== null) parts.push([changeInHint(change, options.format), 'compare']);
  return lensesOfParts(document, declaration, facts, parts, options.format);
}

type KeptLenses = {
  readonly parts: readonly TitledPart[];
  readonly format: HintFormat['kind'];
  readonly lenses: readonly Lens[];
};

/** Those of each declaration that were made last. */
const keptLenses = new WeakMap<MethodFacts, KeptLenses>();

function lensesOfParts(
  { outline }: DocumentView,
  { nameSpan }: Declaration,
  facts: MethodFacts,
  parts: readonly TitledPart[],
  format: HintFormat,
): readonly Lens[] {
  const line = lineOf(outline, nameSpan.start) - 1;
  const character = nameSpan.start - outline.lineStarts[line]!;
  const length = nameSpan.end - nameSpan.start;
  const known = keptLenses.get(facts);
  const [first] = known?.lenses ?? [];
  const isThere = first?.name.line === line && first.name.character === character && first.length === length;
  if (known !== undefined && isThere && known.format === format.kind && sameParts(known.parts, parts))
    return known.lenses;
  const name = { line, character };
  const lenses = parts.map(([title, asks], turn) => ({ name, length, turn, title: shownIn(title, format), asks }));
  keptLenses.set(facts, { parts, format: format.kind, lenses });
  return lenses;
}

function sameParts(known: readonly TitledPart[], parts: readonly TitledPart[]): boolean {
  return (
    known.length === parts.length && known.every(([title, asks], i) => title === parts[i]![0] && asks === parts[i]![1])
  );
}

type TitledPart = readonly [title: string, asks: Lens['asks']];

/** What lenses say of a declaration's methods, whatever the text: it lives as long as the data. */
type Titles = { readonly total: string; readonly doubted: string; readonly callers: number; readonly callees: number };

const titlesOfFacts = new WeakMap<MethodFacts, Titles>();

function titlesOf(data: LoadedData, entry: MappedDeclaration, facts: MethodFacts): Titles {
  const known = titlesOfFacts.get(facts);
  if (known !== undefined) return known;
  const { sites, siteAmounts } = data.values;
  const total = totalText(data, facts);
  const callees = calleeCount(sites, siteAmounts, entry.methods);
  const made = { total, doubted: `~${total}`, callers: callersOf(data, entry), callees };
  titlesOfFacts.set(facts, made);
  return made;
}

/** `62% of cpu · 140 of 226`. */
function totalText({ analysis: { whole }, metric }: LoadedData, { total }: MethodFacts): string {
  const share = shareInHint({ part: total.weight, whole: whole.weight, samples: total.count });
  return `${share} of ${metric.id} · ${groupDigits(total.count)} of ${groupDigits(whole.count)}`;
}

/** Callers of what is taken as the new 100 % lie outside of it. */
function callersOf(data: LoadedData, entry: MappedDeclaration): number {
  const { sites, siteAmounts } = data.values;
  if (data.analysis.selection.focus !== undefined) return aroundFact(data, entry, 'callers').length;
  return callerCount(sites, siteAmounts, entry.methods);
}

const threadsOfData = new WeakMap<LoadedData, Map<string, number>>();

function threadsKnown(data: LoadedData): Map<string, number> {
  const known = threadsOfData.get(data) ?? new Map<string, number>();
  threadsOfData.set(data, known);
  return known;
}

function* threadSteps(data: LoadedData, entry: MappedDeclaration): Steps<void> {
  const known = threadsKnown(data);
  const key = entry.methods.join();
  if (known.has(key)) return;
  const { around } = data.values;
  const counted = isFilled(around) ? threadCountInTable(around, entry.methods) : null;
  if (counted !== null) {
    known.set(key, counted);
    return;
  }
  yield* aroundSteps(data, entry, ['threads']);
  known.set(key, aroundFact(data, entry, 'threads').length);
}
