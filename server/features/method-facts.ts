// The numbers of one declaration under one analysis, worked out once and remembered as long as the analysis lives.
import type { MappedDeclaration } from '../mapping/document-map.ts';
import type { Amount, Analysis } from '../metrics/analysis.ts';
import { groupedCallsOf } from '../metrics/call-sites.ts';
import { amountAtLines, amountsByCallee, methodAmount, selfAmount, selfAtLines } from '../metrics/queries.ts';
import { calleeKindAndName } from '../workspace/callee-groups.ts';
import type { LoadedData } from '../workspace/loaded-data.ts';
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

/** Facts do not depend on the text, so that a keystroke costs no look at the tree. */
export function factsOf(data: LoadedData, declaration: MappedDeclaration): MethodFacts {
  let known = factsOfData.get(data);
  if (known === undefined) {
    known = { byMethod: new Map(), bySet: new Map() };
    factsOfData.set(data, known);
  }
  const { methods, onlyLines } = declaration;
  if (methods.length === 1 && onlyLines === undefined)
    return remembered(known.byMethod, methods[0]!, () => factsOfMethod(data, methods[0]!));
  const key = `${methods.join()}|${onlyLines?.join(';') ?? ''}`;
  return remembered(known.bySet, key, () => factsOfSet(data.analysis, declaration));
}

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
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
function factsOfSet(analysis: Analysis, { methods, onlyLines }: MappedDeclaration): MethodFacts {
  const all = methodAmount(analysis, methods);
  const calls = callGroupsOf(analysis, methods, onlyLines);
  if (onlyLines === undefined) return { total: all, self: selfAmount(analysis, methods), methods: all, calls };
  const within = (line: number) => inRanges(onlyLines, line);
  return {
    total: amountAtLines(analysis, methods, within),
    self: selfAtLines(analysis, methods, within),
    methods: all,
    calls,
  };
}

function callGroupsOf(
  analysis: Analysis,
  methods: readonly number[],
  onlyLines: LineRanges | undefined,
): readonly CallGroup[] {
  const table = analysis.profile.methods;
  const groups = new Map<string, Pick<CallGroup, 'line' | 'kind' | 'name'> & { readonly targets: number[] }>();
  const amounts = amountsByCallee(analysis, methods, (callee, line) => {
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
