// The hottest methods of the loaded data, for lists.

import { AskFailed, answer, gatherBy, type Reach } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { ComparedShare } from '../capabilities/compare/door.ts';
import { ROOT_NODE } from '../cct/builder.ts';
import { PARTIAL_METHOD } from '../cct/profile.ts';
import { threadGroupName } from '../cct/thread-groups.ts';
import type { Amount } from '../metrics/analysis.ts';
import type { ResponseTimes } from '../metrics/response-times.ts';
import { isDirected } from '../model/verdict.ts';
import { goneChange, methodChange } from './compare/door.ts';
import { type PartOfWhole, partOf } from './text/format-share.ts';
import { classNameOf } from './text/runtime-names.ts';
import { hasTimes } from './text/times-text.ts';

export type TopOptions = {
  readonly limit: number;
  /** Rows before the first one. */
  readonly offset?: number;
  readonly by: 'own' | 'total' | 'self' | 'name';
  /** Also methods of the Java platform and, by own time, methods without own time. */
  readonly platform: boolean;
  /** Only methods of this package and the packages below it. */
  readonly within?: string;
  /** As `searchMethods` takes it. */
  readonly search?: string | null;
  /** Whether methods are ordered by how much their share moved against the baseline, methods with the verdict `slower` or `faster` first. */
  readonly sortedByChange?: boolean;
  /** The baseline of the method times, or of the self times in a list by self time; own times have no verdicts of a test. */
  readonly baseline?: Baseline;
};

/** Rows looked at in one step. */
const STEP = 256;

/** Amounts of samples of the data whose method table has the row. */
export type TopRow = {
  /** Row of the method table. */
  readonly method: number;
  readonly total: Amount;
  readonly self: Amount;
  /** Samples in which the method is the innermost own code. */
  readonly own: Amount;
  /** How long its calls took, where the metric is time and response times were recorded. */
  readonly times?: ResponseTimes;
  /** How the method time, or in a list by self time the self time, moved against the baseline, as a share of everything; absent without one. */
  readonly change?: ComparedShare;
};

/** Samples that a list of all methods has in no row; null where there are none, or the list has them. */
type LeftOut = {
  /** Self time of the platform's methods, and of frames without a class. */
  readonly platform: Amount | null;
  readonly unknown: Amount | null;
  /** By own time: samples without own code, and samples whose own code called the focus. */
  readonly withoutOwn: Amount | null;
  readonly fromOutside: Amount | null;
};

const NOTHING_LEFT_OUT: LeftOut = { platform: null, unknown: null, withoutOwn: null, fromOutside: null };

export async function leftOutOf(
  data: LoadedData,
  { platform, within, by }: Pick<TopOptions, 'platform' | 'within' | 'by'>,
  { ask }: Reach,
): Promise<LeftOut> {
  const some = (amount: Amount) => (amount.count === 0 ? null : amount);
  if (by === 'own') {
    const { none, outside } = data.values.own;
    return { ...NOTHING_LEFT_OUT, withoutOwn: some(none), fromOutside: some(outside) };
  }
  if (platform || within !== undefined) return NOTHING_LEFT_OUT;
  const { leftOut, unknown } = await ask(data, 'hottest', { limit: 0, by: 'self', platform });
  return { ...NOTHING_LEFT_OUT, platform: some(leftOut), unknown: some(unknown) };
}

/**
 * The self time of frames without a class: native code, and names that a reader did not understand. `examples` are at most three of them,
 * the hottest first.
 */
export function withoutClass(data: LoadedData): { readonly share: PartOfWhole; readonly examples: readonly string[] } {
  const { methods } = data.profile;
  const { whole } = data.analysis;
  const wish = { limit: methods.length, by: 'self', platform: true } as const;
  const rows = answer(data, 'hottest', wish).rows.filter(({ method }) => classNameOf(methods, method) === '');
  const sum = (of: 'weight' | 'count') => rows.reduce((all, { self }) => all + self[of], 0);
  const share = partOf({ weight: sum('weight'), count: sum('count') }, whole);
  return { share, examples: rows.slice(0, 3).map(({ method }) => methods.strings[methods.name[method]!]!) };
}

/** How many of the samples that are looked at have no frames. */
export function withoutFrames({ analysis, profile: { tree } }: LoadedData): number {
  // Below a focus every sample has a frame.
  if (analysis.selection.focus !== undefined) return 0;
  let framed = 0;
  for (let node = ROOT_NODE + 1; node < tree.length; node = tree.subtreeEnd[node]!)
    if (tree.method[node] !== PARTIAL_METHOD) framed += analysis.totalCount[node]!;
  return Math.max(0, analysis.whole.count - framed);
}

