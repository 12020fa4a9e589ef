// The results of a benchmark over the commits: values without the drift of the machine, gaps, and the steps between commits.

import { compareForks, type ForkComparison } from '../capabilities/compare/door.ts';
import { isDirected } from '../model/verdict.ts';
import { logOf, type MeasuredFork, medianOf, sortForks } from './held-up.ts';
import type { ForkResult, JournalResults, Reason } from './journal.ts';
import { type Drift, RoundDrift } from './round-drift.ts';
import { type Steadiness, steadinessOf } from './steady-state.ts';
import type { Finding } from './visible-steps.ts';

/** A benchmark at one commit. */
export type Point = {
  /** Place of the commit in the range. */
  readonly at: number;
  /** Of each fork, in milliseconds, without drift; forks that were held up are not among them. */
  readonly values: readonly number[];
  /** The same as measured. */
  readonly raw: readonly number[];
  /** Forks that took far longer than the others of the commit, because something else ran on the machine. */
  readonly heldUp: number;
  /** Geometric mean of the values; null for a gap. */
  readonly mean: number | null;
  /** Why forks failed, and how many. */
  readonly failures: readonly Failure[];
};

type Failure = { readonly reason: Reason; readonly detail: string; readonly count: number };

/** A place between two measured commits at which a benchmark may have become slower or faster. */
export type Step = {
  /** The last measured commit before it, and the first one after it; broken commits may lie between. */
  readonly before: number;
  readonly at: number;
  readonly comparison: ForkComparison;
  /** p among all places that were tested (Benjamini and Hochberg, 1995). */
  readonly p: number;
  /** Whether it counts: found, and large enough to matter. */
  readonly isFound: boolean;
};

export type Series = {
  readonly benchmark: string;
  readonly points: readonly Point[];
  readonly drift: readonly Drift[];
  /** Standard deviation between the forks of a commit over all commits, as a part of their mean: slow commits deviate by more milliseconds. */
  readonly noise: number;
  readonly steadiness: Steadiness;
  /** Places where commits differ so much that more forks must decide; a tested place has its result. */
  readonly suspects: readonly Step[];
  /** Places of commits of which further forks must tell which were held up. */
  readonly unclear: readonly number[];
  /** Places of commits whose test differs from that of the measured commit before them: both sides are not compared. */
  readonly changedTests: readonly number[];
};

/** A part of the larger side; smaller changes matter to nobody. */
export const LEAST_CHANGE = 0.03;
/** Of the steps that are found, no more than this part is false. */
const MOST_FALSE = 0.02;
/** So many times the noise differ the sides of a suspected step. */
const SUSPICIOUS = 3;
/** So many commits on each side of a place are taken together. */
const WINDOW = 3;
/** Forks of each commit beside a suspected step that five forks cannot decide. */
export const MOST_FORKS = 10;
/** The rules above as numbers, from which the smallest visible step follows. */
export const FINDING: Finding = {
  suspicious: SUSPICIOUS,
  leastChange: LEAST_CHANGE,
  window: WINDOW,
  deciding: MOST_FORKS,
};
/** How forks of commits near a place differ counts as much as so many forks of all commits. */
const PRIOR = 4;

/** The history of a benchmark. @param base place of the commit that runs in every round @param leastOthers as of `RoundDrift` */
export function seriesOf(
  journal: JournalResults,
  commits: readonly string[],
  benchmark: string,
  base: number | null,
  leastOthers?: number,
): Series {
  const results = commits.map(commit => journal.forksOf(commit, benchmark));
  const sorted = sortForks(results);
  const kept = sorted.map(each => each.kept);
  const scatter = scatterOf(kept);
  const noise = noiseOf(scatter);
  const drift = new RoundDrift(kept, base, noise, leastOthers);
  const valuesAt: ValuesAt = (at, without) =>
    kept[at]!.map(({ millis, round }) => millis / drift.divisor(round, without));
  const points = results.map((forks, at): Point => {
    const { kept: measured, heldUp } = sorted[at]!;
    const raw = measured.map(({ millis }) => millis);
    const values = valuesAt(at, [at]);
    const mean = values.length === 0 ? null : Math.exp(meanLog(values));
    return { at, values, raw, heldUp, mean, failures: failuresOf(journal, commits[at]!, forks) };
  });
  const measured = points.filter((point): point is MeasuredPoint => point.mean !== null);
  const changedTests = measured.flatMap(({ at }, i) =>
    i > 0 && isTestChanged(journal, benchmark, [commits[measured[i - 1]!.at]!, commits[at]!]) ? [at] : [],
  );
  const splits = new Set(changedTests);
  const segments = splitAt(measured, splits);
  const unclear = [...sorted.keys()].filter(at => sorted[at]!.isUnclear);
  const suspects = stepsIn({ segments, scatter, valuesAt });
  return {
    benchmark,
    points,
    drift: drift.rounds(),
    noise,
    steadiness: steadinessOf(kept.flat()),
    suspects,
    unclear,
    changedTests,
  };
}

