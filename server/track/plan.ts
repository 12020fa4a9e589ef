// Which forks are to run: commits that are chosen, the order of a round, and how long it takes.
import { randomNumbers } from '../base/random-numbers.ts';
import type { JournalResults } from './journal.ts';
import { LEAST_OTHERS } from './round-drift.ts';
import { isBroken, isDecided, MOST_FORKS, seriesOf } from './series.ts';

/** The commits and benchmarks that the plan is made for. */
export type PlanFor = {
  readonly journal: JournalResults;
  /** Full hashes, the oldest first. */
  readonly commits: readonly string[];
  readonly benchmarks: readonly string[];
  /** So many forks look at each commit. */
  readonly forks: number;
  /** As of `RoundDrift`. */
  readonly leastOthers?: number;
};

/** A run that is wanted: one fork of a benchmark at the commit with this place. */
type WantedRun = { readonly at: number; readonly benchmark: string };

/** Forks of each commit beside a suspected step. */
export const CONFIRMING_FORKS = 5;
/** Forks that tell which of them was held up. */
const TELLING_FORKS = 3;
/** Extra forks of a commit in one round: the forks of the reference commits, which the round needs anyway, then count for all of them. */
const EXTRA_A_ROUND = 3;

/** Places of the commits without all their forks, which are not known to be broken. */
export function commitsToDo({ journal, commits, benchmarks, forks }: PlanFor): number[] {
  const isDone = (commit: string) =>
    benchmarks.every(name => isBroken(journal, commit, name) || journal.countOf(commit, name) >= forks);
  return [...commits.keys()].filter(at => !isDone(commits[at]!));
}

/** So many of the places, evenly over all of them, the last one included; all where there are no more. */
export function spread(places: readonly number[], count: number): number[] {
  if (places.length <= count) return [...places];
  const step = count === 1 ? 0 : (places.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, i) => places[places.length - 1 - Math.round(i * step)]!).reverse();
}

/** The first of the places at which something was or may be measured: it runs in every round. */
export function baseOf({ journal, commits, benchmarks }: PlanFor, places: readonly number[]): number | null {
  return places.find(at => benchmarks.some(name => !isBroken(journal, commits[at]!, name))) ?? null;
}

/**
 * The runs of the next round, without order: one fork for each commit that lacks some, or up to `EXTRA_A_ROUND` of each one beside a
 * suspected step, and one of each reference commit; empty where all is decided.
 * @param places of the commits that are looked at
 */
export function nextRuns(plan: PlanFor, places: readonly number[]): WantedRun[] {
  const { journal, commits, benchmarks, forks } = plan;
  const base = baseOf(plan, places);
  const lacking = (name: string, among: readonly number[], count: number) =>
    among.filter(at => !isBroken(journal, commits[at]!, name) && journal.countOf(commits[at]!, name) < count);
  const screened = benchmarks.map(name => lacking(name, places, forks));
  const isScreened = screened.every(each => each.length === 0);
  const wanted = isScreened ? benchmarks.map(name => suspected(plan, name, base)) : screened;
  return benchmarks.flatMap((benchmark, i) => {
    const own = wanted[i]!;
    const references = own.length === 0 ? [] : referencesOf(plan, benchmark, { base, places, own: new Set(own) });
    return [...own, ...references.filter(at => !own.includes(at))].map(at => ({ at, benchmark }));
  });
}

/** Commits that tell the drift of a round: the base, and others until enough of them are left beside any two under test, in every round the same. */
function referencesOf(
  { journal, commits, leastOthers = LEAST_OTHERS }: PlanFor,
  benchmark: string,
  round: { readonly base: number | null; readonly places: readonly number[]; readonly own: ReadonlySet<number> },
): number[] {
  const usable = round.places.filter(at => !isBroken(journal, commits[at]!, benchmark));
  const base = round.base !== null && usable.includes(round.base) ? [round.base] : [];
  const [enough, own] = [leastOthers + 2, new Set([...round.own, ...base])];
  if (usable.length < enough) return base;
  const others = spread(usable, enough).filter(at => !own.has(at));
  return [...base, ...others.slice(0, Math.max(0, enough - own.size))];
}

