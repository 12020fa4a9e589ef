// Method and self values of every method at once, and the hottest of them.
import type { Amount, Analysis } from './analysis.ts';

/** One value a method row. The two arrays are the same where the metric's unit is `samples`. */
export type MethodTimes = { readonly weight: Float64Array; readonly count: Float64Array };

/** M(m) of every method row in one pass, recursion counted once. */
export function methodTimes(a: Analysis): MethodTimes {
  throw new Error(`not yet: ${a}`);
}

/** Samples with the method innermost, for every method row. */
export function selfTimes(a: Analysis): MethodTimes {
  throw new Error(`not yet: ${a}`);
}

export type HotMethod = { readonly method: number; readonly total: Amount; readonly self: Amount };

/** The `limit` methods with most total (or self) weight, heaviest first; ties by row; the root and methods without weight left out. */
export function hotMethods(a: Analysis, limit: number, by: 'total' | 'self' = 'total'): HotMethod[] {
  throw new Error(`not yet: ${a} ${limit} ${by}`);
}
