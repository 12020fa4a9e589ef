// The numbers of one declaration under one analysis, worked out once and remembered as long as the analysis lives.
import type { MappedDeclaration } from '../mapping/document-map.ts';
import type { Amount, Analysis } from '../metrics/analysis.ts';
import { amountAtLines, amountsByCallee, methodAmount, selfAmount, selfAtLines } from '../metrics/queries.ts';
import { type CallGroup, groupKindAndName } from './call-groups.ts';
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

const factsOfAnalysis = new WeakMap<Analysis, Map<string, MethodFacts>>();

/** Facts do not depend on the text, so that a keystroke costs no walk over the tree. */
export function factsOf(analysis: Analysis, declaration: MappedDeclaration): MethodFacts {
  let known = factsOfAnalysis.get(analysis);
  if (known === undefined) {
    known = new Map();
    factsOfAnalysis.set(analysis, known);
  }
  const key = `${declaration.methods.join()}|${declaration.onlyLines?.join(';') ?? ''}`;
  let facts = known.get(key);
  if (facts === undefined) {
    facts = computeFacts(analysis, declaration);
    known.set(key, facts);
  }
  return facts;
}

function computeFacts(analysis: Analysis, { methods, onlyLines }: MappedDeclaration): MethodFacts {
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
    const { kind, name } = groupKindAndName(table, callee);
    const key = `${line} ${kind} ${name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { line, kind, name, targets: [callee] });
    else if (!group.targets.includes(callee)) group.targets.push(callee);
    return key;
  });
  return Array.from(groups, ([key, { line, kind, name, targets }]) => {
    const amount = amounts.get(key) ?? { weight: 0, count: 0 };
    return { line, kind, name, targets: targets.sort((a, b) => a - b), amount };
  }).sort((a, b) => a.line - b.line || b.amount.weight - a.amount.weight || (a.name < b.name ? -1 : 1));
}
