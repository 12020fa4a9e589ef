// Which forks something else on the machine held up: they took far longer than the other forks of their commit.
import type { ForkResult } from './journal.ts';

export type MeasuredFork = Extract<ForkResult, { readonly state: 'measured' }>;

/** The forks of a commit. */
type CommitForks = {
  /** The forks that a number is made of. */
  readonly kept: readonly MeasuredFork[];
  /** Forks that were held up; they count nowhere. */
  readonly heldUp: number;
  /** Whether the kept forks differ so much that only further ones can tell which were held up. */
  readonly isUnclear: boolean;
};

/** Less than this factor is noise, whatever other forks do. */
const LEAST_FACTOR = 1.5;
/** So many times the noise a fork must be behind. */
const FAR = 5;
/** Of so few forks the median of a round is no drift. */
const LEAST_IN_ROUND = 5;
/** Makes the median of absolute deviations a standard deviation. */
const NORMAL = 1.4826;

type Log = { readonly fork: MeasuredFork; readonly log: number };

/** Sorts the forks of each commit. Noise and drift of rounds are judged by medians, so that forks that were held up do not hide themselves. */
export function sortForks(results: readonly (readonly ForkResult[])[]): CommitForks[] {
  const logs = results.map(forks =>
    forks.filter(each => each.state === 'measured').map(fork => ({ fork, log: logOf(fork.millis) })),
  );
  const common = commonOf(logs);
  const level = logs.map(own => own.map(({ fork, log }) => ({ fork, log: log - (common.get(fork.round) ?? 0) })));
  const limit = Math.max(Math.log(LEAST_FACTOR), FAR * noiseOf(level));
  return level.map(own => {
    const middle = medianOf(own.map(({ log }) => log));
    // Two forks do not tell which of them was held up.
    const kept = own.length < 3 ? own : own.filter(({ log }) => log - middle <= limit);
    const all = kept.map(({ log }) => log);
    return {
      kept: kept.map(({ fork }) => fork),
      heldUp: own.length - kept.length,
      isUnclear: kept.length > 1 && Math.max(...all) - Math.min(...all) > limit,
    };
  });
}

/** By round: how much longer everything took there, as a logarithm. */
function commonOf(logs: readonly (readonly Log[])[]): ReadonlyMap<number, number> {
  const byRound = Map.groupBy(logs.flatMap(deviationsOf), ({ fork }) => fork.round);
  return new Map(
    Array.from(byRound, ([round, own]) => [
      round,
      own.length < LEAST_IN_ROUND ? 0 : medianOf(own.map(({ log }) => log)),
    ]),
  );
}

/** The usual deviation of a fork, as a logarithm. */
function noiseOf(logs: readonly (readonly Log[])[]): number {
  const sizes = logs.flatMap(own =>
    deviationsOf(own).map(({ log }) => Math.abs(log) * Math.sqrt(own.length / (own.length - 1))),
  );
  return NORMAL * medianOf(sizes);
}

/** From the median of the commit; one fork alone has none. */
function deviationsOf(own: readonly Log[]): Log[] {
  if (own.length < 2) return [];
  const middle = medianOf(own.map(({ log }) => log));
  return own.map(({ fork, log }) => ({ fork, log: log - middle }));
}

/** Clocks may tell no time at all. */
export function logOf(millis: number): number {
  return Math.log(Math.max(millis, 1e-6));
}

/** 0 of none. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
