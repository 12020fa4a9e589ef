// The sum of the terms of an edit: two ends, how sure it is, and what the method takes then.
import { callsOfWindow, changeVariance, interval80, spread80, windowVariance } from '../../metrics/call-cost.ts';
import type { Weight } from './frequencies.ts';
import type { EditedMethod } from './method-code.ts';
import {
  type Ends,
  hasTwoEnds,
  isMain,
  isTold,
  type KnownReliability,
  type KnownTerm,
  knownTerms,
  leastReliable,
  type PredictedMethod,
  type PredictedTerm,
  reliabilityOf,
  termEnds,
  unknownTerms,
} from './prediction.ts';
import type { Recursion } from './recursion.ts';

export function summed(
  given: readonly PredictedTerm[],
  { rows, declaration, name, title, nameLine }: EditedMethod,
  { own, mean: measured }: Recursion,
): PredictedMethod {
  const terms = withoutStraddling(given, measured);
  const known = knownTerms(terms);
  const unknown = unknownTerms(terms);
  const ends = endsOf(known);
  const about = { rows, declaration, name, title, line: nameLine, measured, passed: null, terms };
  const direction = directionOf([...unknown.map(each => each.direction), Math.sign(ends[0]), Math.sign(ends[1])]);
  const interval = intervalOf(known, ends);
  if (isMain(unknown, ends, measured) || isEither(mostTimes(known), interval, measured))
    return { ...about, direction, ...UNKNOWN, unknown: unknown.length };
  const runs = own === null ? 1 : callsOfWindow(own);
  const before = own === null || known.length === 0 ? 0 : windowVariance(own);
  return {
    ...about,
    change: (ends[0] + ends[1]) / 2,
    ends,
    interval,
    mean:
      measured === null
        ? null
        : meanOf(measured, ends, interval, before + known.reduce((sum, term) => sum + ownVariance(term, runs), 0)),
    reliability: reliabilityOf(known),
    direction,
    unknown: unknown.length,
  };
}

const UNKNOWN = { change: null, ends: null, interval: null, mean: null, reliability: 'unknown' } as const;

/** The method with what its edited callees pass on, which is one more term of its sum. */
export function withPassed(method: PredictedMethod, passed: Ends, reliability: KnownReliability): PredictedMethod {
  if (method.change === null || passed.every(end => end === 0)) return method;
  const { terms, measured } = method;
  const shifted = ([low, high]: Ends): Ends => [low + passed[0], high + passed[1]];
  const [ends, interval] = [shifted(method.ends), shifted(method.interval)];
  const unknown = unknownTerms(terms);
  const direction = directionOf([...unknown.map(each => each.direction), Math.sign(ends[0]), Math.sign(ends[1])]);
  const mosts = [...mostTimes(knownTerms(terms)), passed[1]];
  if (isMain(unknown, ends, measured) || isStraddling(ends, measured) || isEither(mosts, interval, measured))
    return { ...method, ...UNKNOWN, passed, direction };
  return {
    ...method,
    ...{ change: (ends[0] + ends[1]) / 2, ends, interval, passed, direction },
    mean: method.mean === null ? null : shifted(method.mean),
    reliability: leastReliable(method.reliability, reliability),
  };
}

function mostTimes(known: readonly KnownTerm[]): number[] {
  return known.map(({ times }) => times.most);
}

/** Whether parts that are more and parts that are less may come to slower or to faster. */
function isEither(mosts: readonly number[], [low, high]: Ends, measured: number | null): boolean {
  const isMixed = mosts.some(most => most > 0) && mosts.some(most => most <= 0);
  return isMixed && low < 0 && high > 0 && isTold(Math.max(-low, high), measured);
}

/** Ends on both sides of zero, the smaller of so large a part of the larger, say neither slower nor faster. */
const STRADDLING = 0.2;

function isStraddling([low, high]: Ends, measured: number | null): boolean {
  const [smaller, larger] = [Math.min(-low, high), Math.max(-low, high)];
  return smaller > 0 && smaller > STRADDLING * larger && isTold(smaller, measured);
}

/** Terms of which only ends are known are not known where the sum of all may be slower or faster. */
function withoutStraddling(terms: readonly PredictedTerm[], measured: number | null): readonly PredictedTerm[] {
  if (!isStraddling(endsOf(knownTerms(terms)), measured)) return terms;
  return terms.map(term => {
    const [known] = knownTerms([term]);
    if (known === undefined || !hasTwoEnds(known)) return term;
    const isOften = known.times.least !== known.times.most;
    const reason = isOften ? 'it is not known how often it runs' : 'its calls take very different times';
    return { ...term, times: null, reason };
  });
}

function directionOf(signs: readonly number[]): -1 | 0 | 1 {
  const told = new Set(signs.filter((sign, i) => sign !== 0 || i < signs.length - 2));
  if (told.size !== 1) return 0;
  return told.has(1) ? 1 : told.has(-1) ? -1 : 0;
}

function endsOf(known: readonly KnownTerm[]): Ends {
  const ends = known.map(termEnds);
  return [ends.reduce((sum, [low]) => sum + low, 0), ends.reduce((sum, [, high]) => sum + high, 0)];
}

/**
 * The 80 % interval of the change. Both versions run under the same conditions, so that it holds the terms alone; what is only added
 * makes no method faster.
 */
function intervalOf(known: readonly KnownTerm[], [low, high]: Ends): Ends {
  const sides = (isPositive: boolean) => known.filter(({ times }) => times.most > 0 === isPositive);
  const [more, less] = [sides(true), sides(false)];
  const varianceOf = (terms: readonly KnownTerm[], end: keyof Weight) =>
    terms.reduce((sum, { cost, times }) => sum + times[end] ** 2 * changeVariance(cost), 0);
  if (less.length === 0)
    return [interval80(low, varianceOf(more, 'least'))[0], interval80(high, varianceOf(more, 'most'))[1]];
  if (more.length === 0)
    return [-interval80(-low, varianceOf(less, 'least'))[1], -interval80(-high, varianceOf(less, 'most'))[0]];
  return [low - spread80(varianceOf(known, 'least')), high + spread80(varianceOf(known, 'most'))];
}

/** The 80 % interval of the method's mean over a window like the recorded ones. */
function meanOf(measured: number, [low, high]: Ends, change: Ends, variance: number): Ends {
  const end = (sum: number, changed: number, side: 0 | 1) => {
    const after = measured + sum;
    const total = variance + ((changed - sum) / POINT) ** 2;
    return after > 0 ? interval80(after, total)[side] : Math.max(0, measured + changed);
  };
  return [end(low, change[0], 0), end(high, change[1], 1)];
}

const POINT = spread80(1);

/** Variance that a term adds to the mean of a window with so many runs. A call that is gone adds none: that of the method held it. */
function ownVariance({ cost, times }: KnownTerm, runs: number): number {
  const most = Math.max(Math.abs(times.least), Math.abs(times.most));
  return most ** 2 * cost.shared + (times.most > 0 ? (most * cost.single) / runs : 0);
}