/** Of the forks of a commit, in milliseconds, without the drift that all but some commits tell. */
type ValuesAt = (at: number, without: readonly number[]) => number[];

type Measured = {
  /** Commits that are compared with each other. */
  readonly segments: readonly (readonly MeasuredPoint[])[];
  /** By place. */
  readonly scatter: readonly Scatter[];
  readonly valuesAt: ValuesAt;
};

type MeasuredPoint = Point & { readonly mean: number };

/** Whether the class of a test, or a test class that ran with it in one of two commits, has other code in the other one. */
function isTestChanged(journal: JournalResults, benchmark: string, commits: readonly [string, string]): boolean {
  const [before, after] = commits.map(commit => {
    const build = journal.buildOf(commit);
    return build?.state === 'built' ? build.tests : undefined;
  });
  // A command is the same in all commits.
  if (before === undefined || after === undefined) return false;
  const reached = commits.flatMap(commit =>
    journal.forksOf(commit, benchmark).flatMap(each => (each.state === 'measured' ? (each.reached ?? []) : [])),
  );
  return [benchmark, ...reached].some(name => before[name] !== after[name]);
}

/** Whether a commit will never have a number: it does not build, or the first fork failed. */
export function isBroken(journal: JournalResults, commit: string, benchmark: string): boolean {
  if (journal.buildOf(commit)?.state === 'failed') return true;
  const forks = journal.forksOf(commit, benchmark);
  return journal.countOf(commit, benchmark) > 0 && forks.every(({ state }) => state === 'failed');
}

function failuresOf(journal: JournalResults, commit: string, forks: readonly ForkResult[]): Failure[] {
  const build = journal.buildOf(commit);
  const failed = [...forks, ...(build === null ? [] : [build])].filter(each => each.state === 'failed');
  const alike = Map.groupBy(failed, ({ reason, detail }) => `${reason} ${detail}`);
  return [...alike.values()].map(each => ({
    reason: each[0]!.reason,
    detail: each[0]!.detail,
    count: each.length,
  }));
}

/** How forks of one commit differ: their squared deviations in sum, and how many of them are free. */
type Scatter = { readonly squares: number; readonly freedom: number };

/** By commit: forks' deviations from their mean, after the median deviation of their round is taken away; all as logarithms. */
function scatterOf(results: readonly (readonly MeasuredFork[])[]): Scatter[] {
  const deviations = results.map(measured => {
    const mean = measured.length < 2 ? 0 : meanLog(measured.map(({ millis }) => millis));
    return measured.length < 2 ? [] : measured.map(({ round, millis }) => ({ round, log: logOf(millis) - mean }));
  });
  const byRound = Map.groupBy(deviations.flat(), ({ round }) => round);
  const common = new Map(
    // The median of a few is no drift.
    Array.from(byRound, ([round, each]) => [round, each.length < 5 ? 0 : medianOf(each.map(({ log }) => log))]),
  );
  return deviations.map(each => ({
    squares: each.reduce((sum, { round, log }) => sum + (log - common.get(round)!) ** 2, 0),
    freedom: Math.max(0, each.length - 1),
  }));
}

/** The standard deviation of forks that the scatter of some commits tells; `prior` counts as so many free deviations more. */
function noiseOf(scatter: readonly Scatter[], prior = { noise: 0, freedom: 0 }): number {
  const squares = scatter.reduce((sum, each) => sum + each.squares, prior.freedom * prior.noise ** 2);
  const freedom = scatter.reduce((sum, each) => sum + each.freedom, prior.freedom);
  return Math.sqrt(squares / Math.max(1, freedom));
}

/**
 * Places at which more forks must decide, or have. Where a test finds a step, the commits before it and those from it on are looked at
 * apart from then on: a large step would hide a small one beside it.
 */
