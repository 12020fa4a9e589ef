// The cost of one call of a method: the mean of its response times, by the load where they depend on it, and how sure that is.
import { PARTIAL_METHOD } from '../cct/profile.ts';
import type { MethodResponseTimes, ResponseTimes } from './response-times.ts';

/**
 * `load`: a line through the windows, by calls a second. `caller`: the mean of calls by the very caller. `all`: the mean of all calls.
 * `sums`: the mean of all calls, where no caller is known.
 */
export type CostRule = 'load' | 'caller' | 'all' | 'sums';

export type CallCost = {
  /** Nanoseconds of one call, with all that it calls. */
  readonly mean: number;
  /** Variance that all calls of one window share: from window to window, and where other callers call, from caller to caller. */
  readonly shared: number;
  /** Variance of single calls about that. */
  readonly single: number;
  /** How much callers differ whose calls say what those of a new caller take; 0 of calls by the very caller. */
  readonly among: number;
  /** The least and the most that the mean of new calls may be; they differ where many calls take next to nothing, as answers of a cache do. */
  readonly ends: readonly [least: number, most: number];
  readonly rule: CostRule;
  /** Calls that stand behind it. */
  readonly calls: number;
  readonly windows: number;
  /** Part of the window means' variance that the line explains, 0 to 1; null without a line. */
  readonly rSquared: number | null;
};

/** Fewer calls by the same caller say less than the calls of all callers. */
const LEAST_CALLS = 10;
/** A line needs so many windows, and rates that differ by such a factor. */
const LEAST_WINDOWS = 8;
const LEAST_SPREAD = 1.5;

type Point = { readonly rate: number; readonly mean: number; readonly weight: number };

/**
 * @param caller row of the method in which the call stands; null where that has never called it.
 * @param own rows of the method itself, whose calls of itself are no calls from elsewhere.
 */
export function callCost(times: MethodResponseTimes, caller: number | null, own: readonly number[] = []): CallCost {
  const points = pointsOf(times);
  const windows = points.length;
  const byCaller = times.callers.find(each => each.caller === caller && each.count >= LEAST_CALLS);
  if (byCaller !== undefined) {
    const variances = scaled(variancesOf(byCaller, points), times.mean > 0 ? byCaller.mean / times.mean : 1);
    return {
      mean: byCaller.mean,
      ends: [byCaller.mean, byCaller.mean],
      ...variances,
      among: 0,
      rule: 'caller',
      calls: byCaller.count,
      windows,
      rSquared: null,
    };
  }
  const outside = own.some(row => times.callers.some(each => each.caller === row)) ? fromOutside(times, own) : times;
  if (outside !== times) {
    const variances = scaled(variancesOf(outside, points), times.mean > 0 ? outside.mean / times.mean : 1);
    const { mean } = outside;
    return {
      mean,
      ends: [mean, mean],
      ...variances,
      among: 0,
      rule: 'all',
      calls: outside.count,
      windows,
      rSquared: null,
    };
  }
  if (hasUnknownCallers(times)) return ofSums(times, points);
  const line = lineThrough(points);
  const { shared, single } = variancesOf(times, points);
  if (line !== null)
    return { ...line, ends: endsOf(times, line.mean), single, among: 0, rule: 'load', calls: times.count, windows };
  const among = amongCallers(times);
  const { mean, count: calls } = times;
  const ends = endsOf(times, mean);
  return { mean, ends, shared: shared + among, single, among, rule: 'all', calls, windows, rSquared: null };
}

/** Whether the caller of no call is known, as of calls of which sums alone were recorded. */
export function hasUnknownCallers({ callers }: Pick<MethodResponseTimes, 'callers'>): boolean {
  return callers.length > 0 && callers.every(({ caller }) => caller === PARTIAL_METHOD);
}

function ofSums(times: MethodResponseTimes, points: readonly Point[]): CallCost {
  const { mean, count: calls } = times;
  const { shared, single } = variancesOf(times, points);
  const ends = endsOf(times, mean);
  return { mean, ends, shared, single, among: 0, rule: 'sums', calls, windows: points.length, rSquared: null };
}

/** A tenth of the calls that takes so much less than the mean is another kind of calls. */
const MUCH_LESS = 0.1;

/** Whether calls of new code are of the one kind or of the other is not known. */
function endsOf({ p10, p95 }: ResponseTimes, mean: number): CallCost['ends'] {
  return p10 === null || p95 === null || p10 > MUCH_LESS * mean ? [mean, mean] : [p10, Math.max(p95, mean)];
}

/** How much the mean of a window's calls of a method differs from window to window. */
export function windowVariance(times: MethodResponseTimes): number {
  const points = pointsOf(times);
  const { shared, single } = variancesOf(times, points);
  return shared + single / callsOfWindow(times);
}

/** Calls of a method in one window in which it is called, at least 1. */
export function callsOfWindow({ count, windows }: MethodResponseTimes): number {
  return Math.max(1, count / Math.max(1, windows.length));
}

function pointsOf({ windows }: MethodResponseTimes): Point[] {
  return windows.flatMap(({ perSecond, mean, count }): Point[] =>
    perSecond === null || count === 0 ? [] : [{ rate: perSecond, mean, weight: count }],
  );
}

type Variances = Pick<CallCost, 'shared' | 'single'>;

