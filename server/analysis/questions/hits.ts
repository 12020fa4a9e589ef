// The question for what a search finds: how many samples have one of the methods on their stack, and which methods these are.
import type { Problem } from '../../base/problem.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { forEachOutermost, nodesOfSet } from '../../metrics/node-walks.ts';
import { stretchOf } from '../../metrics/stretches.ts';
import type { LoadedData } from '../loaded-data.ts';
import { searchMethods } from '../search-methods.ts';
import type { Question } from './question.ts';

type HitsWish = { readonly search: string; readonly most: number };

type Hits = {
  /** Samples with any of the methods on their stack, each once. */
  readonly total: Amount;
  readonly whole: Amount;
  /** How many methods fit and ran. */
  readonly length: number;
  /** Heaviest first. */
  readonly rows: readonly {
    readonly method: number;
    readonly total: Amount;
    readonly self: Amount;
    /** Keys of the methods on the way to the heaviest of its nodes, itself last. */
    readonly steps: readonly string[];
  }[];
  readonly problems: readonly Problem[];
};

export const hits: Question<HitsWish, Hits> = (data, { search, most }, pause) => {
  const { analysis, values } = data;
  const { fits, problems } = searchMethods(analysis.profile.methods, search, pause);
  const { total, self } = values;
  const found: number[] = [];
  for (let row = 0; row < fits.length; row++) if (fits[row] === 1 && total.count[row]! > 0) found.push(row);
  const sum = { weight: 0, count: 0 };
  forEachOutermost(analysis, nodesOfSet(analysis, found, pause), node => {
    const at = stretchOf(analysis.stretches, node);
    sum.weight += analysis.totalWeight[at]!;
    sum.count += analysis.totalCount[at]!;
  });
  found.sort((x, y) => total.weight[y]! - total.weight[x]! || total.count[y]! - total.count[x]!);
  return {
    total: sum,
    whole: analysis.whole,
    length: found.length,
    rows: found.slice(0, most).map(method => ({
      method,
      total: { weight: total.weight[method]!, count: total.count[method]! },
      self: { weight: self.weight[method]!, count: self.count[method]! },
      steps: stepsToHeaviest(data, method),
    })),
    problems,
  };
};

function stepsToHeaviest({ analysis, answers }: LoadedData, row: number): string[] {
  const keys = answers.keysOf(analysis.profile.methods);
  const { parent, method } = analysis.profile.tree;
  let [heaviest, most] = [-1, -1];
  for (const node of nodesOfSet(analysis, [row])) {
    const weight = analysis.totalWeight[stretchOf(analysis.stretches, node)]!;
    if (weight > most) [heaviest, most] = [node, weight];
  }
  const steps: string[] = [];
  const { scope } = analysis;
  for (let node = heaviest; node >= 0 && method[node] !== ROOT_METHOD; node = parent[node]!)
    if (scope === null || scope[node] === 1) steps.push(keys.keyOf(method[node]!));
  return steps.reverse();
}
