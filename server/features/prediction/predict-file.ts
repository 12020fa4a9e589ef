// What an edit will cost: calls that are new, gone, or run more or less often, by the response times of what they call, passed on to callers.
import { lineAt } from '../../../grammar/lines.ts';
import type { Declaration } from '../../../grammar/outline.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { statementsOf } from '../../../grammar/statements.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { callsOfWindow, interval80, windowVariance } from '../../metrics/call-cost.ts';
import type { MethodResponseTimes } from '../../metrics/response-times.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { entryOf } from '../facts/entry-of.ts';
import { comparisonFor } from '../facts/recorded-place.ts';
import { type Assumptions, assumedIterations, NOTHING_ASSUMED } from './assumptions.ts';
import { callStatements, type WeighedCall, type Weight, weighCalls } from './call-weights.ts';
import { Callees, type Grounds, titleOf } from './callees.ts';
import { passOn } from './pass-on.ts';
import {
  asksIterations,
  isTold,
  type KnownTerm,
  knownTerms,
  type PredictedFile,
  type PredictedMethod,
  type PredictedTerm,
  reliabilityOf,
} from './prediction.ts';
import { TimedMethods } from './timed-methods.ts';

const nothing = (obstacle: PredictedFile['obstacle']): PredictedFile => ({ methods: [], callers: [], obstacle });

/** @param timed of the document's data; made anew when absent, which takes a walk over all response times. */
export function predictFile(
  document: DocumentView,
  data: LoadedData,
  assumptions: Assumptions = NOTHING_ASSUMED,
  timed: TimedMethods = new TimedMethods(data),
): PredictedFile {
  if (timed.size === 0) return nothing('notTimed');
  // Other texts stand in for the recorded one: what differs from them need not be new.
  if (document.mapped?.profiled.from !== 'commit') return nothing('textUnknown');
  const grounds: Grounds = { document, timed, assumptions };
  const found = document.outline.declarations.flatMap(each => predictMethod(grounds, each) ?? []);
  const { methods, callers } = passOn(found, timed);
  const told = methods.filter(matters);
  const affected = callers.filter(({ change, measured }) => change === null || isTold(change, measured));
  return { methods: told, callers: told.length === 0 ? [] : affected, obstacle: null };
}

/** What is not known matters as long as it can come to something. */
function matters({ change, measured, terms }: PredictedMethod): boolean {
  return isTold(change, measured) || terms.some(term => term.cost === null || asksIterations(term, measured));
}

function predictMethod(grounds: Grounds, declaration: Declaration): PredictedMethod | null {
  const { document, timed, assumptions } = grounds;
  if (declaration.kind !== 'method' && declaration.kind !== 'constructor') return null;
  const comparison = comparisonFor(document, declaration.row);
  const recorded = document.mapped?.profiled.text ?? null;
  if (comparison === null || recorded === null || document.mapped?.comparison !== comparison) return null;
  if (comparison.stateOf(declaration.row) !== 'changed') return null;
  const before = comparison.profiledRow(declaration.row);
  const rows = entryOf(document, declaration.row)?.methods ?? [];
  const own = rows.flatMap(row => timed.of(row) ?? []).reduce<MethodResponseTimes | null>(longer, null);
  const compared = comparison.statementsOf(declaration.row);
  const earlier = statementsOf(recorded, comparison.profiled, comparison.profiled.declarations[before]!);
  const callees = new Callees(grounds, rows, { text: recorded, statements: earlier });
  const callsByName = Map.groupBy(callStatements(earlier), ({ call }) => call.name);
  const measuredOf = (statement: Statement | null): number | null => {
    const name = statement?.call?.name;
    if (own === null || name === undefined || callsByName.get(name)?.length !== 1) return null;
    return callees.timesARun(statement!, own);
  };
  const title = titleOf(document, declaration);
  const assumed = (header: string) => assumedIterations(assumptions, title, header);
  const then = weighCalls(recorded, earlier, { measured: measuredOf, assumed });
  const beforeOf = (statement: Statement) => compared.statements.get(statement)?.before ?? null;
  // How often a call ran was measured in the loops and branches in which it stood: in others it tells nothing.
  const stoodIn = surroundings(earlier, placeOf);
  const standsIn = surroundings(compared.current, statement => {
    const was = beforeOf(statement);
    return was === null ? 'new' : placeOf(was);
  });
  const measured = (statement: Statement) => {
    const was = beforeOf(statement);
    if (was === null || standsIn.get(placeOf(statement)) !== stoodIn.get(placeOf(was))) return null;
    return measuredOf(was);
  };
  const now = weighCalls(document.text, compared.current, { measured, assumed });
  const terms = termsOf({ now, then, beforeOf, callees });
  return terms.length === 0 ? null : summed(terms, { declaration, document, rows, own });
}

