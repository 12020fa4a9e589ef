// The question for the numbers of sets of methods: what hints, lenses and lists of an open document are made of.
import type { Pause } from '../../base/pause.ts';
import type { MethodTable } from '../../cct/profile.ts';
import { inRanges } from '../../mapping/observed-lines.ts';
import type { Analysis } from '../../metrics/analysis.ts';
import { groupedCallsOf } from '../../metrics/call-sites.ts';
import { amountAtLines, amountsByCallee, methodAmount, selfAtLines } from '../../metrics/queries.ts';
import { calleeKindAndName } from '../callee-groups.ts';
import type { LoadedData } from '../loaded-data.ts';
import type { CallGroup, MethodFacts, MethodsAndLines } from '../method-facts.ts';
import type { Question } from './question.ts';

/** One answer a set, in their order. */
export const numbers: Question<{ readonly sets: readonly MethodsAndLines[] }, readonly MethodFacts[]> = (
  data,
  { sets },
  pause,
) =>
  sets.map(set => {
    pause();
    const { methods, onlyLines } = set;
    return methods.length === 1 && onlyLines === undefined
      ? factsOfMethod(data, methods[0]!)
      : factsOfSet(data.analysis, set, pause);
  });

/** One method is looked up in tables that were made for all of them at once. */
function factsOfMethod({ analysis, values }: LoadedData, method: number): MethodFacts {
  const total = { weight: values.total.weight[method]!, count: values.total.count[method]! };
  const self = { weight: values.self.weight[method]!, count: values.self.count[method]! };
  const table = analysis.profile.methods;
  const calls = groupedCallsOf(values.sites, values.siteAmounts, method)
    .filter(({ line }) => line > 0)
    .map(({ line, callees, weights, amount }) => ({
      line,
      ...calleeKindAndName(table, callees[0]!),
      targets: heaviestFirst(table, callees, callee => weights[callees.indexOf(callee)]!),
      amount,
    }))
    .sort(byLine);
  return { total, self, methods: total, calls };
}

/** Several methods, or some lines of them: walks over their nodes, because each sample counts once. */
function factsOfSet(analysis: Analysis, { methods, onlyLines }: MethodsAndLines, pause: Pause): MethodFacts {
  const all = methodAmount(analysis, methods, pause);
  const calls = callGroupsOf(analysis, { methods, ...(onlyLines && { onlyLines }) }, pause);
  if (onlyLines === undefined) {
    const self = selfAtLines(analysis, methods, undefined, pause);
    return { total: all, self, methods: all, calls };
  }
  const within = (line: number) => inRanges(onlyLines, line);
  return {
    total: amountAtLines(analysis, methods, within, pause),
    self: selfAtLines(analysis, methods, within, pause),
    methods: all,
    calls,
  };
}

function callGroupsOf(analysis: Analysis, { methods, onlyLines }: MethodsAndLines, pause: Pause): readonly CallGroup[] {
  const table = analysis.profile.methods;
  const groups = new Map<string, Pick<CallGroup, 'line' | 'kind' | 'name'> & { readonly targets: number[] }>();
  const keyOf = (callee: number, line: number) => {
    if (line <= 0 || (onlyLines !== undefined && !inRanges(onlyLines, line))) return undefined;
    const { kind, name } = calleeKindAndName(table, callee);
    const key = `${line} ${kind} ${name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { line, kind, name, targets: [callee] });
    else if (!group.targets.includes(callee)) group.targets.push(callee);
    return key;
  };
  const amounts = amountsByCallee(analysis, methods, keyOf, pause);
  const keyOfTarget = (callee: number, line: number) => {
    const key = keyOf(callee, line);
    return key === undefined || groups.get(key)!.targets.length < 2 ? undefined : `${callee} ${key}`;
  };
  const isOneEach = Array.from(groups.values()).every(({ targets }) => targets.length < 2);
  const single = isOneEach ? null : amountsByCallee(analysis, methods, keyOfTarget, pause);
  return Array.from(groups, ([key, { line, kind, name, targets }]) => {
    const amount = amounts.get(key) ?? { weight: 0, count: 0 };
    const weightOf = (callee: number) => single?.get(`${callee} ${key}`)?.weight ?? 0;
    return { line, kind, name, targets: heaviestFirst(table, targets, weightOf), amount };
  }).sort(byLine);
}

function heaviestFirst(
  { strings, className }: MethodTable,
  callees: readonly number[],
  weightOf: (callee: number) => number,
): readonly number[] {
  if (callees.length < 2) return callees;
  const byName = (a: string, b: string) => Number(a > b) - Number(a < b);
  return callees.toSorted(
    (a, b) => weightOf(b) - weightOf(a) || byName(strings[className[a]!]!, strings[className[b]!]!) || a - b,
  );
}

function byLine(a: CallGroup, b: CallGroup): number {
  return a.line - b.line || b.amount.weight - a.amount.weight || (a.name < b.name ? -1 : 1);
}