/** Commits on both sides of undecided places, and commits with a fork that was held up where two forks do not tell which; a commit stands there once a fork. */
function suspected({ journal, commits, leastOthers }: PlanFor, benchmark: string, base: number | null): number[] {
  const { suspects, points, unclear } = seriesOf(journal, commits, benchmark, base, leastOthers);
  const lacking = new Map<number, number>();
  const want = (places: readonly number[], count: number): void => {
    for (const at of places) lacking.set(at, Math.max(lacking.get(at) ?? 0, short(at, count)));
  };
  const short = (at: number, count: number) =>
    // Forks that were held up are made up for.
    isBroken(journal, commits[at]!, benchmark)
      ? 0
      : Math.max(0, count + points[at]!.heldUp - journal.countOf(commits[at]!, benchmark));
  for (const step of suspects) {
    const sides = [step.before, step.at];
    const isConfirmed = sides.every(at => short(at, CONFIRMING_FORKS) === 0);
    want(sides, isConfirmed && !isDecided(step) ? MOST_FORKS : CONFIRMING_FORKS);
  }
  want(unclear, TELLING_FORKS);
  return [...lacking].flatMap(([at, count]) => Array.from({ length: Math.min(count, EXTRA_A_ROUND) }, () => at));
}

/**
 * The runs of a round with all benchmarks of a commit in a row: commits in an order that the seed and the round decide. The second forks
 * of commits come behind the first ones of all, so that a slow time within the round meets no commit alone.
 */
export function inOrder(runs: readonly WantedRun[], seed: number, round: number): WantedRun[] {
  const random = randomNumbers(seed + Math.imul(round, 0x9e3779b1));
  const known = new Map<string, number>();
  const passes = Map.groupBy(runs, ({ at, benchmark }) => {
    const key = `${at} ${benchmark}`;
    const pass = known.get(key) ?? 0;
    known.set(key, pass + 1);
    return pass;
  });
  return [...passes.values()].flatMap(pass => shuffled(pass, random, round));
}

function shuffled(runs: readonly WantedRun[], random: () => number, round: number): WantedRun[] {
  const byCommit = [...Map.groupBy(runs, ({ at }) => at).values()];
  for (let last = byCommit.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [byCommit[last], byCommit[other]] = [byCommit[other]!, byCommit[last]!];
  }
  // No benchmark is always the first one in a fresh tree.
  return byCommit.flatMap(each => {
    const from = round % each.length;
    return [...each.slice(from), ...each.slice(0, from)];
  });
}

/** How long something takes: `known` from earlier results, else the longest time that is allowed. */
type Estimate = { readonly millis: number; readonly isKnown: boolean };

/** The builds and runs that are left at some commits until each has its forks, without the ones that are known to be broken or done. */
export function leftAt(
  { journal, commits, benchmarks, forks }: PlanFor,
  places: readonly number[],
): { readonly runs: readonly WantedRun[]; readonly builds: number } {
  const runs = places.flatMap(at =>
    benchmarks.flatMap(benchmark => {
      const commit = commits[at]!;
      const count = isBroken(journal, commit, benchmark) ? 0 : forks - journal.countOf(commit, benchmark);
      return Array.from({ length: Math.max(0, count) }, () => ({ at, benchmark }));
    }),
  );
  const building = new Set(runs.map(({ at }) => at).filter(at => journal.buildOf(commits[at]!) === null));
  return { runs, builds: building.size };
}

/** How long builds and runs take. */
export function estimate(
  { journal, commits, benchmarks }: PlanFor,
  { runs, builds }: ReturnType<typeof leftAt>,
  limitMillis: number,
): Estimate {
  const typical = new Map(benchmarks.map(name => [name, forkMillis(journal, commits, name)]));
  const built = medianOf(commits.flatMap(commit => millisOf(journal.buildOf(commit))));
  const isKnown = [...typical.values()].every(each => each !== null) && (built !== null || builds === 0);
  const running = runs.reduce((sum, { benchmark }) => sum + (typical.get(benchmark) ?? limitMillis), 0);
  return { millis: running + builds * (built ?? limitMillis), isKnown };
}

/** The median time of a fork; null before the first one. */
export function forkMillis(journal: JournalResults, commits: readonly string[], benchmark: string): number | null {
  const took = commits.flatMap(commit =>
    journal.forksOf(commit, benchmark).flatMap(each => (each.state === 'measured' ? [each.tookMillis] : [])),
  );
  return medianOf(took);
}

function millisOf(build: ReturnType<JournalResults['buildOf']>): number[] {
  return build?.state === 'built' ? [build.millis] : [];
}

function medianOf(numbers: readonly number[]): number | null {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? null;
}
