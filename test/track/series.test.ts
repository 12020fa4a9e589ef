// Which steps are found in the values of many forks: planted ones at their commit, none where nothing changed, and drift is no step.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Journal } from '../../server/track/journal.ts';
import { inOrder, nextRuns, type PlanFor, spread } from '../../server/track/plan.ts';
import { RoundDrift } from '../../server/track/round-drift.ts';
import { seriesOf } from '../../server/track/series.ts';
import { judged, simulatedHistory } from '../support/recordings/simulated-histories.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-series-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Numbers in [0, 1) that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** About normal, with a deviation of 1. */
function noise(random: () => number): number {
  return Array.from({ length: 12 }, random).reduce((sum, each) => sum + each, -6);
}

type World = {
  readonly truth: readonly number[];
  /** As a part of the truth, of a commit. */
  readonly deviation: number | ((at: number) => number);
  /** How many times longer everything takes in a round. */
  readonly driftOf?: (round: number) => number;
  readonly broken?: readonly number[];
  /** The part of all forks that something else on the machine holds up: they take two to twelve times as long. */
  readonly heldUp?: number;
};

/** Measures a world as the command does, until nothing is left to be run. */
function measured({ truth, deviation, driftOf = () => 1, broken = [], heldUp = 0 }: World, seed: number) {
  const journal = new Journal(join(folder, String(seed)), seed);
  const commits = truth.map((_, at) => (at + 1).toString(16).padStart(40, '0'));
  const plan: PlanFor = { journal, commits, benchmarks: ['b'], forks: 2 };
  const random = randomFrom(seed);
  const deviationAt = typeof deviation === 'number' ? () => deviation : deviation;
  const places = [...commits.keys()];
  for (let round = 0; ; round++) {
    const runs = inOrder(nextRuns(plan, places), journal.seed, round);
    if (runs.length === 0) break;
    for (const { at } of runs) {
      const key = { commit: commits[at]!, benchmark: 'b', fork: journal.nextFork(commits[at]!, 'b') };
      const held = heldUp > 0 && random() < heldUp ? 2 + 10 * random() : 1;
      const millis = truth[at]! * (1 + deviationAt(at) * noise(random)) * driftOf(round) * held;
      const failed = { state: 'failed', reason: 'failed', detail: 'exit status 1', tail: '' } as const;
      const result = broken.includes(at) ? failed : ({ state: 'measured', millis, tookMillis: millis } as const);
      journal.saveFork(key, { ...result, round, atMillis: 0 });
    }
  }
  const series = seriesOf(journal, commits, 'b', 0);
  const found = series.suspects.filter(({ isFound }) => isFound).map(({ at, comparison }) => [at, comparison.verdict]);
  return { series, found, journal };
}

test('five planted steps are found at their commits, and nothing else', () => {
  let level = 100;
  const steps = new Map([
    [5, 1.15],
    [11, 1.1],
    [16, 0.85],
    [21, 1.3],
    [26, 1.12],
  ]);
  const truth = Array.from({ length: 30 }, (_, at) => {
    level *= steps.get(at) ?? 1;
    return level;
  });
  for (const seed of [1, 2, 3, 4, 5]) {
    const { found } = measured({ truth, deviation: 0.012 }, seed);
    expect(found).toEqual([
      [5, 'slower'],
      [11, 'slower'],
      [16, 'faster'],
      [21, 'slower'],
      [26, 'slower'],
    ]);
  }
});

test('where nothing changed hardly anything is found', () => {
  const truth = Array.from({ length: 30 }, () => 100);
  const seeds = Array.from({ length: 100 }, (_, i) => i + 1);
  const wrong = seeds.filter(seed => measured({ truth, deviation: 0.02 }, seed).found.length > 0);
  // A step stands in 1.3 % of such histories (5 of 400).
  expect(wrong.length).toBeLessThanOrEqual(5);
});

