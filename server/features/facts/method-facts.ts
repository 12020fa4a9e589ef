// The numbers of one declaration under one analysis, worked out once and remembered as long as the analysis lives.

import { calleeKindAndName } from '../../analysis/callee-groups.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { Amount, Analysis } from '../../metrics/analysis.ts';
import { resultOf, type Steps } from '../../metrics/around-method.ts';
import { groupedCallsOf } from '../../metrics/call-sites.ts';
import {
  amountAtLinesSteps,
  amountsByCalleeSteps,
  methodAmountSteps,
  selfAtLinesSteps,
} from '../../metrics/queries.ts';
import type { CallGroup } from './call-groups.ts';
import { inRanges, type LineRanges } from './text-index.ts';

export type MethodFacts = {
  /** Samples that have the declaration's code on their stack. */
  readonly total: Amount;
  /** Samples in which its own code was running. */
  readonly self: Amount;
  /** Samples of the runtime methods behind it: what shares of calls are taken of. Differs from `total` for initialiser blocks only. */
  readonly methods: Amount;
  /** Calls with a known line, by line, heaviest first on each. */
  readonly calls: readonly CallGroup[];
};

type Known = { readonly byMethod: Map<number, MethodFacts>; readonly bySet: Map<string, MethodFacts> };

const factsOfData = new WeakMap<LoadedData, Known>();

/** Facts do not depend on the text, so that a keystroke costs no look at the tree. At once where `factSteps` was taken. */
export function factsOf(data: LoadedData, declaration: MappedDeclaration): MethodFacts {
  const { methods, onlyLines } = declaration;
  // What is asked for most, without the detour.
  const known =
    methods.length === 1 && onlyLines === undefined ? factsOfData.get(data)?.byMethod.get(methods[0]!) : null;
  return known ?? resultOf(factSteps(data, declaration));
}

/** Whether `factsOf` has nothing to work out. */
export function hasFacts(data: LoadedData, { methods, onlyLines }: MappedDeclaration): boolean {
  const known = factsOfData.get(data);
  if (known === undefined) return false;
  return methods.length === 1 && onlyLines === undefined
    ? known.byMethod.has(methods[0]!)
    : known.bySet.has(keyOf(methods, onlyLines));
}

/** The same as `factsOf`, pausing now and then: sets of methods may have a million nodes. */
export function* factSteps(data: LoadedData, declaration: MappedDeclaration): Steps<MethodFacts> {
  const known = factsOfData.get(data) ?? { byMethod: new Map(), bySet: new Map() };
  factsOfData.set(data, known);
  const { methods, onlyLines } = declaration;
  if (methods.length === 1 && onlyLines === undefined) {
    const facts = known.byMethod.get(methods[0]!) ?? factsOfMethod(data, methods[0]!);
    known.byMethod.set(methods[0]!, facts);
    return facts;
  }
  const key = keyOf(methods, onlyLines);
  const facts = known.bySet.get(key) ?? (yield* factsOfSet(data.analysis, declaration));
  known.bySet.set(key, facts);
  return facts;
}

function keyOf(methods: readonly number[], onlyLines: LineRanges | undefined): string {
  return `${methods.join()}|${onlyLines?.join(';') ?? ''}`;
}

/** One method is looked up in tables that were made for all of them at once. */
function factsOfMethod({ analysis, values }: LoadedData, method: number): MethodFacts {
  const total = { weight: values.total.weight[method]!, count: values.total.count[method]! };
  const self = { weight: values.self.weight[method]!, count: values.self.count[method]! };
  const table = analysis.profile.methods;
  const calls = groupedCallsOf(values.sites, values.siteAmounts, method)
    .filter(({ line }) => line > 0)
    .map(({ line, callees, amount }) => ({
      line,
      ...calleeKindAndName(table, callees[0]!),
      targets: callees,
      amount,
    }))
    .sort(byLine);
  return { total, self, methods: total, calls };
}

/** Several methods, or some lines of them: walks over their nodes, because each sample counts once. */
function* factsOfSet(analysis: Analysis, { methods, onlyLines }: MappedDeclaration): Steps<MethodFacts> {
  const all = yield* methodAmountSteps(analysis, methods);
  const calls = yield* callGroupsOf(analysis, methods, onlyLines);
  if (onlyLines === undefined)
    return { total: all, self: yield* selfAtLinesSteps(analysis, methods), methods: all, calls };
  const within = (line: number) => inRanges(onlyLines, line);
  return {
    total: yield* amountAtLinesSteps(analysis, methods, within),
    self: yield* selfAtLinesSteps(analysis, methods, within),
    methods: all,
    calls,
  };
}

function* callGroupsOf(
  analysis: Analysis,
  methods: readonly number[],
  onlyLines: LineRanges | undefined,
): Steps<readonly CallGroup[]> {
  const table = analysis.profile.methods;
  const groups = new Map<string, Pick<CallGroup, 'line' | 'kind' | 'name'> & { readonly targets: number[] }>();
  const amounts = yield* amountsByCalleeSteps(analysis, methods, (callee, line) => {
    if (line <= 0 || (onlyLines !== undefined && !inRanges(onlyLines, line))) return undefined;
    const { kind, name } = calleeKindAndName(table, callee);
    const key = `${line} ${kind} ${name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { line, kind, name, targets: [callee] });
    else if (!group.targets.includes(callee)) group.targets.push(callee);
    return key;
  });
  return Array.from(groups, ([key, { line, kind, name, targets }]) => {
    const amount = amounts.get(key) ?? { weight: 0, count: 0 };
    return { line, kind, name, targets: targets.sort((a, b) => a - b), amount };
  }).sort(byLine);
}

function byLine(a: CallGroup, b: CallGroup): number {
  return a.line - b.line || b.amount.weight - a.amount.weight || (a.name < b.name ? -1 : 1);
}