/** Hottest first; ties in table order. `total` counts the rows without limit and offset. Rejects with `AskFailed` for a search that means nothing. */
export async function topOf(
  data: LoadedData,
  options: TopOptions,
  ask: Reach['ask'],
): Promise<{ readonly rows: readonly TopRow[]; readonly total: number }> {
  const { limit, offset = 0, by, baseline, sortedByChange = false } = options;
  const part = sortedByChange ? { from: 0, most: Number.POSITIVE_INFINITY } : { from: offset, most: limit };
  const { rows: wanted, length } = await listOf(data, options, part, ask);
  if (baseline !== undefined) await gatherBefore(baseline, wanted, ask);
  const rows = wanted.map(({ method, total, self, own }): TopRow => {
    const [now, of] = by === 'self' ? ([self, 'self'] as const) : ([total, 'total'] as const);
    return { method, total, self, own, ...(baseline && { change: methodChange(data, [method], now, baseline, of) }) };
  });
  const shown = sortedByChange ? rows.sort(byChange).slice(offset, offset + limit) : rows;
  return { rows: withTimes(data, shown), total: length };
}

type Part = { readonly from: number; readonly most: number };

async function listOf(data: LoadedData, { by, platform, within, search }: TopOptions, part: Part, ask: Reach['ask']) {
  const wish = { kind: 'methods', of: null, sort: by, search: search ?? null, platform } as const;
  const { value, problems } = await ask(data, 'methodList', {
    ...wish,
    ...part,
    ...(within !== undefined && { within }),
  });
  if (value === null) throw new AskFailed(problems);
  return value;
}

/** Numbers of methods that were several ones in the baseline take a walk. */
function gatherBefore(
  { data, pairing }: Baseline,
  rows: readonly { readonly method: number }[],
  ask: Reach['ask'],
): Promise<void> {
  const sets = rows.map(({ method }) => ({ methods: pairing.rowsOf([method]) }));
  return gatherBy(ask, { data, sets: sets.filter(({ methods }) => methods.length > 1) });
}

/** The classes of threads whose samples have no own code, heaviest first, with their weights: those of the JVM, and idle ones of pools. */
export function threadsWithoutOwn({
  values,
  profile,
}: LoadedData): readonly (readonly [name: string, weight: number])[] {
  const sums = new Map<string, number>();
  for (const [row, weight] of values.own.noneOfThread.entries()) {
    if (weight === 0) continue;
    const name = threadGroupName(profile.threads.name[row]!);
    sums.set(name, (sums.get(name) ?? 0) + weight);
  }
  return [...sums].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}

/** Response times stand beside the metric that measures the same; rows keep their order. */
function withTimes(data: LoadedData, rows: readonly TopRow[]): readonly TopRow[] {
  if (data.metric.id !== 'time' || !hasTimes(data)) return rows;
  const found = answer(data, 'responseTimes', { sets: rows.map(({ method }) => [method]) });
  return rows.map((row, i) => {
    const times = found[i] ?? null;
    return times === null ? row : { ...row, times };
  });
}

type Changed = { readonly change?: ComparedShare };

/** Changes that a test confirms first, then what moved most. */
export function byChange({ change: one }: Changed, { change: other }: Changed): number {
  const size = (change: ComparedShare | undefined) =>
    change === undefined ? 0 : Math.abs(change.current - change.baseline) + (isDirected(change.verdict) ? 1 : 0);
  return size(other) - size(one);
}

/** Methods among the `limit` hottest of the baseline that have no sample now, under no name that they are followed by, with their amounts then. */
export async function goneOf(data: LoadedData, options: TopOptions, { ask, turn }: Reach): Promise<TopRow[]> {
  const { by, baseline, limit } = options;
  if (baseline === undefined) return [];
  const { total } = data.values;
  const still = new Set<number>();
  for (let method = 0; method < total.weight.length; method++) {
    if (method % STEP === 0) await turn();
    if (total.weight[method]! > 0) for (const row of baseline.pairing.rowsOf([method])) still.add(row);
  }
  const { rows } = await listOf(baseline.data, options, { from: 0, most: limit }, ask);
  return rows
    .filter(({ method }) => !still.has(method))
    .map(({ method, total: then, self, own }) => {
      const change = goneChange(data, method, baseline, by === 'self' ? 'self' : 'total');
      return { method, total: then, self, own, change };
    });
}