test('a machine that became slower in the middle is no step, and its drift is taken out', () => {
  const truth = [100, 100, 100, 120, 120, 120];
  const { found, series } = measured({ truth, deviation: 0.005, driftOf: round => (round === 1 ? 1.3 : 1) }, 7);
  expect(found).toEqual([[3, 'slower']]);
  expect(series.drift.filter(({ isRemoved }) => isRemoved).map(({ round }) => round)).toContain(1);
});

test('a step among fast commits is found although slow ones deviate by more milliseconds', () => {
  const truth = [...Array(5).fill(100), ...Array(5).fill(112), ...Array(5).fill(400), ...Array(5).fill(900)];
  for (const seed of [1, 2, 3, 4, 5])
    expect(measured({ truth, deviation: 0.02 }, seed).found).toEqual([
      [5, 'slower'],
      [10, 'slower'],
      [15, 'slower'],
    ]);
});

test('a step among commits whose forks agree is found although those of other commits do not', () => {
  const truth = [...Array(10).fill(10), ...Array(5).fill(60), ...Array(5).fill(90)];
  const deviation = (at: number) => (at < 10 ? 0.15 : 0.06);
  const planted = [
    [10, 'slower'],
    [15, 'slower'],
  ];
  const all = Array.from({ length: 12 }, (_, i) => measured({ truth, deviation }, i + 1).found);
  for (const found of all) expect(found).toEqual(expect.arrayContaining(planted));
  // A step besides stands in 1.3 % of such histories (4 of 300).
  expect(all.filter(found => found.length > planted.length).length).toBeLessThanOrEqual(1);
});

test('a small step beside a large one is found too', () => {
  const truth = [...Array(8).fill(20), 30, 30, ...Array(3).fill(60), ...Array(8).fill(85)];
  for (const seed of [1, 2, 3, 4, 5])
    expect(measured({ truth, deviation: 0.08 }, seed).found).toEqual([
      [8, 'slower'],
      [10, 'slower'],
      [13, 'slower'],
    ]);
});

test('forks that something held up hide no step and make none, and are counted', () => {
  const truth = [...Array(10).fill(10), ...Array(6).fill(18), ...Array(4).fill(28), ...Array(10).fill(50)];
  const seeds = Array.from({ length: 12 }, (_, i) => i + 1);
  const all = seeds.map(seed => measured({ truth, deviation: 0.06, heldUp: 0.04 }, seed));
  const planted = [
    [10, 'slower'],
    [16, 'slower'],
    [20, 'slower'],
  ];
  for (const { found } of all) expect(found).toEqual(expect.arrayContaining(planted));
  // A step besides stands in 4 % of such histories (8 of 200).
  expect(all.filter(({ found }) => found.length > planted.length).length).toBeLessThanOrEqual(2);
  const counted = all.map(({ series }) => series.points.reduce((sum, point) => sum + point.heldUp, 0));
  expect(Math.max(...counted)).toBeGreaterThan(2);
  const flat = Array.from({ length: 30 }, () => 100);
  const wrong = seeds.filter(
    seed => measured({ truth: flat, deviation: 0.02, heldUp: 0.04 }, 100 + seed).found.length > 0,
  );
  expect(wrong.length).toBeLessThanOrEqual(1);
});

test('commits that run in a round tell its drift better than the base alone, in histories of all sizes', () => {
  const judge = (leastOthers?: number) => {
    const all = Array.from({ length: 40 }, (_, i) => judged(simulatedHistory((i + 1) * 7919), i + 1, leastOthers));
    return {
      found: all.reduce((sum, { found }) => sum + found, 0),
      wrong: all.filter(({ isFalse }) => isFalse).length,
    };
  };
  const [others, base] = [judge(), judge(Number.POSITIVE_INFINITY)];
  expect(others.wrong).toBeLessThanOrEqual(2);
  expect(others.found).toBeGreaterThan(base.found);
});

