// Which methods are found by the profiles of forks before a commit and behind it: planted ones at their commit, and none where nothing changed.
import { expect, test } from 'vitest';
import type { ForkProfile, MethodShares } from '../../server/track/fork-profiles.ts';
import { LEAST_FORKS, type ProfileFinding, profileEvidence } from '../../server/track/profile-findings.ts';
import { randomFrom } from '../fuzz/grammar-random.ts';
import { runs } from '../support/runs.ts';

const METHODS = 60;
/** Own times of methods of a real benchmark: some are hot, most are not. */
const TIMES = Array.from({ length: METHODS }, (_, rank) => 1 / (1 + rank) ** 1.2);
/** Each method calls the next two. */
const BELOW = 2;

type World = {
  readonly commits: number;
  readonly forks: number;
  /** Standard deviations of forks, as logarithms: of everything, and of each method. */
  readonly noise: number;
  readonly ofMethod: number;
  readonly samples: number;
  /** Multiplies the own time of a method. */
  readonly factor?: (commit: number, method: number) => number;
  /** Multiplies the own time of a method in a round, as another machine or its load does. */
  readonly drift?: (round: number, method: number) => number;
};

const QUIET: World = { commits: 10, forks: 2, noise: 0.17, ofMethod: 0.08, samples: 300 };
const UNSTEPPED = { suspects: [], changedTests: [] };

function keyOf(method: number): string {
  return JSON.stringify(['acme.Shop', `m${method}`, '()V']);
}

/** The forks of a world, as the command runs them: a round has one of each commit. */
function forksOf({ commits, forks, noise, ofMethod, samples, factor, drift }: World, seed: number): ForkProfile[] {
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
    const shares = new Map<string, MethodShares>();
    for (let method = METHODS - 1; method >= 0; method--) {
      const called = Array.from({ length: BELOW }, (_, next) => method * BELOW + next + 1);
      const below = called.reduce((sum, each) => sum + (shares.get(keyOf(each))?.total ?? 0), 0);
      const self = own[method]!;
      if (self + below > 0) shares.set(keyOf(method), { self, total: self + below });
    }
    return { at, round, millis: 100 * whole * Math.exp(noise * normal()), shares };
  });
}

function found(world: World, seed: number): readonly ProfileFinding[] {
  return profileEvidence([{ series: UNSTEPPED, profiles: forksOf(world, seed) }])[0]!.findings;
}

function namesIn({ methods }: ProfileFinding): string[] {
  return methods.map(({ method }) => method.name);
}

test('equal forks give no finding, in histories of all sizes, also with rounds that differ', () => {
  const histories = runs(60);
  let wrong = 0;
  for (let seed = 1; seed <= histories; seed++) {
    const random = randomFrom(seed);
    const drifts = Array.from({ length: 8 }, () => Math.exp(0.4 * (random() - 0.5)));
    const world = {
      ...{ commits: 8 + Math.floor(random() * 14), forks: 2 + Math.floor(random() * 2), noise: 0.2 * random() },
      ...{ ofMethod: 0.2 * random(), samples: 100 + Math.floor(300 * random()) },
      drift: (round: number, method: number) => (method < 2 ? drifts[round % drifts.length]! : 1),
    };
    if (found(world, seed * 101).length > 0) wrong++;
  }
  // 5 % at most; so many or more of them come in one run of a hundred.
  expect(wrong / histories).toBeLessThanOrEqual(0.05 + 2.33 * Math.sqrt((0.05 * 0.95) / histories));
});

test('a method that makes the benchmark a quarter longer is found at its commit, where times differ by 17 %', () => {
  const whole = TIMES.reduce((sum, each) => sum + each, 0);
  const grown = 1 + (0.25 * whole) / TIMES[0]!;
  const histories = runs(20);
  let [right, near, within] = [0, 0, 0];
  for (let seed = 1; seed <= histories; seed++) {
    const world = { ...QUIET, factor: (at: number, method: number) => (at >= 5 && method === 0 ? grown : 1) };
    const [first, ...others] = found(world, seed * 17);
    if (first === undefined) continue;
    expect(namesIn(first)[0]).toBe('m0');
    expect(first.methods[0].of).toBe('self');
    expect(first.forks[0] + first.forks[1]).toBe(20);
    if (first.time!.low < 0.25 && first.time!.high > 0.25) within++;
    expect(others).toEqual([]);
    if (first.at === 5) right++;
    if (Math.abs(first.at - 5) <= 1) near++;
  }
  expect(right / histories).toBeGreaterThanOrEqual(0.8);
  expect(near).toBe(histories);
  expect(within / histories).toBeGreaterThanOrEqual(0.8);
});

test('of a method that takes most of the time, the time of the benchmark tells that it grew, and not that all others shrank', () => {
  const hot = TIMES.reduce((sum, each) => sum + each, 0) * 4;
  const factor = (at: number, method: number) => (method === 0 ? (hot / TIMES[0]!) * (at >= 5 ? 2 : 1) : 1);
  const [first] = found({ ...QUIET, ofMethod: 0.02, samples: 2000, factor }, 5);
  expect(first!.at).toBe(5);
  expect(namesIn(first!)[0]).toBe('m0');
  expect(first!.methods[0].now).toBeGreaterThan(first!.methods[0].before);
  expect(first!.time!.change).toBeGreaterThan(0.5);
});

test('a method that became faster, and one that became slower later, are two findings', () => {
  const factor = (at: number, method: number) =>
    (at >= 12 && method === 1 ? 2.5 : 1) * (at >= 6 && method === 0 ? 0.3 : 1);
  const both = found({ ...QUIET, commits: 18, factor }, 3);
  expect(
    both.map(finding => [finding.at, namesIn(finding)[0], finding.methods[0].now > finding.methods[0].before]),
  ).toEqual([
    [6, 'm0', false],
    [12, 'm1', true],
  ]);
});

test('steps that are known, and tests that changed, are no findings: forks beyond them are not compared', () => {
  const factor = (at: number, method: number) => (at >= 5 && method === 0 ? 2 : 1);
  const profiles = forksOf({ ...QUIET, factor }, 9);
  const at = (changedTests: readonly number[]) =>
    profileEvidence([{ series: { suspects: [], changedTests }, profiles }])[0]!;
  expect(at([]).findings.map(({ at }) => at)).toEqual([5]);
  expect(at([5])).toEqual({ findings: [], forks: 20, commits: 0 });
});

test('fewer than eight forks on each side are not tested', () => {
  const factor = (at: number, method: number) => (at >= 3 && method === 0 ? 3 : 1);
  const few = forksOf({ ...QUIET, commits: LEAST_FORKS - 1, factor }, 2);
  expect(profileEvidence([{ series: UNSTEPPED, profiles: few }])[0]!).toEqual({ findings: [], forks: 14, commits: 0 });
});

test('a method that one side alone has is not told: it may have had another name', () => {
  const profiles = forksOf({ ...QUIET, commits: 10 }, 4).map(fork => {
    const shares = new Map(fork.shares);
    const [old, renamed] = [keyOf(0), JSON.stringify(['acme.Shop', 'renamed', '()V'])];
    if (fork.at >= 5) {
      shares.set(renamed, shares.get(old)!);
      shares.delete(old);
    }
    return { ...fork, shares };
  });
  expect(profileEvidence([{ series: UNSTEPPED, profiles }])[0]!.findings).toEqual([]);
});
