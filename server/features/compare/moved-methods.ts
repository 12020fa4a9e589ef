// Which methods' shares moved against a baseline: methods that run now, and methods that only the baseline has.

import { gatherBy, type Reach } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { ComparedShare } from '../../capabilities/compare/door.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { goneChange, methodChange } from './changes.ts';

/** A method that had this share of either side is looked at; what has less on both moves by nothing worth a look. */
const LEAST_SHARE = 0.001;
/** Of everything: smaller changes are not listed. */
const LEAST_CHANGE = 0.001;

type MovedMethod = {
  /** Row of the method table of the data, or of the baseline's where `isGone`. */
  readonly method: number;
  /** Whether the method has no samples any more, under none of the names that it is followed by. */
  readonly isGone: boolean;
  readonly change: ComparedShare;
};

/** Rows looked at in one step. */
const STEP = 256;

type MovedWish = {
  readonly limit: number;
  /** Whether a method is looked at: a row of the data's method table, or of the baseline's where `isGone`. */
  readonly fits?: (method: number, isGone: boolean) => boolean;
};

/**
 * Of the methods whose share moved by at least LEAST_CHANGE the `limit` that moved farthest: the method that grew most is first, the
 * method that shrank most is last. `unmoved` counts the methods with samples on either side whose share moved by less.
 */
export async function movedMethods(
  data: LoadedData,
  baseline: Baseline,
  { limit, fits = () => true }: MovedWish,
  { ask, turn }: Reach,
) {
  const { total } = data.values;
  const before = baseline.data.values.total;
  const [least, leastBefore] = [leastWeight(data), leastWeight(baseline.data)];
  const moved: MovedMethod[] = [];
  if (!(data.analysis.whole.weight > 0)) return { rows: moved, unmoved: 0 };
  let seen = 0;
  const add = (row: MovedMethod) => {
    if (Math.abs(row.change.current - row.change.baseline) >= LEAST_CHANGE) moved.push(row);
  };
  const running: { readonly method: number; readonly now: Amount; readonly then: readonly number[] }[] = [];
  const isNow = new Uint8Array(before.weight.length);
  for (let method = PARTIAL_METHOD + 1; method < total.weight.length; method++) {
    if (method % STEP === 0) await turn();
    const [weight, count] = [total.weight[method]!, total.count[method]!];
    if (!(weight > 0)) continue;
    const then = baseline.pairing.rowsOf([method]);
    for (const row of then) isNow[row] = 1;
    if (!fits(method, false)) continue;
    seen++;
    if (weight < least && !then.some(row => before.weight[row]! >= leastBefore)) continue;
    running.push({ method, now: { weight, count }, then });
  }
  const sets = running.flatMap(({ then }) => (then.length > 1 ? [{ methods: then }] : []));
  await gatherBy(ask, { data: baseline.data, sets });
  for (const [i, { method, now }] of running.entries()) {
    if (i % STEP === 0) await turn();
    add({ method, isGone: false, change: methodChange(data, [method], now, baseline) });
  }
  for (let method = PARTIAL_METHOD + 1; method < isNow.length; method++) {
    if (method % STEP === 0) await turn();
    if (isNow[method] === 1 || !(before.weight[method]! > 0) || !fits(method, true)) continue;
    seen++;
    if (before.weight[method]! < leastBefore) continue;
    add({ method, isGone: true, change: goneChange(data, method, baseline) });
  }
  const grown = ({ change: { baseline: then, current } }: MovedMethod) => current - then;
  const rows = moved
    .sort((a, b) => Math.abs(grown(b)) - Math.abs(grown(a)))
    .slice(0, limit)
    .sort((a, b) => grown(b) - grown(a));
  return { rows, unmoved: seen - moved.length };
}

/** Above nothing, so that of empty data no method is looked at. */
function leastWeight({ analysis: { whole } }: LoadedData): number {
  return Math.max(Number.MIN_VALUE, LEAST_SHARE * whole.weight);
}