test('a commit under test does not tell the drift that its own values are divided by', () => {
  const forks = [...Array(8).keys()].map(at =>
    [0, 1].map(round => {
      const millis = at === 0 && round === 1 ? 800 : 100;
      return { state: 'measured' as const, round, millis, tookMillis: millis, atMillis: 0 };
    }),
  );
  const drift = new RoundDrift(forks, 0, 0.01);
  expect(drift.divisor(1, [0, 1])).toBeCloseTo(1);
  expect(drift.divisor(1, [1])).toBeCloseTo(8 ** (0.5 / 7));
  expect(drift.rounds().map(({ round }) => round)).toEqual([0, 1]);
  // Of five others the base decides.
  expect(drift.divisor(1, [1, 2, 3])).toBeCloseTo(Math.sqrt(8));
});

test('a step behind broken commits lies between the measured ones', () => {
  const { series, found } = measured(
    { truth: [100, 100, 100, 100, 100, 150, 150], deviation: 0.01, broken: [3, 4] },
    3,
  );
  expect(found).toEqual([[5, 'slower']]);
  expect(series.suspects.map(({ before }) => before)).toEqual([2]);
  expect(series.points.map(({ mean }) => mean === null)).toEqual([false, false, false, true, true, false, false]);
});

test('commits beside a step have five forks, others two, the base one more in every round', () => {
  const truth = [100, 100, 100, 150, 150, 150];
  const { series } = measured({ truth, deviation: 0.01 }, 4);
  expect(series.points.map(({ values }) => values.length)).toEqual([3, 2, 5, 5, 2, 2]);
});

test('the extra forks of a suspected step run in one round, each side once before either runs again', () => {
  const { journal } = measured({ truth: [100, 100, 100, 150, 150, 150], deviation: 0.01 }, 4);
  const roundsOf = (at: number) =>
    journal.forksOf((at + 1).toString(16).padStart(40, '0'), 'b').map(({ round }) => round);
  expect(roundsOf(2)).toEqual([0, 1, 2, 2, 2]);
  expect(roundsOf(3)).toEqual([0, 1, 2, 2, 2]);
  const runs = [2, 2, 2, 3, 3, 3, 0].map(at => ({ at, benchmark: 'b' }));
  const order = inOrder(runs, 1, 2).map(({ at }) => at);
  expect(order.slice(0, 3).sort()).toEqual([0, 2, 3]);
  expect(order.slice(3, 5).sort()).toEqual([2, 3]);
  expect(order.slice(5).sort()).toEqual([2, 3]);
});

test('the order of a round is that of its seed', () => {
  const runs = Array.from({ length: 20 }, (_, at) => ({ at, benchmark: 'b' }));
  const order = (seed: number, round: number) => inOrder(runs, seed, round).map(({ at }) => at);
  expect(order(1, 0)).toEqual(order(1, 0));
  expect(order(1, 0)).not.toEqual(order(1, 1));
  expect(order(1, 0)).not.toEqual(order(2, 0));
  expect(order(1, 0).toSorted((a, b) => a - b)).toEqual(runs.map(({ at }) => at));
});

test('chosen commits lie evenly over what is left', () => {
  expect(spread([0, 1, 2, 3, 4, 5, 6, 7, 8], 3)).toEqual([0, 4, 8]);
  expect(spread([3, 5, 8], 1)).toEqual([8]);
  expect(spread([3, 5, 8], 9)).toEqual([3, 5, 8]);
});

test('a result that is damaged is told and measured again, under its own number', () => {
  const { journal } = measured({ truth: [100], deviation: 0.01 }, 9);
  const commit = '1'.padStart(40, '0');
  expect(journal.measuredForks(commit, 'b')).toEqual([0, 1]);
  writeFileSync(join(journal.folder, commit, 'b', '0.json'), '{"state":"measured","millis":-1}');
  const read = new Journal(journal.folder, 1);
  expect(read.seed).toBe(1);
  expect(read.problems).toMatchObject([{ severity: 'warning', remedy: 'it is measured again' }]);
  expect(read.measuredForks(commit, 'b')).toEqual([1]);
  expect(read.nextFork(commit, 'b')).toBe(0);
});