function scaled({ shared, single }: Variances, scale: number): Variances {
  // The windows are those of all callers; single calls are the caller's own.
  return { shared: shared * scale ** 2, single };
}

/** The variance of the means of windows beyond the variance that single calls explain; from three windows on. */
function variancesOf({ deviation, mean, count }: ResponseTimes, points: readonly Point[]): Variances {
  // Without squares a time is taken to differ as much as it lasts.
  const all = (deviation ?? mean) ** 2;
  const weight = points.reduce((sum, point) => sum + point.weight, 0);
  if (points.length < 3 || !(weight > 0)) return { shared: 0, single: all };
  const center = points.reduce((sum, point) => sum + point.weight * point.mean, 0) / weight;
  const spread = points.reduce((sum, point) => sum + point.weight * (point.mean - center) ** 2, 0) / weight;
  const chance = all / Math.max(1, count / points.length);
  const shared = Math.max(0, spread - chance);
  return { shared, single: Math.max(0, all - shared) };
}

/** Calls by others than the method itself. */
function fromOutside(
  { callers, perSecond, least, greatest }: MethodResponseTimes,
  own: readonly number[],
): ResponseTimes {
  const others = callers.filter(({ caller }) => !own.includes(caller));
  const count = others.reduce((sum, each) => sum + each.count, 0);
  const sum = others.reduce((all, each) => all + each.sum, 0);
  const mean = sum / Math.max(1, count);
  const squares = others.reduce(
    (all, each) =>
      all === null || each.deviation === null ? null : all + each.count * (each.deviation ** 2 + each.mean ** 2),
    0 as number | null,
  );
  const deviation = squares === null ? null : Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean ** 2));
  return { count, sum, mean, deviation, least, greatest, p10: null, p50: null, p95: null, perSecond };
}

/** How much the means of callers with enough calls differ: a new caller may be like any of them. */
function amongCallers({ callers }: MethodResponseTimes): number {
  const known = callers.filter(({ count }) => count >= LEAST_CALLS);
  if (known.length < 2) return 0;
  const mean = known.reduce((sum, each) => sum + each.mean, 0) / known.length;
  return known.reduce((sum, each) => sum + (each.mean - mean) ** 2, 0) / (known.length - 1);
}

/**
 * The cost at the mean rate, by the weighted least squares of the mean on the calls a second; null where a line is not better than the
 * mean by the corrected Akaike criterion. Never extrapolates: the mean rate lies among the rates.
 */
function lineThrough(points: readonly Point[]): Pick<CallCost, 'mean' | 'shared' | 'rSquared'> | null {
  const rates = points.map(({ rate }) => rate);
  if (points.length < LEAST_WINDOWS || Math.max(...rates) < LEAST_SPREAD * Math.min(...rates)) return null;
  const all = points.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + point.weight * of(point), 0) / all;
  const [x, y] = [mean(({ rate }) => rate), mean(point => point.mean)];
  const slopeOver = mean(({ rate }) => (rate - x) ** 2);
  const slope = slopeOver > 0 ? mean(point => (point.rate - x) * (point.mean - y)) / slopeOver : 0;
  const residual = mean(point => (point.mean - y - slope * (point.rate - x)) ** 2);
  const flat = mean(point => (point.mean - y) ** 2);
  if (!(criterion(points.length, residual, 3) < criterion(points.length, flat, 2))) return null;
  return { mean: Math.max(0, y), shared: residual, rSquared: flat > 0 ? 1 - residual / flat : null };
}

/** AICc of a fit with normal errors and so many parameters. */
function criterion(points: number, residual: number, parameters: number): number {
  const fit = points * Math.log(Math.max(residual, Number.MIN_VALUE));
  return fit + 2 * parameters + (2 * parameters * (parameters + 1)) / (points - parameters - 1);
}

/**
 * By how much the mean of calls differs that are made in other code, as a part of it: other arguments, other values in caches, other compiled
 * code. Measured on the edits of a service, where calls by the very caller differ less than calls of others.
 */
const ELSEWHERE: Readonly<Record<CostRule | 'body' | 'assumed', number>> = {
  ...{ caller: 0.2, all: 0.3, load: 0.3, sums: 0.35, body: 0.35, assumed: 0 },
};

/** Variance of the mean of many calls under the same conditions. */
export function changeVariance({
  mean,
  shared,
  single,
  among,
  calls,
  windows,
  rule,
}: Omit<CallCost, 'rule' | 'ends'> & { readonly rule: keyof typeof ELSEWHERE }): number {
  const sampled = (shared - among) / Math.max(1, windows) + single / Math.max(1, calls);
  return sampled + among + (ELSEWHERE[rule] * mean) ** 2;
}

/** The 80 % point of the normal distribution, both sides. */
const POINT_80 = 1.2816;

/** Half of the width of the 80 % interval of an amount with this variance. */
export function spread80(variance: number): number {
  return POINT_80 * Math.sqrt(variance);
}

/** The 80 % interval of a positive amount with this mean and variance: log-normal by its moments. */
export function interval80(mean: number, variance: number): readonly [low: number, high: number] {
  if (!(mean > 0)) return [mean, mean];
  const sigma2 = Math.log(1 + variance / mean ** 2);
  const middle = Math.log(mean) - sigma2 / 2;
  const reach = POINT_80 * Math.sqrt(sigma2);
  return [Math.exp(middle - reach), Math.exp(middle + reach)];
}
