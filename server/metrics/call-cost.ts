// What one call of a method costs: the mean of its response times, by the load where they depend on it, and how sure that is.
import type { MethodResponseTimes, ResponseTimes } from './response-times.ts';

/** `load`: a line through the windows, by calls a second. `caller`: the mean of calls by the very caller. `all`: the mean of all calls. */
export type CostRule = 'load' | 'caller' | 'all';

export type CallCost = {
  /** Nanoseconds of one call, with all that it calls. */
  readonly mean: number;
  /** Variance of the mean over windows as long as the recorded ones. */
  readonly variance: number;
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

/** @param caller row of the method in which the call stands; null where that has never called it. */
export function callCost(times: MethodResponseTimes, caller: number | null): CallCost {
  const own = times.callers.find(each => each.caller === caller && each.count >= LEAST_CALLS);
  const points = times.windows.flatMap(({ perSecond, mean, count }): Point[] =>
    perSecond === null || count === 0 ? [] : [{ rate: perSecond, mean, weight: count }],
  );
  const windows = points.length;
  if (own !== undefined) {
    const scale = times.mean > 0 ? own.mean / times.mean : 1;
    const variance = spreadOf(points, own) * scale ** 2;
    return { mean: own.mean, variance, rule: 'caller', calls: own.count, windows, rSquared: null };
  }
  const line = lineThrough(points);
  if (line !== null) return { ...line, rule: 'load', calls: times.count, windows };
  return {
    mean: times.mean,
    variance: spreadOf(points, times),
    rule: 'all',
    calls: times.count,
    windows,
    rSquared: null,
  };
}

/** Variance of the window means about their mean; with fewer than three windows, the variance of a mean of one window's calls. */
function spreadOf(points: readonly Point[], { deviation, mean, count }: ResponseTimes): number {
  const all = points.reduce((sum, { weight }) => sum + weight, 0);
  if (points.length >= 3 && all > 0) {
    const center = points.reduce((sum, point) => sum + point.weight * point.mean, 0) / all;
    return points.reduce((sum, point) => sum + point.weight * (point.mean - center) ** 2, 0) / all;
  }
  // Without squares a time is taken to differ as much as it lasts.
  const single = (deviation ?? mean) ** 2;
  return single / Math.max(1, count / Math.max(1, points.length));
}

/**
 * The cost at the mean rate, by the weighted least squares of the mean on the calls a second; null where a line is not better than the
 * mean by the corrected Akaike criterion. Never extrapolates: the mean rate lies among the rates.
 */
function lineThrough(points: readonly Point[]): Pick<CallCost, 'mean' | 'variance' | 'rSquared'> | null {
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
  return { mean: Math.max(0, y), variance: residual, rSquared: flat > 0 ? 1 - residual / flat : null };
}

/** AICc of a fit with normal errors and so many parameters. */
function criterion(points: number, residual: number, parameters: number): number {
  const fit = points * Math.log(Math.max(residual, Number.MIN_VALUE));
  return fit + 2 * parameters + (2 * parameters * (parameters + 1)) / (points - parameters - 1);
}

/** The 80 % point of the normal distribution, both sides. */
const POINT_80 = 1.2816;

/** The 80 % interval of a positive amount with this mean and variance: log-normal by its moments. */
export function interval80(mean: number, variance: number): readonly [low: number, high: number] {
  if (!(mean > 0)) return [mean, mean];
  const sigma2 = Math.log(1 + variance / mean ** 2);
  const middle = Math.log(mean) - sigma2 / 2;
  const reach = POINT_80 * Math.sqrt(sigma2);
  return [Math.exp(middle - reach), Math.exp(middle + reach)];
}
