// The question for a page of a table of methods: all of them, the callers of one, or its callees, found by a search and sorted.
import type { Pause } from '../../base/pause.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { callsAlong } from '../../metrics/along-calls.ts';
import type { Amount } from '../../metrics/analysis.ts';
import type { LoadedData } from '../loaded-data.ts';
import { searchMethods } from '../search-methods.ts';
import type { Question } from './question.ts';

type MethodListWish = {
  readonly kind: 'methods' | 'callers' | 'callees';
  /** Key of the method whose callers or callees are listed. */
  readonly of: string | null;
  readonly sort: 'total' | 'self' | 'name';
  readonly search: string | null;
  /** First row, and how many at most. */
  readonly from: number;
  readonly most: number;
};

/** `total`: samples with the method on their stack, or with the call; `self`: those in which the method itself was running. */
type ListedRow = { readonly method: number; readonly total: Amount; readonly self: Amount };

type MethodList = {
  readonly rows: readonly ListedRow[];
  /** How many rows there are in all. */
  readonly length: number;
  readonly whole: Amount;
};

/** null with a problem where the search or the method means nothing in the data. */
export const methodList: Question<MethodListWish, Outcome<MethodList | null>> = (data, wish, pause) => {
  const { profile, analysis } = data;
  const { kind, of, sort, search, from, most } = wish;
  const row = of === null ? null : rowOfKey(data, of);
  if (kind !== 'methods' && row === null) return { value: null, problems: [NO_METHOD] };
  const { fits, problems } = searchMethods(profile.methods, search ?? '', pause);
  if (problems.length > 0) return { value: null, problems };
  const all = kind === 'methods' || row === null ? allMethods(data) : methodsAround(data, kind, row, pause);
  const rows = search === null ? all : all.filter(({ method }) => fits[method] === 1);
  pause();
  const { strings, className, name } = profile.methods;
  const textOf = ({ method }: ListedRow) => `${strings[className[method]!]}.${strings[name[method]!]}`;
  if (sort === 'name') rows.sort((x, y) => compare(textOf(x), textOf(y)) || x.method - y.method);
  else rows.sort((x, y) => y[sort].weight - x[sort].weight || x.method - y.method);
  return {
    value: { rows: rows.slice(from, from + most), length: rows.length, whole: analysis.whole },
    problems: [],
  };
};

/** Said of a key that no method of the data has. */
export const NO_METHOD: Problem = {
  severity: 'error',
  message: 'no method of these data has this key',
  remedy: 'choose the method again',
};

/** null where no method has the key. */
export function rowOfKey({ answers, profile }: LoadedData, key: string): number | null {
  const row = answers.keysOf(profile.methods).rowOf(key);
  return row < 0 ? null : row;
}

function allMethods({ values: { total, self } }: LoadedData): ListedRow[] {
  const rows: ListedRow[] = [];
  for (let method = PARTIAL_METHOD + 1; method < total.weight.length; method++)
    if (total.weight[method]! > 0)
      rows.push({
        method,
        total: { weight: total.weight[method]!, count: total.count[method]! },
        self: { weight: self.weight[method]!, count: self.count[method]! },
      });
  return rows;
}

function methodsAround(
  { analysis, values: { self } }: LoadedData,
  direction: 'callers' | 'callees',
  row: number,
  pause: Pause,
): ListedRow[] {
  const { next } = callsAlong(analysis, { direction, steps: [[row]] }, undefined, pause);
  return next.flatMap(({ methods: [method], amount }) =>
    method === undefined
      ? []
      : [{ method, total: amount, self: { weight: self.weight[method]!, count: self.count[method]! } }],
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
