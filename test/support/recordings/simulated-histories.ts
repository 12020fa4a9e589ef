// Simulated histories of a benchmark: commits with planted steps, forks with noise and a machine that drifts, measured round by round as the command does.
import type { ForkResult, JournalResults } from '../../../server/track/journal.ts';
import { inOrder, nextRuns, type PlanFor } from '../../../server/track/plan.ts';
import { seriesOf } from '../../../server/track/series.ts';
import { randomFrom } from '../../fuzz/grammar-random.ts';

export type SimulatedHistory = {
  /** Milliseconds of a run, by commit. */
  readonly truth: readonly number[];
  /** Places of the commits with a planted step. */
  readonly planted: readonly number[];
  /** Standard deviation of forks of one commit, as a logarithm. */
  readonly noise: number;
  /** How many times as long everything takes. @param within part of the round that is over */
  readonly machine: (round: number, within: number) => number;
};

/** The judgement of a rule about a history. */
export type Judged = {
  readonly forks: number;
  /** Planted steps that were found at their commit, and steps that were found elsewhere. */
  readonly found: number;
  readonly isFalse: boolean;
};

/** 6 to 60 commits, noise of 2 to 20 %, three quarters with steps of 10 to 60 % either way, drift from round to round, slow rounds and parts of rounds. */
export function simulatedHistory(seed: number): SimulatedHistory {
  const random = randomFrom(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const count = Math.floor(between(6, 61));
  const noise = Math.exp(between(Math.log(0.02), Math.log(0.2)));
  const steps = new Set(
    Array.from({ length: Math.floor(between(0, 4)) }, () => 1 + Math.floor(random() * (count - 1))),
  );
  let level = 1000 * between(0.1, 10);
  const truth = Array.from({ length: count }, (_, at) => {
    if (steps.has(at)) level *= (1 + between(0.1, 0.6)) ** (random() < 0.7 ? 1 : -1);
    return level;
  });
  const rounds = roundsOf(random);
  const machine = (round: number, within: number) => {
    const { factor, slow } = rounds[round % rounds.length]!;
    return factor * (within >= slow.from && within < slow.from + 0.25 ? slow.factor : 1);
  };
  return { truth, planted: [...steps].sort((a, b) => a - b), noise, machine };
}

const ROUNDS = 64;

function roundsOf(random: () => number) {
  const walk = 0.05 * random();
  let drift = 0;
  return Array.from({ length: ROUNDS }, () => {
    drift += walk * normal(random);
    const slow = random() < 0.1 ? 1.1 + 0.5 * random() : 1;
    const part = random() < 0.1 ? 1.1 + 0.4 * random() : 1;
    return { factor: Math.exp(drift) * slow, slow: { from: 0.75 * random(), factor: part } };
  });
}

/** Measures a history until nothing is left to be run. @param leastOthers commits that tell the drift of a round; without end: the base alone */
export function judged(history: SimulatedHistory, seed: number, leastOthers?: number): Judged {
  const random = randomFrom(seed + 1);
  const commits = history.truth.map((_, at) => String(at));
  const results = new Map(commits.map(commit => [commit, [] as ForkResult[]]));
  const forksOf = (commit: string) => results.get(commit)!;
  const journal: JournalResults = { buildOf: () => null, forksOf, countOf: commit => forksOf(commit).length };
  const plan: PlanFor = {
    journal,
    commits,
    benchmarks: ['b'],
    forks: 2,
    ...(leastOthers !== undefined && { leastOthers }),
  };
  for (let round = 0; ; round++) {
    const runs = inOrder(nextRuns(plan, [...commits.keys()]), seed, round);
    if (runs.length === 0) break;
    for (const [i, { at }] of runs.entries()) {
      const fork = Math.exp(history.noise * normal(random)) * history.machine(round, i / runs.length);
      const millis = history.truth[at]! * fork;
      forksOf(commits[at]!).push({ state: 'measured', round, millis, tookMillis: millis, atMillis: 0 });
    }
  }
  const { suspects } = seriesOf(journal, commits, 'b', 0, leastOthers);
  const places = suspects.filter(({ isFound }) => isFound).map(({ at }) => at);
  return {
    forks: [...results.values()].reduce((sum, each) => sum + each.length, 0),
    found: places.filter(at => history.planted.includes(at)).length,
    isFalse: places.some(at => !history.planted.includes(at)),
  };
}

/** About normal, with a deviation of 1. */
function normal(random: () => number): number {
  return Array.from({ length: 12 }, random).reduce((sum, each) => sum + each, -6);
}