function stepsIn(measured: Measured): Step[] {
  const told: Untold[] = [];
  for (let open = measured.segments; ; ) {
    const suspected = open.flatMap(points => clearestIn(points, measured));
    const changed = suspected.filter(({ comparison }) => isChange(comparison));
    told.push(...(changed.length === 0 ? suspected : changed));
    if (changed.length === 0) break;
    open = open.flatMap(points => splitAt(points, new Set(changed.map(({ at }) => at))));
  }
  told.sort((one, other) => one.at - other.at);
  const adjusted = adjustedOf(told.map(({ comparison }) => comparison.p));
  return told.map((step, i) => {
    const p = adjusted[i]!;
    return { ...step, p, isFound: isChange(step.comparison) && p <= MOST_FALSE };
  });
}

type Untold = Pick<Step, 'before' | 'at' | 'comparison'>;

function isChange({ verdict }: ForkComparison): boolean {
  return isDirected(verdict);
}

/** Neighbours that differ more than noise does; of several places at one step the clearest. */
function clearestIn(points: readonly MeasuredPoint[], { scatter, valuesAt }: Measured): Untold[] {
  const prior = { noise: noiseOf(scatter), freedom: PRIOR };
  const noises = points.map((_, i) => {
    const near = points.slice(Math.max(0, i - WINDOW), i + WINDOW).map(({ at }) => scatter[at]!);
    return noiseOf(near, prior);
  });
  const peaks = new Set(
    [1, WINDOW].flatMap(width => peaksOf(points.map((_, i) => scoreAt(points, i, noises[i]!, width)))),
  );
  return points.flatMap((point, i) => {
    const before = points[i - 1];
    if (!peaks.has(i) || before === undefined) return [];
    const sides = [before.at, point.at];
    const comparison = compareForks(valuesAt(before.at, sides), valuesAt(point.at, sides), LEAST_CHANGE);
    return [{ before: before.at, at: point.at, comparison }];
  });
}

/** Each place begins another part. */
function splitAt(points: readonly MeasuredPoint[], places: ReadonlySet<number>): MeasuredPoint[][] {
  const parts: MeasuredPoint[][] = [[]];
  for (const point of points) {
    if (places.has(point.at)) parts.push([]);
    parts.at(-1)!.push(point);
  }
  return parts;
}

/** Whether no more forks are needed. */
export function isDecided({ comparison, isFound }: Step): boolean {
  return isFound || comparison.verdict === 'same';
}

/** Where scores are beyond noise and larger than beside. */
function peaksOf(scores: readonly number[]): number[] {
  return [...scores.keys()].filter(
    i => scores[i]! > SUSPICIOUS && scores[i]! >= (scores[i - 1] ?? 0) && scores[i]! > (scores[i + 1] ?? 0),
  );
}

/** How many times the noise so many commits on both sides differ; each commit counts as much, however many forks it has. */
function scoreAt(points: readonly MeasuredPoint[], at: number, noise: number, width: number): number {
  const [left, right] = [points.slice(Math.max(0, at - width), at), points.slice(at, at + width)];
  if (left.length === 0) return 0;
  const difference = Math.abs(levelOf(right) - levelOf(left));
  if (1 - Math.exp(-difference) < LEAST_CHANGE) return 0;
  const error = noise * Math.sqrt(varianceOf(left) + varianceOf(right));
  return error > 0 ? difference / error : Number.POSITIVE_INFINITY;
}

function levelOf(points: readonly MeasuredPoint[]): number {
  return points.reduce((sum, { mean }) => sum + logOf(mean), 0) / points.length;
}

/** Of the level, where one fork has the variance 1. */
function varianceOf(points: readonly MeasuredPoint[]): number {
  return points.reduce((sum, { values }) => sum + 1 / values.length, 0) / points.length ** 2;
}

/** p of each of several tests so that of all that are found few are false (Benjamini and Hochberg, 1995); NaN stays. */
function adjustedOf(ps: readonly number[]): number[] {
  const order = ps.flatMap((p, i) => (Number.isNaN(p) ? [] : [i])).sort((a, b) => ps[b]! - ps[a]!);
  const adjusted = ps.map(() => Number.NaN);
  let least = 1;
  order.forEach((i, rank) => {
    least = Math.min(least, (ps[i]! * order.length) / (order.length - rank));
    adjusted[i] = least;
  });
  return adjusted;
}

function meanLog(millis: readonly number[]): number {
  return millis.reduce((sum, each) => sum + logOf(each), 0) / millis.length;
}
