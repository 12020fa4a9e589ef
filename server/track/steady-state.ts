// Whether forks reached their steady state: how much of their processor time the JVM's compiler took, and how long forks would have to be.
import type { CompilerThird } from '../ingest/ingest.ts';
import { type MeasuredFork, medianOf } from './held-up.ts';

/** In each third of the recordings of a fork: the compiler's share of the processor time of all threads. */
type CompilerShares = NonNullable<MeasuredFork['compiler']>;

/** A fork still compiles where the compiler takes more than this in its last third. */
const STEADY_SHARE = 0.1;
/** Estimates beyond so many times the length of the forks are guesses. */
const MOST_TIMES = 10;
/** The middle of the last third, as a multiple of the middle of the second third. */
const LATER = 5 / 6 / (1 / 2);

export type Steadiness = {
  /** Forks whose compiler share is known. */
  readonly known: number;
  readonly unknown: number;
  /** Forks whose compiler took more than `STEADY_SHARE` in the last third. */
  readonly compiling: number;
  /** The compiler's share of the last third: the median over the known forks; null without a known fork. */
  readonly share: number | null;
  /** The length in seconds that forks would need, where most of them still compiled; null where it is not known. */
  readonly neededSeconds: number | null;
};

/** The compiler's shares of a fork; null where none of its recordings tells them. @param thirds of each JVM */
export function compilerShares(thirds: readonly (readonly CompilerThird[])[]): CompilerShares | null {
  const shares = [0, 1, 2].map(at => {
    const sum = (part: keyof CompilerThird) => thirds.reduce((sum, each) => sum + (each[at]?.[part] ?? 0), 0);
    const all = sum('all');
    return all > 0 ? Math.min(1, sum('compiler') / all) : null;
  });
  const [first, second, last] = shares;
  return first == null || second == null || last == null ? null : [first, second, last];
}

export function steadinessOf(forks: readonly MeasuredFork[]): Steadiness {
  const shares = forks.flatMap(({ compiler }) => (compiler === undefined ? [] : [compiler]));
  const compiling = shares.filter(([, , last]) => last > STEADY_SHARE).length;
  const known = { known: shares.length, unknown: forks.length - shares.length, compiling };
  if (shares.length === 0) return { ...known, share: null, neededSeconds: null };
  const middle = (at: 1 | 2) => medianOf(shares.map(each => each[at]));
  const times = isMostlyCompiling(known) ? timesLonger(middle(1), middle(2)) : null;
  const seconds = medianOf(forks.map(({ tookMillis }) => tookMillis)) / 1000;
  return { ...known, share: middle(2), neededSeconds: times === null ? null : Math.ceil(times * seconds) };
}

/** Whether most forks of which it is known did not reach their steady state. */
function isMostlyCompiling({ known, compiling }: Pick<Steadiness, 'known' | 'compiling'>): boolean {
  return 2 * compiling > known;
}

/** `12 of 20 forks were still compiling in their last third: longer ones are needed, of about 25 s`; empty without forks. */
export function steadinessText(steadiness: Steadiness): string {
  const { known, unknown, compiling, neededSeconds } = steadiness;
  if (known === 0) return unknown === 0 ? '' : `whether the ${unknown} forks reached their steady state is not known`;
  const length = neededSeconds === null ? '' : `, of about ${neededSeconds} s`;
  const advice = isMostlyCompiling(steadiness) ? `: longer ones are needed${length}` : '';
  const others = unknown === 0 ? '' : ` (of ${unknown} more it is not known)`;
  return `${compiling} of ${known} forks were still compiling in their last third${others}${advice}`;
}

/** How many times longer a fork must be until the compiler's share is `STEADY_SHARE`: the share falls with a power of time. */
function timesLonger(second: number, last: number): number | null {
  if (!(second > last)) return null;
  const power = Math.log(second / last) / Math.log(LATER);
  const times = (last / STEADY_SHARE) ** (1 / power);
  return times <= MOST_TIMES ? times : null;
}
