// Which methods are found by the profiles of forks before a commit and behind it: planted ones at their commit, and none where nothing changed.
import { expect, test } from 'vitest';
import { LEAST_FORKS, type ProfileFinding, profileEvidence } from '../../server/track/profile-findings.ts';
import {
  equalWorld,
  keyOf,
  PLANTED_AT,
  type ProfileWorld,
  plantedWorld,
  profilesOf,
  QUIET,
} from '../support/recordings/simulated-profiles.ts';
import { runs } from '../support/runs.ts';

const UNSTEPPED = { suspects: [], changedTests: [] };

function found(world: ProfileWorld, seed: number): readonly ProfileFinding[] {
  return profileEvidence([{ series: UNSTEPPED, profiles: profilesOf(world, seed) }])[0]!.findings;
}

function namesIn({ methods }: ProfileFinding): string[] {
  return methods.map(({ method }) => method.name);
}

test('equal forks give no finding, in histories of all sizes, also with rounds that differ', () => {
  const histories = runs(60);
  let wrong = 0;
  for (let seed = 1; seed <= histories; seed++) {
    if (found(equalWorld(seed), seed * 101).length > 0) wrong++;
  }
  // 5 % at most; so many or more of them come in one run of a hundred.
  expect(wrong / histories).toBeLessThanOrEqual(0.05 + 2.33 * Math.sqrt((0.05 * 0.95) / histories));
});

test('a method that makes the benchmark a quarter longer is found at its commit, where times differ by 17 %', () => {
  const histories = runs(20);
  let [right, near, within] = [0, 0, 0];
  for (let seed = 1; seed <= histories; seed++) {
    const [first, ...others] = found(plantedWorld(), seed * 17);
    if (first === undefined) continue;
    expect(namesIn(first)[0]).toBe('m0');
    expect(first.methods[0].of).toBe('self');
    expect(first.forks[0] + first.forks[1]).toBe(20);
    if (first.time!.low < 0.25 && first.time!.high > 0.25) within++;
    expect(others).toEqual([]);
    if (first.at === PLANTED_AT) right++;
    if (Math.abs(first.at - PLANTED_AT) <= 1) near++;
  }
  expect(right / histories).toBeGreaterThanOrEqual(0.8);
  expect(near).toBe(histories);
  expect(within / histories).toBeGreaterThanOrEqual(0.8);
});

test('a finding among the benchmarks of a large project: relabellings are enough for a family of 150 tests', () => {
  const quiet = Array.from({ length: 149 }, (_, i) => profilesOf(equalWorld(1), 7 * i + 1));
  const all = [...quiet, profilesOf(plantedWorld(), 17)].map(profiles => ({ series: UNSTEPPED, profiles }));
  const evidence = profileEvidence(all);
  expect(
    evidence
      .at(-1)!
      .findings.map(namesIn)
      .map(([name]) => name),
  ).toEqual(['m0']);
  expect(evidence.slice(0, -1).flatMap(({ findings }) => findings).length).toBeLessThanOrEqual(1);
});

test('of two methods the time of the benchmark tells which one changed: where one takes more of a whole, the other takes less', () => {
  const only = (m0: number, m1: number) => (at: number, method: number) =>
    [20, 5][method] === undefined ? 1e-9 : [20 * (at >= PLANTED_AT ? m0 : 1), 5 * (at >= PLANTED_AT ? m1 : 1)][method]!;
  const quiet = { ...QUIET, noise: 0.05, ofMethod: 0.02, samples: 2000 };
  for (const [factor, name, isSlower] of [
    [only(2, 1), 'm0', true],
    [only(1, 2), 'm1', true],
    [only(0.5, 1), 'm0', false],
    [only(1, 0.5), 'm1', false],
  ] as const) {
    const [first] = found({ ...quiet, factor }, 5);
    expect(first!.at).toBe(PLANTED_AT);
    const [{ method, before, now }] = first!.methods;
    expect([method.name, now > before, first!.time!.change > 0]).toEqual([name, isSlower, isSlower]);
  }
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
  const profiles = profilesOf({ ...QUIET, factor }, 9);
  const at = (changedTests: readonly number[]) =>
    profileEvidence([{ series: { suspects: [], changedTests }, profiles }])[0]!;
  expect(at([]).findings.map(({ at }) => at)).toEqual([5]);
  expect(at([5])).toEqual({ findings: [], forks: 20, commits: 0 });
});

test('fewer than eight forks on each side are not tested', () => {
  const factor = (at: number, method: number) => (at >= 3 && method === 0 ? 3 : 1);
  const few = profilesOf({ ...QUIET, commits: LEAST_FORKS - 1, factor }, 2);
  expect(profileEvidence([{ series: UNSTEPPED, profiles: few }])[0]!).toEqual({ findings: [], forks: 14, commits: 0 });
});

test('a method that one side alone has is not told: it may have had another name', () => {
  const profiles = profilesOf({ ...QUIET, commits: 10 }, 4).map(fork => {
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
