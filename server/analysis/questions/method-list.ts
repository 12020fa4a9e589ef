// The question for a part of a list of methods: all of them, the callers of some, or their callees, found by a search and sorted.
import type { Pause } from '../../base/pause.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { isPlatformOrUnknown, isWithin } from '../../mapping/platform-classes.ts';
import { calleesLookedUp, callsAlong } from '../../metrics/along-calls.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { amountAt } from '../../metrics/method-times.ts';
import type { LoadedData } from '../loaded-data.ts';
import { searchMethods } from '../search-methods.ts';
import type { Question } from './question.ts';

type MethodListWish = {
  readonly kind: 'methods' | 'callers' | 'callees';
  /** Rows of the methods, taken as one, whose callers or callees are listed. */
  readonly of: readonly number[] | null;
  readonly sort: 'own' | 'total' | 'self' | 'name';
  readonly search: string | null;
  /** Also methods of the Java platform and, sorted by own time, methods without own time; default true. */
  readonly platform?: boolean;
  /** Only methods of this package and the packages below it; methods of the platform are then listed too. */
  readonly within?: string;
  /** First row, and how many at most. */
  readonly from: number;
  readonly most: number;
};

/** `total`: samples with the method on their stack, or with the call; `self`: with the method running itself; `own`: with it as the innermost own code. */
type ListedRow = {
  readonly method: number;
  readonly total: Amount;
  readonly self: Amount;
  readonly own: Amount;
  /** Recorded lines of the calls, of callers and callees; 0 is unknown. */
  readonly lines: readonly number[];
};

type MethodList = {
  readonly rows: readonly ListedRow[];
  /** How many rows there are in all. */
  readonly length: number;
  readonly whole: Amount;
};

/** null with a problem where the search means nothing. */
export const methodList: Question<MethodListWish, Outcome<MethodList | null>> = (data, wish, pause) => {
  const { profile, analysis } = data;
  const { kind, of, sort, search, platform = true, within, from, most } = wish;
  const { strings, className, name } = profile.methods;
  const { fits, problems } = searchMethods(profile.methods, search ?? '', pause);
  if (problems.length > 0) return { value: null, problems };
  const all = kind === 'methods' || of === null ? allMethods(data) : methodsAround(data, kind, of, pause);
  const isListed = (owner: string) =>
    within === undefined ? platform || sort === 'own' || !isPlatformOrUnknown(owner) : isWithin(owner, within);
  const rows = all.filter(
    ({ method, own }) =>
      (search === null || fits[method] === 1) &&
      isListed(strings[className[method]!]!) &&
      (platform || sort !== 'own' || own.weight > 0),
  );
  pause();
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

function allMethods({ values: { total, self, own } }: LoadedData): ListedRow[] {
  const rows: ListedRow[] = [];
  for (let method = PARTIAL_METHOD + 1; method < total.weight.length; method++)
    if (total.weight[method]! > 0)
      rows.push({
        method,
        total: amountAt(total, method),
        self: amountAt(self, method),
        own: amountAt(own, method),
        lines: [],
      });
  return rows;
}

function methodsAround(
  { analysis, values }: LoadedData,
  direction: 'callers' | 'callees',
  of: readonly number[],
  pause: Pause,
): ListedRow[] {
  const { self, own } = values;
  const isLookedUp = direction === 'callees' && of.length === 1;
  const found = isLookedUp ? calleesLookedUp(analysis, values, of[0]!) : null;
  const { next } = found ?? callsAlong(analysis, { direction, steps: [of] }, undefined, pause);
  return next.flatMap(({ methods: [method], amount, lines }) =>
    method === undefined
      ? []
      : [{ method, total: amount, self: amountAt(self, method), own: amountAt(own, method), lines }],
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
