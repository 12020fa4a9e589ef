// Code lenses: the numbers of each declaration that ran, each part with the question that it answers, `3 callers`.
import type { Declaration } from '../../grammar/outline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import { lineOf } from '../mapping/lines.ts';
import { isFilled, threadCountInTable } from '../metrics/around-lookup.ts';
import type { Steps } from '../metrics/around-method.ts';
import { calleeCount, callerCount } from '../metrics/callers-index.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { aroundFact, aroundSteps } from './facts/around-facts.ts';
import { type Baseline, changeSteps } from './facts/compare.ts';
import type { MethodFacts } from './facts/method-facts.ts';
import { doubtsOf } from './facts/recorded-place.ts';
import { changeInHint, type HintFormat, shownIn as textIn } from './hints/hint-format.ts';
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

type Mapped = NonNullable<DocumentView['mapped']>;

type Shown = { readonly entry: MappedDeclaration; readonly declaration: Declaration; readonly facts: MethodFacts };

/** Works out in small steps what lenses need; what takes long comes last, so that the rest can be shown before. */
export function* lensSteps(document: DocumentView): Steps<void> {
  const { mapped } = document;
  if (mapped === null) return;
  const { data } = mapped;
  const baseline = baselineOf(document);
  if (baseline !== null) yield* changeSteps(data, baseline);
  const shown = shownIn(document, mapped, hintOptions(document.settings));
  for (const { entry } of shown) {
    if (data.analysis.selection.focus !== undefined) yield* aroundSteps(data, entry, ['callers']);
    yield;
  }
  for (const { entry, facts } of shown) yield* threadSteps(data, entry, facts);
}

/** Lenses of all declarations in their order; those for threads are left out where `lensSteps` did not come that far. */
export function lensesOf(document: DocumentView): readonly Lens[] {
  const { mapped } = document;
  if (mapped === null) return [];
  const { data } = mapped;
  const baseline = baselineOf(document);
  const options = hintOptions(document.settings);
  const lenses: Lens[] = [];
  for (const shown of shownIn(document, mapped, options))
    lenses.push(...lensesAt(document, data, shown, { baseline, options }));
  return lenses;
}

/** What `lensSteps` found is what `lensesOf` shows: of the same document, with the same data. */
const shownOfMapped = new WeakMap<Mapped, readonly Shown[]>();

/** Declarations that have enough samples for a method hint; lambdas have a hint alone. */
function shownIn({ outline }: DocumentView, mapped: Mapped, options: HintOptions): readonly Shown[] {
  const known = shownOfMapped.get(mapped);
  if (known !== undefined) return known;
  const shown: Shown[] = [];
  for (const entry of mapped.map.declarations) {
    const declaration = outline.declarations[entry.declaration]!;
    const facts = declaration.kind === 'lambda' ? null : methodToShow(mapped.data, entry, declaration, options);
    if (facts !== null) shown.push({ entry, declaration, facts });
  }
  shownOfMapped.set(mapped, shown);
  return shown;
}

function lensesAt(
  document: DocumentView,
  data: LoadedData,
  { entry, declaration, facts }: Shown,
  { baseline, options }: { readonly baseline: Baseline | null; readonly options: HintOptions },
): readonly Lens[] {
  const change = methodChange(data, entry, facts, baseline);
  const plain = partsOf(data, entry, facts, doubtsOf(document, entry) !== null);
  const parts = change === null ? plain : [...plain, [changeInHint(change, options.format), 'compare'] as const];
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
  const first = known?.lenses[0];
  const isThere = first?.name.line === line && first.name.character === character && first.length === length;
  if (known !== undefined && isThere && known.format === format.kind && sameParts(known.parts, parts))
    return known.lenses;
  const name = { line, character };
  const lenses = parts.map(([title, asks], turn) => ({ name, length, turn, title: textIn(title, format), asks }));
  keptLenses.set(facts, { parts, format: format.kind, lenses });
  return lenses;
}

function sameParts(known: readonly TitledPart[], parts: readonly TitledPart[]): boolean {
  return (
    known === parts ||
    (known.length === parts.length &&
      known.every(([title, asks], i) => title === parts[i]![0] && asks === parts[i]![1]))
  );
}

type TitledPart = readonly [title: string, asks: Lens['asks']];

/** What lenses say of a declaration's methods, whatever the text: it lives as long as the data. */
type Titles = { readonly total: string; readonly doubted: string; readonly callers: number; readonly callees: number };

/** What a lens says without a comparison, and what that follows from beside the titles. */
type Plain = { readonly isDoubtful: boolean; readonly threads: number; readonly parts: readonly TitledPart[] };

const plainOfFacts = new WeakMap<MethodFacts, Plain>();

/** The same list as long as it says the same. */
function partsOf(
  data: LoadedData,
  entry: MappedDeclaration,
  facts: MethodFacts,
  isDoubtful: boolean,
): readonly TitledPart[] {
  const threads = threadsOfFacts.get(facts) ?? 0;
  const known = plainOfFacts.get(facts);
  if (known !== undefined && known.isDoubtful === isDoubtful && known.threads === threads) return known.parts;
  const { total, doubted, callers, callees } = titlesOf(data, entry, facts);
  const parts: TitledPart[] = [[isDoubtful ? doubted : total, 'why']];
  const counted = (asks: Lens['asks'], count: number, noun: string) => {
    if (count > 0) parts.push([`${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`, asks]);
  };
  counted('callers', callers, 'caller');
  counted('callees', callees, 'callee');
  counted('threads', threads, 'thread');
  plainOfFacts.set(facts, { isDoubtful, threads, parts });
  return parts;
}

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

/** Facts are those of one set of methods in one set of data, and so are their threads. */
const threadsOfFacts = new WeakMap<MethodFacts, number>();

function* threadSteps(data: LoadedData, entry: MappedDeclaration, facts: MethodFacts): Steps<void> {
  if (threadsOfFacts.has(facts)) return;
  const { around } = data.values;
  const counted = isFilled(around) ? threadCountInTable(around, entry.methods) : null;
  if (counted === null) yield* aroundSteps(data, entry, ['threads']);
  threadsOfFacts.set(facts, counted ?? aroundFact(data, entry, 'threads').length);
}
