// How much longer everything took in each round, so that the values of commits can be compared without it.
import { logOf, type MeasuredFork } from './held-up.ts';

/** Drift of a round: how many times as long as in the mean of all rounds everything took; null where nothing tells. */
export type Drift = { readonly round: number; readonly factor: number | null; readonly isRemoved: boolean };

/** The least forks of other commits that tell the drift of a round; where a round has fewer, the base commit tells it. */
export const LEAST_OTHERS = 6;
/** Drift that the base commit alone tells is taken for noise below so many times the noise. */
const LEAST_DRIFT = 2;

type Deviation = { readonly at: number; readonly log: number };

/**
 * Each commit of a round deviates from its own mean over its rounds. The mean deviation, as a logarithm, is the drift of the round: the
 * geometric mean of parts, so that slow commits do not decide more than fast ones. A commit under test must not tell what it is divided by.
 */
export class RoundDrift {
  readonly #byRound: ReadonlyMap<number, readonly Deviation[]>;
  readonly #base: number | null;
  readonly #noise: number;
  readonly #leastOthers: number;

  /**
   * @param forks of each commit, without held-up ones
   * @param base place of the commit that runs in every round
   * @param noise how forks of a commit differ, as a part of their mean
   */
  constructor(
    forks: readonly (readonly MeasuredFork[])[],
    base: number | null,
    noise: number,
    leastOthers: number = LEAST_OTHERS,
  ) {
    this.#byRound = deviationsOf(forks);
    this.#base = base;
    this.#noise = noise;
    this.#leastOthers = leastOthers;
  }

  /** All rounds, the first one first. */
  rounds(): Drift[] {
    return [...this.#byRound.keys()].sort((a, b) => a - b).map(round => this.#tell(round, []));
  }

  /** The divisor of the values of the round. @param without places of the commits under test */
  divisor(round: number, without: readonly number[]): number {
    const { factor, isRemoved } = this.#tell(round, without);
    return isRemoved ? (factor ?? 1) : 1;
  }

  #tell(round: number, without: readonly number[]): Drift {
    const all = this.#byRound.get(round) ?? [];
    const others = all.filter(({ at }) => !without.includes(at));
    if (others.length >= this.#leastOthers) return { round, factor: Math.exp(meanLog(others)), isRemoved: true };
    const base = all.filter(({ at }) => at === this.#base);
    if (base.length === 0) return { round, factor: null, isRemoved: false };
    const log = meanLog(base);
    return { round, factor: Math.exp(log), isRemoved: Math.abs(log) > LEAST_DRIFT * this.#noise };
  }
}

/** By round, of each commit that ran there. */
function deviationsOf(forks: readonly (readonly MeasuredFork[])[]): ReadonlyMap<number, readonly Deviation[]> {
  const all = forks.flatMap((own, at) => {
    const logs = own.map(({ round, millis }) => ({ at, round, log: logOf(millis) }));
    const mean = meanLog(logs);
    return logs.map(each => ({ ...each, log: each.log - mean }));
  });
  return Map.groupBy(all, ({ round }) => round);
}

function meanLog(all: readonly { readonly log: number }[]): number {
  return all.reduce((sum, { log }) => sum + log, 0) / all.length;
}
