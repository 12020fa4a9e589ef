// What stands around a declaration's methods, worked out in steps and remembered as long as the data live.

import type { LoadedData, MethodValues } from '../../analysis/loaded-data.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import {
  calleeMethodsInTable,
  callersInTable,
  effectiveSamplesInTable,
  isFilled,
  linesInTable,
} from '../../metrics/around-lookup.ts';
import {
  type CallSite,
  calleeMethodSteps,
  calleeSteps,
  calleesInTable,
  callerSteps,
  effectiveSampleSteps,
  type LineAndAmount,
  lineSteps,
  type MethodAndAmount,
  resultOf,
  type Steps,
  type ThreadAndAmount,
  threadSteps,
} from '../../metrics/around-method.ts';
import type { MethodSet } from '../../metrics/frames.ts';
import { effectiveWhole } from '../../metrics/queries.ts';

type Facts = {
  readonly callers: readonly MethodAndAmount[];
  readonly callees: readonly CallSite[];
  /** Callees whatever the line. */
  readonly calleeMethods: readonly MethodAndAmount[];
  readonly lines: readonly LineAndAmount[];
  readonly threads: readonly ThreadAndAmount[];
  /** How many equally weighted samples carry the same sampling error. */
  readonly effectiveSamples: number;
};

/** One of the things that stand around a method. */
export type AroundFact = keyof Facts;

const STEPS: { readonly [Fact in AroundFact]: (data: LoadedData, methods: MethodSet) => Steps<Facts[Fact]> } = {
  callers: (data, methods) =>
    tabled(data, methods, ({ around, sites }, method) => callersInTable(around, sites, method)) ??
    callerSteps(data.analysis, methods),
  callees: ({ analysis, values }, methods) =>
    methods.length === 1
      ? once(() => calleesInTable(values.sites, values.siteAmounts, methods[0]!))
      : calleeSteps(analysis, methods),
  calleeMethods: (data, methods) => calleeMethods(data, methods),
  lines: (data, methods) =>
    tabled(data, methods, ({ around }, method) => linesInTable(around, data.lines, method)) ??
    lineSteps(data.analysis, methods),
  threads: ({ analysis }, methods) => threadSteps(analysis, methods),
  effectiveSamples: (data, methods) =>
    tabled(data, methods, ({ around, total }, method) => effectiveSamplesInTable(around, total, method)) ??
    effectiveSampleSteps(data.analysis, methods),
};

/** Looked up where the tables of all methods are filled in; null where it has to be worked out. */
function tabled<T>(
  { values }: LoadedData,
  methods: MethodSet,
  look: (values: MethodValues, method: number) => T,
): Steps<T> | null {
  return methods.length === 1 && isFilled(values.around) ? once(() => look(values, methods[0]!)) : null;
}

function* once<T>(find: () => T): Steps<T> {
  yield;
  return find();
}

/** Looked up where no callee was called from several lines: summed up, a sample of several would count more than once. */
function* calleeMethods(data: LoadedData, methods: MethodSet): Steps<readonly MethodAndAmount[]> {
  const sites = yield* STEPS.callees(data, methods);
  const isOnce = new Set(sites.map(({ method }) => method)).size === sites.length;
  if (isOnce) return sites;
  const looked = tabled(data, methods, ({ around, sites }, method) => calleeMethodsInTable(around, sites, method));
  return yield* looked ?? calleeMethodSteps(data.analysis, methods);
}

/** Of this many sets of methods everything is remembered. */
const MOST_REMEMBERED = 200;

type Known = { readonly bySet: Map<string, Partial<Facts>>; effectiveWhole: number | null };

const knownOfData = new WeakMap<LoadedData, Known>();

function knownOf(data: LoadedData): Known {
  const known = knownOfData.get(data) ?? { bySet: new Map(), effectiveWhole: null };
  knownOfData.set(data, known);
  return known;
}

function knownOfSet(data: LoadedData, methods: MethodSet): { -readonly [Fact in AroundFact]?: Facts[Fact] } {
  const { bySet } = knownOf(data);
  const key = methods.join();
  const known = bySet.get(key) ?? {};
  bySet.delete(key);
  bySet.set(key, known);
  for (const oldest of bySet.keys()) if (bySet.size > MOST_REMEMBERED) bySet.delete(oldest);
  return known;
}

/** Works out `wanted` in small steps, so that a caller can let others run in between. */
export function* aroundSteps(
  data: LoadedData,
  { methods }: MappedDeclaration,
  wanted: readonly AroundFact[],
): Generator<void, void, void> {
  for (const fact of wanted) yield* stepsOf(data, methods, fact);
}

function* stepsOf<Fact extends AroundFact>(data: LoadedData, methods: MethodSet, fact: Fact): Steps<Facts[Fact]> {
  const before = knownOfSet(data, methods)[fact];
  if (before !== undefined) return before;
  const found = yield* STEPS[fact](data, methods);
  knownOfSet(data, methods)[fact] = found;
  yield;
  return found;
}

/** One thing around the methods of a declaration, whatever lines it is limited to; at once where `aroundSteps` was taken. */
export function aroundFact<Fact extends AroundFact>(
  data: LoadedData,
  { methods }: MappedDeclaration,
  fact: Fact,
): Facts[Fact] {
  return resultOf(stepsOf(data, methods, fact));
}

/** n_eff of everything that the analysis counts. */
export function effectiveWholeOf(data: LoadedData): number {
  const known = knownOf(data);
  known.effectiveWhole ??= effectiveWhole(data.analysis);
  return known.effectiveWhole;
}
