// Simulated profiles of the forks of a benchmark: methods with noise of their own and few samples, among times that differ more.
import type { ForkProfile } from '../../../server/track/fork-profiles.ts';
import { randomFrom } from '../../fuzz/grammar-random.ts';

const METHODS = 60;
/** Own times of methods of a real benchmark: some are hot, most are not. */
const TIMES = Array.from({ length: METHODS }, (_, rank) => 1 / (1 + rank) ** 1.2);
/** Each method calls the next two. */
const BELOW = 2;

export type ProfileWorld = {
  readonly commits: number;
  readonly forks: number;
  /** Standard deviations of forks, as logarithms: of everything, and of each method. */
  readonly noise: number;
  readonly ofMethod: number;
  readonly samples: number;
  /** A factor of the own time of a method. */
  readonly factor?: (commit: number, method: number) => number;
  /** A factor of the own time of a method in a round, as from another machine or load. */
  readonly drift?: (round: number, method: number) => number;
};

/** Ten commits with two forks each, of which times differ by 17 %. */
export const QUIET: ProfileWorld = { commits: 10, forks: 2, noise: 0.17, ofMethod: 0.08, samples: 300 };
export function keyOf(method: number): string {
  return JSON.stringify(['acme.Shop', `m${method}`, '()V']);
}

/** The forks of a world, as the command runs them: a round has one of each commit. */
export function profilesOf(
  { commits, forks, noise, ofMethod, samples, factor, drift }: ProfileWorld,
  seed: number,
): ForkProfile[] {
  const random = randomFrom(seed);
  const normal = () => Array.from({ length: 12 }, random).reduce((sum, each) => sum + each, -6);
  return Array.from({ length: commits * forks }, (_, i): ForkProfile => {
    const [at, round] = [Math.floor(i / forks), i % forks];
    const times = TIMES.map(
      (time, method) =>
        time * Math.exp(ofMethod * normal()) * (factor?.(at, method) ?? 1) * (drift?.(round, method) ?? 1),
    );
    const whole = times.reduce((sum, each) => sum + each, 0);
    const own = new Float64Array(METHODS);
    for (let sample = 0; sample < samples; sample++) {
      let [method, left] = [0, random() * whole - times[0]!];
      while (method < METHODS - 1 && left > 0) left -= times[++method]!;
      own[method]! += 1 / samples;
    }
    const shares = new Map<string, { total: number; self: number }>();
    for (let method = METHODS - 1; method >= 0; method--) {
      const called = Array.from({ length: BELOW }, (_, next) => method * BELOW + next + 1);
      const below = called.reduce((sum, each) => sum + (shares.get(keyOf(each))?.total ?? 0), 0);
      const self = own[method]!;
      if (self + below > 0) shares.set(keyOf(method), { self, total: self + below });
    }
    return { at, round, millis: 100 * whole * Math.exp(noise * normal()), shares };
  });
}

/** A world of equal forks: 8 to 21 commits, any noise up to 20 %, and rounds in which two methods take longer or shorter. */
export function equalWorld(seed: number): ProfileWorld {
  const random = randomFrom(seed);
  const drifts = Array.from({ length: 8 }, () => Math.exp(0.4 * (random() - 0.5)));
  return {
    ...{ commits: 8 + Math.floor(random() * 14), forks: 2 + Math.floor(random() * 2), noise: 0.2 * random() },
    ...{ ofMethod: 0.2 * random(), samples: 100 + Math.floor(300 * random()) },
    drift: (round: number, method: number) => (method < 2 ? drifts[round % drifts.length]! : 1),
  };
}

/** Ten commits, at the sixth of which the hottest method makes the benchmark a quarter longer. */
export const PLANTED_AT = 5;
export function plantedWorld(): ProfileWorld {
  const grown = 1 + (0.25 * TIMES.reduce((sum, each) => sum + each, 0)) / TIMES[0]!;
  return { ...QUIET, factor: (at, method) => (at >= PLANTED_AT && method === 0 ? grown : 1) };
}