type Both = {
  readonly now: readonly WeighedCall[];
  readonly then: readonly WeighedCall[];
  /** What a call of the present text was in the recorded one; null for a new one. */
  readonly beforeOf: (statement: Statement) => Statement | null;
  readonly callees: Callees;
};

function termsOf({ now, then, beforeOf, callees }: Both): PredictedTerm[] {
  // Each reading of a text makes its own statements: their places tell them apart.
  const weightThen = new Map(then.map(each => [placeOf(each.statement), each]));
  const terms: PredictedTerm[] = [];
  const kept = new Set<string>();
  for (const call of now) {
    const was = beforeOf(call.statement);
    if (was !== null) kept.add(placeOf(was));
    const term = termOf(call, was === null ? null : (weightThen.get(placeOf(was)) ?? null), callees);
    if (term !== null) terms.push(term);
  }
  for (const call of then)
    if (!kept.has(placeOf(call.statement))) terms.push(callees.term(call, 'removed', negative(call.weight)));
  return terms;
}

function placeOf({ span }: Statement): string {
  return `${span.start} ${span.end}`;
}

/** By place of each call: the loops and branches that it stands in, with their parts, outermost first. */
function surroundings(
  statements: readonly Statement[],
  nameOf: (statement: Statement) => string,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const walk = (list: readonly Statement[], around: string) => {
    for (const statement of list) {
      if (statement.call !== null) found.set(placeOf(statement), around);
      const own = statement.call === null ? `${around} ${nameOf(statement)}` : around;
      for (const { role, statements: inner } of statement.parts)
        walk(inner, statement.call === null ? `${own} ${role}` : own);
    }
  };
  walk(statements, '');
  return found;
}

function longer(a: MethodResponseTimes | null, b: MethodResponseTimes): MethodResponseTimes {
  return a === null || b.count > a.count ? b : a;
}

function negative(weight: Weight | null): Weight | null {
  return weight === null ? null : { least: -weight.most, most: -weight.least };
}

/** null where the call runs as often as before. */
function termOf(call: WeighedCall, before: WeighedCall | null, callees: Callees): PredictedTerm | null {
  if (before === null) return callees.term(call, 'added', call.weight);
  const [now, then] = [call.weight, before.weight];
  const isSame = call.around.join() === before.around.join();
  if (isSame || (now !== null && then !== null && now.least === then.least && now.most === then.most)) return null;
  const known = now !== null && then !== null;
  const more = known ? { least: now.least - then.least, most: now.most - then.most } : null;
  return callees.term(call, 'more or less often', more);
}

/** Where a method stands, and what it took. */
type About = {
  readonly declaration: Declaration;
  readonly document: DocumentView;
  readonly rows: readonly number[];
  readonly own: MethodResponseTimes | null;
};

/** Means and variances add up; only what is not known of a branch gives two ends. */
function summed(terms: readonly PredictedTerm[], { declaration, document, rows, own }: About): PredictedMethod {
  const known = knownTerms(terms);
  const ends = (end: keyof Weight) => known.reduce((sum, { cost, times }) => sum + times[end] * cost.mean, 0);
  const runs = own === null ? 1 : callsOfWindow(own);
  const variance = known.reduce(
    (sum, term) => sum + varianceOf(term, runs),
    own === null || known.length === 0 ? 0 : windowVariance(own),
  );
  const [low, high] = [ends('least'), ends('most')].toSorted((a, b) => a - b) as [number, number];
  const measured = own?.mean ?? null;
  return {
    rows,
    declaration: declaration.row,
    name: declaration.name,
    title: titleOf(document, declaration),
    line: lineAt(document.outline.lineStarts, declaration.nameSpan.start),
    measured,
    change: (low + high) / 2,
    passed: 0,
    interval: [within(low, variance, measured)[0], within(high, variance, measured)[1]],
    reliability: reliabilityOf(known, low !== high),
    terms,
    unknown: terms.length - known.length,
  };
}

/** Of the mean of a window with so many runs. What is taken away differs no more on its own: it was part of the method's own variance. */
function varianceOf({ cost, times }: KnownTerm, runs: number): number {
  const most = Math.max(Math.abs(times.least), Math.abs(times.most));
  return most ** 2 * cost.shared + (times.most > 0 ? (most * cost.single) / runs : 0);
}

/** The 80 % interval of a change: that of the whole time without what it was before. Of a method that was not measured, of the change alone. */
function within(change: number, variance: number, measured: number | null): readonly [number, number] {
  if (measured !== null && measured + change > 0) {
    const [low, high] = interval80(measured + change, variance);
    return [low - measured, high - measured];
  }
  const [low, high] = interval80(Math.abs(change), variance);
  return change < 0 ? [-high, -low] : [low, high];
}
