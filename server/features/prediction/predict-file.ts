// What an edit will cost: calls that are new, gone, or run more or less often, by the response times of what they call, passed on to callers.
import { lineAt } from '../../../grammar/lines.ts';
import type { Declaration } from '../../../grammar/outline.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { statementsOf } from '../../../grammar/statements.ts';
import type { Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { simpleClassName } from '../../mapping/class-names.ts';
import { parseDescriptor } from '../../mapping/descriptor.ts';
import { type CallCost, callCost, interval80 } from '../../metrics/call-cost.ts';
import type { MethodResponseTimes } from '../../metrics/response-times.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { entryOf } from '../facts/entry-of.ts';
import { comparisonFor } from '../facts/recorded-place.ts';
import { classNameOf, methodNameOf } from '../text/runtime-names.ts';
import { type WeighedCall, type Weight, weighCalls } from './call-weights.ts';

/** A call that the edit adds, takes away, or makes run more or less often. */
export type PredictedTerm = {
  /** Line of the text that has the call: the present one, or for `removed` the recorded one. */
  readonly line: number;
  readonly callee: string;
  readonly change: 'added' | 'removed' | 'more or less often';
  /** Times more in one run of the method; null where that is not known. */
  readonly times: Weight | null;
  /** What decides how often it runs, outermost first. */
  readonly around: readonly string[];
  /** null where it is not known what one call costs, for the reason. */
  readonly cost: CallCost | null;
  readonly reason: string;
};

type Reliability = 'measured' | 'likely' | 'rough';

export type PredictedMethod = {
  /** Rows of the method table; empty for a new method. */
  readonly rows: readonly number[];
  readonly name: string;
  readonly line: number;
  /** Nanoseconds of one run as it was recorded; null where that is not known. */
  readonly measured: number | null;
  /** Nanoseconds that one run takes longer, as far as the terms are known. */
  readonly change: number;
  readonly interval: readonly [low: number, high: number];
  readonly reliability: Reliability;
  readonly terms: readonly PredictedTerm[];
  /** Terms that are not in the change, because something of them is not known. */
  readonly unknown: number;
};

type PredictedCaller = {
  readonly row: number;
  readonly measured: number;
  /** null where its calls overlap in time: then a change of one of them says nothing of the whole. */
  readonly change: number | null;
};

export type PredictedFile = {
  readonly methods: readonly PredictedMethod[];
  /** Methods of any file that call them, directly or through others; the largest change first. */
  readonly callers: readonly PredictedCaller[];
  /** Why nothing can be predicted; null where something can. */
  readonly obstacle: 'notTimed' | 'textUnknown' | null;
};

/** Smaller changes are not told, as a part of the method and in nanoseconds. */
const LEAST_PART = 0.01;
const LEAST_NANOS = 1e6;

export async function predictFile(document: DocumentView, data: LoadedData, reach: Reach): Promise<PredictedFile> {
  const times = await timesOf(data, reach);
  const nothing = (obstacle: PredictedFile['obstacle']) => ({ methods: [], callers: [], obstacle });
  if (times.size === 0) return nothing('notTimed');
  // Other texts stand in for the recorded one: what differs from them need not be new.
  if (document.mapped?.profiled.from !== 'commit') return nothing('textUnknown');
  const methods = document.outline.declarations.flatMap(declaration => {
    const found = predictMethod(document, declaration, { data, times });
    return found === null ? [] : [found];
  });
  return { methods, callers: callersOf(methods, times), obstacle: null };
}

type Timed = { readonly data: LoadedData; readonly times: ReadonlyMap<number, MethodResponseTimes> };

async function timesOf(data: LoadedData, reach: Reach): Promise<ReadonlyMap<number, MethodResponseTimes>> {
  const { times } = data.profile;
  if (times === undefined) return new Map();
  const rows = [...new Set(times.method)].filter(row => row > PARTIAL_METHOD);
  const found = await reach.ask(data, 'responseTimes', { sets: rows.map(row => [row]) });
  return new Map(rows.flatMap((row, at) => (found[at] === null ? [] : [[row, found[at]!] as const])));
}

function predictMethod(document: DocumentView, declaration: Declaration, timed: Timed): PredictedMethod | null {
  if (declaration.kind !== 'method' && declaration.kind !== 'constructor') return null;
  const comparison = comparisonFor(document, declaration.row);
  const recorded = document.mapped?.profiled.text ?? null;
  if (comparison === null || recorded === null || document.mapped?.comparison !== comparison) return null;
  const before = comparison.profiledRow(declaration.row);
  if (comparison.stateOf(declaration.row) !== 'changed') return null;
  const rows = entryOf(document, declaration.row)?.methods ?? [];
  const own = rows.flatMap(row => timed.times.get(row) ?? []).reduce<MethodResponseTimes | null>(longer, null);
  const compared = comparison.statementsOf(declaration.row);
  const earlier = statementsOf(recorded, comparison.profiled, comparison.profiled.declarations[before]!);
  const callee = new Callees(timed, rows);
  const counts = callsByName(earlier);
  const measuredOf = (statement: Statement | null): number | null => {
    const name = statement?.call?.name;
    if (own === null || name === undefined || counts.get(name) !== 1) return null;
    return callee.timesARun(statement!, own);
  };
  const then = weighCalls(recorded, earlier, measuredOf);
  const beforeOf = (statement: Statement) => compared.statements.get(statement)?.before ?? null;
  // How often a call ran was measured in the loops and branches in which it stood: in others it tells nothing.
  const stoodIn = surroundings(earlier, placeOf);
  const standsIn = surroundings(compared.current, statement => {
    const was = beforeOf(statement);
    return was === null ? 'new' : placeOf(was);
  });
  const now = weighCalls(document.text, compared.current, statement => {
    const was = beforeOf(statement);
    if (was === null || standsIn.get(placeOf(statement)) !== stoodIn.get(placeOf(was))) return null;
    return measuredOf(was);
  });
  // Each reading of a text makes its own statements: their places tell them apart.
  const weightThen = new Map(then.map(each => [placeOf(each.statement), each]));
  const terms: PredictedTerm[] = [];
  const kept = new Set<string>();
  for (const call of now) {
    const was = beforeOf(call.statement);
    if (was !== null) kept.add(placeOf(was));
    const term = termOf(call, was === null ? null : (weightThen.get(placeOf(was)) ?? null), callee);
    if (term !== null) terms.push(term);
  }
  for (const call of then)
    if (!kept.has(placeOf(call.statement))) terms.push(callee.term(call, 'removed', negative(call.weight)));
  return summed(terms, { declaration, document, rows, own });
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

function callsByName(statements: readonly Statement[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const walk = (list: readonly Statement[]) => {
    for (const { call, parts } of list) {
      if (call !== null) counts.set(call.name, (counts.get(call.name) ?? 0) + 1);
      for (const part of parts) walk(part.statements);
    }
  };
  walk(statements);
  return counts;
}

/** Finds what a call calls among the methods whose calls were timed. */
class Callees {
  readonly #timed: Timed;
  readonly #caller: readonly number[];

  constructor(timed: Timed, caller: readonly number[]) {
    this.#timed = timed;
    this.#caller = caller;
  }

  /** How often the method was called in one run of the caller; null where that was not recorded. */
  timesARun(statement: Statement, caller: MethodResponseTimes): number | null {
    const row = this.#rowOf(statement);
    if (typeof row !== 'number' || caller.count === 0) return null;
    const own = this.#timed.times.get(row)!.callers.find(each => this.#caller.includes(each.caller));
    return own === undefined ? null : own.count / caller.count;
  }

  term({ statement, around }: WeighedCall, change: PredictedTerm['change'], times: Weight | null): PredictedTerm {
    const { call } = statement;
    const row = this.#rowOf(statement);
    const about = { line: call!.line, change, times, around };
    if (typeof row === 'string') return { ...about, callee: call!.name, cost: null, reason: row };
    const found = this.#timed.times.get(row)!;
    const caller = this.#caller.find(each => found.callers.some(other => other.caller === each)) ?? null;
    const { methods } = this.#timed.data.profile;
    const callee = `${classNameOf(methods, row)}.${methodNameOf(methods, row)}`;
    const isKnown = times !== null;
    return {
      ...about,
      callee,
      cost: callCost(found, caller),
      reason: isKnown ? '' : 'it is not known how often it runs',
    };
  }

  /** The row of the method, or why it is not known. */
  #rowOf({ call }: Statement): number | string {
    const { methods } = this.#timed.data.profile;
    const { name, kind, argumentCount } = call!;
    const wanted = kind === 'new' ? '<init>' : name;
    const fits = [...this.#timed.times.keys()].filter(row => {
      if (methods.strings[methods.name[row]!] !== wanted) return false;
      if (kind === 'new' && simpleClassName(classNameOf(methods, row)) !== name) return false;
      const descriptor = methods.descriptor[row]!;
      const parsed = descriptor < 0 ? null : parseDescriptor(methods.strings[descriptor]!);
      return parsed === null || parsed.parameters.length === argumentCount;
    });
    const called = fits.filter(row =>
      this.#timed.times.get(row)!.callers.some(({ caller }) => this.#caller.includes(caller)),
    );
    const own = fits.filter(row => this.#caller.some(each => classNameOf(methods, each) === classNameOf(methods, row)));
    for (const found of [called, own, fits]) if (found.length === 1) return found[0]!;
    return fits.length === 0 ? 'its calls were not timed' : `${fits.length} methods are called so`;
  }
}

type About = {
  readonly declaration: Declaration;
  readonly document: DocumentView;
  readonly rows: readonly number[];
  readonly own: MethodResponseTimes | null;
};

/** null where nothing that matters is predicted. Means and variances add up; only what is not known of a branch gives two ends. */
function summed(terms: readonly PredictedTerm[], { declaration, document, rows, own }: About): PredictedMethod | null {
  const known = terms.flatMap(({ cost, times }) => (cost === null || times === null ? [] : [{ cost, times }]));
  const ends = (end: keyof Weight) => known.reduce((sum, { cost, times }) => sum + times[end] * cost.mean, 0);
  const variance = known.reduce(
    (sum, { cost, times }) => sum + Math.max(times.least ** 2, times.most ** 2) * cost.variance,
    0,
  );
  const [low, high] = [ends('least'), ends('most')].toSorted((a, b) => a - b) as [number, number];
  const change = (low + high) / 2;
  const measured = own?.mean ?? null;
  const isSmall =
    Math.abs(change) < LEAST_NANOS && Math.abs(change) < LEAST_PART * (measured ?? Number.POSITIVE_INFINITY);
  const unknown = terms.length - known.length;
  if (terms.length === 0 || (isSmall && unknown === 0)) return null;
  const { lineStarts } = document.outline;
  return {
    rows,
    name: declaration.name,
    line: lineAt(lineStarts, declaration.nameSpan.start),
    measured,
    change,
    interval: [signed(low, variance)[0], signed(high, variance)[1]],
    reliability: reliabilityOf(known, low !== high),
    terms,
    unknown,
  };
}

/** The 80 % interval of an amount that may be negative. */
function signed(amount: number, variance: number): readonly [number, number] {
  const [low, high] = interval80(Math.abs(amount), variance);
  return amount < 0 ? [-high, -low] : [low, high];
}

function reliabilityOf(known: readonly { readonly cost: CallCost }[], hasTwoEnds: boolean): Reliability {
  if (hasTwoEnds || known.length === 0) return 'rough';
  return known.every(({ cost }) => cost.rule === 'caller') ? 'measured' : 'likely';
}

/** Children that took longer together than their caller ran at the same time. */
const OVERLAP = 1.05;

/** Passes the changes on to callers: each by how often it calls, once for each method, so that recursion ends. */
function callersOf(
  methods: readonly PredictedMethod[],
  times: ReadonlyMap<number, MethodResponseTimes>,
): PredictedCaller[] {
  const inside = new Map<number, number>();
  for (const { callers } of times.values())
    for (const { caller, sum } of callers) inside.set(caller, (inside.get(caller) ?? 0) + sum);
  const changes = new Map<number, number | null>();
  const start = new Map(methods.flatMap(({ rows, change }) => rows.map(row => [row, change] as const)));
  const order = callOrder([...start.keys()], times);
  const rank = new Map(order.map((row, at) => [row, at] as const));
  for (const row of order) {
    const own = start.get(row) ?? changes.get(row) ?? 0;
    for (const { caller, count } of times.get(row)?.callers ?? []) {
      const above = times.get(caller);
      if (above === undefined || start.has(caller) || rank.get(caller)! <= rank.get(row)!) continue;
      const overlaps = (inside.get(caller) ?? 0) > OVERLAP * above.sum;
      const so = changes.get(caller);
      changes.set(caller, overlaps || so === null || own === null ? null : (so ?? 0) + (own * count) / above.count);
    }
  }
  return [...changes]
    .map(([row, change]) => ({ row, measured: times.get(row)!.mean, change }))
    .sort((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0) || a.row - b.row);
}

/** The methods and all that call them: callees before callers, as far as no cycle contradicts. */
function callOrder(rows: readonly number[], times: ReadonlyMap<number, MethodResponseTimes>): number[] {
  const done = new Set<number>();
  const order: number[] = [];
  // Depth first by callers, and a method follows all that it leads to; a loop, since chains of calls are long.
  const pending: { readonly row: number; readonly callers: number[] }[] = [];
  const open = (row: number) => {
    if (done.has(row)) return;
    done.add(row);
    pending.push({ row, callers: (times.get(row)?.callers ?? []).map(({ caller }) => caller) });
  };
  for (const row of rows) {
    open(row);
    while (pending.length > 0) {
      const top = pending.at(-1)!;
      const next = top.callers.pop();
      if (next === undefined) {
        order.push(top.row);
        pending.pop();
      } else if (times.has(next)) open(next);
    }
  }
  return order.reverse();
}
